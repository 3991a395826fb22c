import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testDeposit } from '../../../../test/support/deposits/test-deposit.ts';
import { testAttempt } from '../../../../test/support/form/test-attempt.ts';
import { merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import type { DepositAdjustment } from '../../deposits/deposit-adjustment.ts';
import type { AdjustmentFacts, ReceiptBalance } from './adjustment-store.ts';
import { planAdjustment } from './plan-adjustment.ts';

const DEPOSIT = testDeposit({ state: 'success', received: 10_000n });
const PARTS = {
  merchants: new Map([['M1', merchantNamed('M1')]]),
  compose: () => ({}),
  at: 1_000,
  actor: 'in_memory',
};

function receipt(transferKey: string, change: Partial<ReceiptBalance> = {}): ReceiptBalance {
  return {
    rail: 'in_memory',
    transferKey,
    receiptKey: transferKey,
    currency: 'MXN',
    deposit: DEPOSIT,
    account: 'available',
    brought: 10_000n,
    left: 10_000n,
    ...change,
  };
}

function chargeback(minor: bigint): DepositAdjustment {
  return {
    transactionId: DEPOSIT.transactionId,
    attempt: 1,
    kind: 'charged_back',
    key: 'D1',
    money: { currency: 'MXN', minor },
    posted: minor,
    receiptKey: null,
    at: 500,
    detail: '',
  };
}

function undo(receipts: readonly ReceiptBalance[], taken: ReadonlyMap<string, bigint>, minor: bigint) {
  const facts: AdjustmentFacts = {
    deposit: DEPOSIT,
    attempt: testAttempt({ state: 'paid' }),
    receipts,
    taken,
    balances: () => ({ available: 50_000n, suspense: 50_000n }),
    counterpart: chargeback(minor),
  };
  const news = { kind: 'chargeback_undone', key: 'D1', money: { currency: 'MXN', minor }, detail: '' } as const;
  const { takings, short } = planAdjustment(facts, news, PARTS);
  return { given: takings.map(({ receipt: { transferKey }, amount }) => [transferKey, amount]), short };
}

it('a reversed chargeback returns to each receipt the amount that it took', () => {
  const receipts = [receipt('A'), receipt('B', { account: 'suspense', left: 6_000n })];
  assert.deepEqual(undo(receipts, new Map([['B', 4_000n]]), 4_000n), { given: [['B', 4_000n]], short: 0n });
});

it('a reversed chargeback of a receipt that was returned to its payer does not credit another receipt', () => {
  const receipts = [receipt('A'), receipt('B', { account: null, left: 0n })];
  assert.deepEqual(undo(receipts, new Map([['B', 4_000n]]), 4_000n), { given: [], short: 4_000n });
});

/** A chargeback without an amount. */
function takeAll(receipts: readonly ReceiptBalance[], receiptKey?: string) {
  const facts: AdjustmentFacts = {
    deposit: DEPOSIT,
    attempt: testAttempt({ state: 'paid' }),
    receipts,
    taken: new Map(),
    balances: () => ({ available: 50_000n, suspense: 50_000n }),
    counterpart: undefined,
  };
  const named = receiptKey === undefined ? {} : { receiptKey };
  const news = { kind: 'charged_back', key: 'D1', money: null, detail: '', ...named } as const;
  const { takings, short, adjustment } = planAdjustment(facts, news, PARTS);
  return {
    minor: adjustment.money.minor,
    taken: takings.map((each) => [each.receipt.transferKey, each.amount]),
    short,
  };
}

it('a chargeback of one receipt without an amount takes exactly that receipt', () => {
  const receipts = [receipt('A'), receipt('B', { brought: 6_000n, left: 6_000n })];
  assert.deepEqual(takeAll(receipts, 'B'), { minor: 6_000n, taken: [['B', 6_000n]], short: 0n });
  assert.equal(takeAll(receipts).minor, 16_000n);
});

it('a chargeback without an amount of a spent receipt has a shortfall of the receipt’s full amount', () => {
  const receipts = [receipt('A'), receipt('B', { brought: 6_000n, left: 0n })];
  assert.deepEqual(takeAll(receipts, 'B'), { minor: 6_000n, taken: [], short: 6_000n });
});

it('a chargeback that was reversed in another currency keeps its full shortfall', () => {
  const undone = { ...chargeback(4_000n), kind: 'chargeback_undone', posted: 0n } as const;
  const facts: AdjustmentFacts = {
    deposit: DEPOSIT,
    attempt: testAttempt({ state: 'paid' }),
    receipts: [receipt('A')],
    taken: new Map(),
    balances: () => ({ available: 50_000n }),
    counterpart: { ...undone, money: { currency: 'USD', minor: 4_000n } },
  };
  const news = { kind: 'charged_back', key: 'D1', money: { currency: 'MXN', minor: 4_000n }, detail: '' } as const;
  const { takings, short } = planAdjustment(facts, news, PARTS);
  assert.deepEqual({ takings, short }, { takings: [], short: 4_000n });
});
