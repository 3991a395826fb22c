import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MerchantPayout } from '../actors/merchant.ts';
import type { BankOrder, OrderState } from '../actors/payout-bank.ts';
import { type JudgeParts, judgeMemories, judgePayouts } from './judge-payouts.ts';

const PAID_ROW = {
  merchant_id: 'M0',
  payout_id: 'p0',
  state: 'success',
  reversed: false,
  is_contradicted: false,
  paid_out: '100',
  callbacks: 1,
  callback_id: 'c0',
  callback_state: 'delivered',
};

interface Case {
  readonly row?: Partial<typeof PAID_ROW>;
  /** The states of the bank's orders. */
  readonly orders?: readonly OrderState[];
  /** If undefined, the merchant never ordered the payout. */
  readonly said?: string | undefined;
  readonly isOrdered?: boolean;
  readonly isRefused?: boolean;
  readonly acknowledged?: readonly string[];
  readonly wasLongClosed?: boolean;
  readonly cancelled?: boolean;
  readonly guessed?: boolean;
}

const orderOf = (state: OrderState, number: number): BankOrder => ({
  ...{ bank: 'epoint', number, reference: `r${number}`, remittance: 'M0/p0', acceptedAt: 0, changedAt: 0, state },
  money: { currency: 'AZN', minor: 100n },
  wasExecuted: state === 'executed' || state === 'reversed',
});

function judgedOf({ orders = ['executed'], said = 'Success', isOrdered = true, isRefused = false, ...rest }: Case) {
  const { acknowledged = ['c0'], wasLongClosed = false, cancelled = false, guessed = false } = rest;
  const named = (isNamed: boolean) => new Set(isNamed ? ['M0/p0'] : []);
  const known = { payoutId: 'p0', said, isRefused, acceptedAt: 1 } as MerchantPayout;
  const payouts = new Map(isOrdered ? [['p0', known]] : []);
  return {
    merchants: new Map([['M0', { id: 'M0', payouts }]]),
    ordersOf: () => orders.map(orderOf),
    office: { acknowledged: new Set(acknowledged), wasLongClosed: () => wasLongClosed },
    staff: { cancelled: named(cancelled), guessed: named(guessed), credited: new Set<string>() },
    query: async () => [{ ...PAID_ROW, ...rest.row }],
  } as unknown as JudgeParts;
}

const judge = (one: Case): Promise<string[]> => judgePayouts(judgedOf(one), 0);

const BLOCKED = { row: { state: 'blocked', paid_out: '0' }, said: 'Blocked' };

const FAULTS: readonly (readonly [title: string, fault: RegExp, one: Case])[] = [
  ['a successful payout that no bank executed', /no bank paid it/, { orders: ['declined'] }],
  ['a payout that two orders executed', /executed 2 times/, { orders: ['executed', 'executed'] }],
  ['a second execution that was reversed', /executed 2 times/, { orders: ['executed', 'reversed'] }],
  ['a blocked payout that a bank executed', /a bank paid it/, BLOCKED],
  ['a reversal that only the bank knows', /the bank reversed it, and the books do not/, { orders: ['reversed'] }],
  ['a reversal that only the books know', /the bank did not/, { row: { reversed: true } }],
  ['a payout that does not end', /does not end/, { row: { state: 'pending' }, said: 'Pending' }],
  ['a cancelled payout that succeeded', /the operator cancelled it/, { cancelled: true }],
  ['a payout without a callback', /0 callbacks/, { row: { callbacks: 0 } }],
  ['a payout with two callbacks', /2 callbacks/, { row: { callbacks: 2 } }],
  ['a merchant that knows another result', /the merchant knows Blocked/, { said: 'Blocked' }],
  ['a payout of a rejected request', /rejected the request/, { isRefused: true }],
  ['a payout that nobody ordered', /no merchant ordered it/, { isOrdered: false }],
  ['a callback that counts as delivered without an acknowledgement', /never acknowledged/, { acknowledged: [] }],
  ['a callback that the gateway stopped', /stopped calling back/, { row: { callback_state: 'undelivered' } }],
  [
    'a reversal that is booked twice',
    /paid out -100, and its banks 0/,
    { row: { reversed: true, paid_out: '-100' }, orders: ['reversed'] },
  ],
  ['a callback that is still due', /still due/, { row: { callback_state: 'due' } }],
];

const RIGHT: readonly (readonly [title: string, one: Case])[] = [
  ['a payout that one order executed', {}],
  ['a payout that a bank declined first', { orders: ['declined', 'executed'] }],
  ['a blocked payout that was declined', { ...BLOCKED, orders: ['declined'] }],
  ['a blocked payout whose execution came back', { ...BLOCKED, orders: ['reversed'] }],
  ['a reversal in both books', { row: { reversed: true, paid_out: '0' }, orders: ['reversed'] }],
  ['a merchant that knows no result yet', { said: undefined }],
  [
    'a callback that ended while the merchant was away',
    { row: { callback_state: 'undelivered' }, wasLongClosed: true },
  ],
  [
    'a bank that contradicts the operator, and whose decision is recorded',
    { row: { state: 'blocked', is_contradicted: true }, said: 'Blocked', guessed: true },
  ],
];

describe('the check of payouts', () => {
  for (const [title, fault, one] of FAULTS)
    it(`the check reports ${title}`, async () => {
      assert.match((await judge(one)).join('\n'), fault);
    });

  for (const [title, one] of RIGHT)
    it(`the check accepts ${title}`, async () => {
      assert.deepEqual(await judge(one), []);
    });

  it('the check reports a contradiction of the bank that the operator never guessed', async () => {
    const row = { state: 'blocked', is_contradicted: true };
    assert.match((await judge({ row, said: 'Blocked' })).join('\n'), /a bank paid it/);
  });

  it('the check of the merchants’ records reports an accepted payout that the database lost', async () => {
    const lost = { ...judgedOf({}), query: async () => [] } as unknown as JudgeParts;
    assert.deepEqual(await judgeMemories(lost), ['M0/p0 was accepted and is lost']);
  });
});
