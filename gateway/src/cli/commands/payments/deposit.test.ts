import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDeposit } from '../../../../test/support/deposits/test-deposit.ts';
import { testAttempt } from '../../../../test/support/form/test-attempt.ts';
import { runOver } from '../../../../test/support/gateway/run-over.ts';
import type { RecordedTransfer, TransferState } from '../../../domain/deposits/deposit.ts';
import type { ResolutionOrder, ResolutionRejection } from '../../../domain/deposits/resolve-transfer.ts';
import type { ReturnOrder, ReturnRejection } from '../../../domain/deposits/return-transfer.ts';
import type { ListQuery } from '../../../domain/lists/list-store.ts';
import type { RefundRejection } from '../../../domain/payments/adjustments/adjustment-store.ts';
import type { RefundCommand } from '../../../domain/payments/adjustments/refund-deposit.ts';
import type { EndAttemptsOrder } from '../../../domain/payments/attempts/end-attempts.ts';
import type { Payout } from '../../../domain/payouts/payout.ts';
import { fail, ok } from '../../../foundation/result.ts';

const AT = Date.UTC(2026, 10, 20, 10, 0, 0);
const NAME = 'stp/CLAVE1/40012/20261120';
const ID = { rail: 'stp', transferKey: 'CLAVE1/40012/20261120' };

function transfer(over: Partial<RecordedTransfer> = {}): RecordedTransfer {
  const account = '012180012345678901';
  return {
    ...ID,
    merchantId: 'M1',
    transactionId: 1001,
    payTo: '646180499000000003',
    money: { currency: 'MXN', minor: 4_000n },
    kept: 4_000n,
    originator: { name: 'ANA RUIZ', account, institution: '40012', concept: 'x', trackingKey: 'CLAVE1' },
    mismatch: 'short',
    state: 'held',
    foundBy: 'notification',
    bookedAt: AT,
    recordedAt: AT,
    resolvedAt: null,
    resolution: '',
    returnId: null,
    ...over,
  };
}

const obstacles = async () => ({ refund: null, endAttempts: 'nothing_in_flight' as const });

test('deposit list filters by merchant, state, order and CLABE', async () => {
  const asked: ListQuery[] = [];
  const deposits = async (wanted: ListQuery) => {
    asked.push(wanted);
    return { items: [testDeposit({ state: 'fail', failReason: 'expired', finishedAt: AT })], next: null };
  };
  const words = 'deposit list --merchant M1 --state fail --order N17 --clabe 646180499000000003 --limit 5';
  const { stdout } = await runOver(words, { lists: { deposits } });
  const filters = { state: 'fail', orderId: 'N17', payTo: '646180499000000003' };
  assert.deepEqual(asked, [{ merchantId: 'M1', from: null, to: null, filters, after: null, limit: 5 }]);
  assert.match(stdout, /M1 +N17 +spei +100\.00 MXN +fail \(expired\) +0\.00 +646180499000000003/);
});

test('deposit show prints the requested amount, the transfers received and the history', async () => {
  const find = async () => ({
    deposit: testDeposit(),
    transfers: [transfer()],
    attempts: [],
    adjustments: [],
    refunds: [],
    money: [],
    history: [{ at: AT, event: 'opened', fromState: null, toState: 'pending' as const, actor: 'merchant', detail: '' }],
    callbacks: [],
    pending: {
      reason: 'operator' as const,
      facts: {
        ...{ rail: 'bank', amount: '100.00 MXN', payTo: '1', step: null, attemptState: undefined, why: '' },
        ...{ isAuthorised: false, isFinal: true, mayBeCredited: false },
      },
      since: AT,
      nextAt: null,
      note: '40.00 MXN came',
    },
  });
  const { stdout } = await runOver('deposit show M1 N17', { deposits: { find, obstacles } });
  for (const text of [
    'the operator, who must decide on held money that does not match it',
    NAME,
    'less than the deposit’s amount',
    'ANA RUIZ 012180012345678901',
    'endAttempts  The deposit has no payment attempt in flight.',
  ]) {
    assert.ok(stdout.includes(text), text);
  }
  const json = JSON.parse((await runOver('--json deposit show M1 N17', { deposits: { find, obstacles } })).stdout);
  const { rail, transferKey } = json.transfers[0];
  assert.deepEqual([json.received, `${rail}/${transferKey}`, json.pending.reason], ['0.00', NAME, 'operator']);
});

test('deposit held lists held money with or without an order', async () => {
  const held = async () => [
    { ...transfer(), orderId: 'N17' },
    { ...transfer({ merchantId: 'operator', transactionId: null, mismatch: 'unmatched' }), orderId: null },
  ];
  const { stdout } = await runOver('deposit held', { deposits: { held } });
  const [header = '', short = '', unmatched = ''] = stdout.split('\n');
  const order = header.indexOf('ORDER');
  assert.deepEqual(
    [short, unmatched].map((row) => row.slice(order, order + 6).trim()),
    ['N17', ''],
  );
  const json = JSON.parse((await runOver('--json deposit held', { deposits: { held } })).stdout);
  assert.deepEqual(
    json.map((one: { orderId: string | null }) => one.orderId),
    ['N17', null],
  );
});

test('deposit show fails with one sentence for an unknown deposit', async () => {
  const { stderr, exitCode } = await runOver('deposit show M1 N9', { deposits: { find: async () => undefined } });
  assert.deepEqual(
    [stderr, exitCode],
    ['The merchant has no deposit for this order. "gateway deposit list" lists all deposits.\n', 1],
  );
});

test('deposit resolve credits held money to its own or a different deposit', async () => {
  const asked: ResolutionOrder[] = [];
  const resolve = async (order: ResolutionOrder) => {
    asked.push(order);
    return ok(testDeposit({ state: 'success' }));
  };
  const own = await runOver(`deposit resolve ${NAME} --reason 'the payer wrote'`, { deposits: { resolve } });
  assert.equal(own.stdout, '✓ Credited the money to M1 for the order N17. The deposit is success.\n');
  await runOver(`deposit resolve ${NAME} --merchant M2 --order N3 --reason r`, { deposits: { resolve } });
  assert.deepEqual(asked, [
    { ...ID, to: null, reason: 'the payer wrote', by: 'root@server' },
    { ...ID, to: { merchantId: 'M2', orderId: 'N3' }, reason: 'r', by: 'root@server' },
  ]);
});

test('deposit return returns held money and prints the id of the payout', async () => {
  const asked: ReturnOrder[] = [];
  const returnTransfer = async (order: ReturnOrder) => {
    asked.push(order);
    return ok({ merchantId: 'operator', payoutId: 'return:1030' });
  };
  const { stdout } = await runOver(`deposit return ${NAME} --reason unknown`, { deposits: { returnTransfer } });
  assert.deepEqual(asked, [{ ...ID, reason: 'unknown', by: 'root@server' }]);
  assert.match(stdout, /gateway payout show operator return:1030/);
});

const refund: Payout = {
  merchantId: 'M1',
  payoutId: 'refund:1040',
  transactionId: 1040,
  purpose: 'refund',
  method: null,
  money: { currency: 'MXN', minor: 2_000n },
  amountText: '20.00',
  fee: 0n,
  rail: 'in_memory',
  beneficiary: { accountShown: '', fields: {}, vaultToken: null },
  contentHash: Buffer.alloc(0),
  state: 'pending',
  blockedReason: null,
  acceptedAt: AT,
  finishedAt: null,
};

test('deposit show lists adjustments after the result with the money that each moved', async () => {
  const money = { currency: 'MXN', minor: 9_000n } as const;
  const report = { transactionId: 1001, attempt: 1, key: 'D1', at: AT, detail: 'fraud', receiptKey: null, money };
  const find = async () => ({
    deposit: testDeposit({ state: 'success' }),
    transfers: [],
    attempts: [],
    adjustments: [
      { ...report, kind: 'charged_back' as const, posted: 8_000n },
      { ...report, kind: 'chargeback_undone' as const, posted: 0n },
    ],
    refunds: [{ attempt: 1, payout: refund, reason: 'the shoe was red' }],
    history: [],
    money: [],
    callbacks: [],
    pending: null,
  });
  const { stdout } = await runOver('deposit show M1 N17', { deposits: { find, obstacles } });
  assert.match(stdout, /charged_back +90\.00 MXN +-80\.00 MXN +D1 +fraud/);
  assert.match(stdout, /chargeback_undone +90\.00 MXN +nothing +D1/);
  assert.match(stdout, /refund +20\.00 MXN +pending +refund:1040 +the shoe was red/);
  const json = JSON.parse((await runOver('--json deposit show M1 N17', { deposits: { find, obstacles } })).stdout);
  assert.deepEqual([json.adjustments[0].posted, json.refunds[0].payout.payoutId], ['80.00', 'refund:1040']);
});

test('deposit refund returns all or part of a payment and prints the id of the payout', async () => {
  const asked: RefundCommand[] = [];
  const operations = {
    deposits: {
      async refund(order: RefundCommand) {
        asked.push(order);
        return ok(refund);
      },
    },
  };
  const { stdout } = await runOver('deposit refund M1 1001 --amount 20 --reason red', operations);
  assert.equal(stdout, '✓ Queued the refund of 20.00 MXN. Follow it: gateway payout show M1 refund:1040\n');
  const all = await runOver('--json deposit refund M1 1001 --reason red', operations);
  const { merchantId, payoutId, amount } = JSON.parse(all.stdout);
  assert.deepEqual([merchantId, payoutId, amount], ['M1', 'refund:1040', '20.00']);
  const order = { merchantId: 'M1', transactionId: 1001, reason: 'red', by: 'root@server' };
  assert.deepEqual(
    asked.map(({ act: _act, ...rest }) => rest),
    [
      { ...order, amount: '20' },
      { ...order, amount: null },
    ],
  );
});

for (const [words, complaint] of [
  ['deposit resolve CLAVE1 --reason x', /must have the form RAIL\/KEY/],
  [`deposit resolve ${NAME}`, /--reason/],
  [`deposit resolve ${NAME} --order N3 --reason x`, /Pass --merchant and --order together/],
  [`deposit return ${NAME}`, /--reason/],
  ['deposit refund M1 1001', /--reason/],
  ['deposit refund M1 N17 --reason x', /must be a number/],
  ['deposit end-attempt M1 1001', /--reason/],
  ['deposit list --state paid', /must be one of created, pending, success, fail/],
] as const) {
  test(`"${words}" is rejected with exit code 2, and no gateway is opened`, async () => {
    const { stderr, exitCode, opened } = await runOver(words);
    assert.match(stderr, complaint);
    assert.deepEqual([exitCode, opened], [2, 0]);
  });
}

const RESOLUTION_REFUSALS: readonly (readonly [ResolutionRejection, RegExp])[] = [
  [{ kind: 'transfer_not_found' }, /^No incoming transfer of the rail has this key/m],
  [{ kind: 'deposit_missing' }, /No deposit matches this transfer\. Pass the merchant and the order/],
  [{ kind: 'deposit_not_found' }, /^That merchant has no deposit for this order/],
  [{ kind: 'currency_differs' }, /different currencies/],
  [{ kind: 'words_rejected', word: 'reason', reason: 'is empty' }, /^--reason is empty$/m],
  ...(['credited', 'returning', 'returned', 'given_up', 'sent_back'] satisfies TransferState[]).map(
    (state) => [{ kind: 'not_held', state }, /is not held: its state is/] as const,
  ),
];

for (const [refusal, sentence] of RESOLUTION_REFUSALS) {
  test(`deposit resolve prints one sentence for the rejection ${JSON.stringify(refusal)}`, async () => {
    const resolve = async () => fail(refusal);
    const { stderr, exitCode } = await runOver(`deposit resolve ${NAME} --reason x`, { deposits: { resolve } });
    assert.match(stderr, sentence);
    assert.equal(exitCode, 1);
  });
}

for (const [refusal, sentence] of [
  [{ kind: 'rail_returns_nothing' }, /cannot return money, or is not configured/],
  [{ kind: 'originator_unknown' }, /did not state the originator’s account/],
  [{ kind: 'not_held', state: 'returning' }, /its state is returning/],
] satisfies [ReturnRejection, RegExp][]) {
  test(`deposit return prints one sentence for the rejection ${refusal.kind}`, async () => {
    const returnTransfer = async () => fail(refusal);
    const { stderr, exitCode } = await runOver(`deposit return ${NAME} --reason x`, { deposits: { returnTransfer } });
    assert.match(stderr, sentence);
    assert.equal(exitCode, 1);
  });
}

const EUR = (minor: bigint) => ({ currency: 'EUR', minor }) as const;

for (const [refusal, sentence] of [
  [{ kind: 'words_rejected', word: 'reason', reason: 'is empty' }, /^--reason is empty$/m],
  [{ kind: 'deposit_not_found' }, /^The merchant has no deposit for this order/],
  [{ kind: 'not_paid', state: 'pending' }, /is not paid: its state is pending/],
  [{ kind: 'not_paid', state: 'fail' }, /is not paid: its state is fail/],
  [{ kind: 'displaced' }, /the money is held\. Credit the held money first/],
  [{ kind: 'rail_refunds_nothing', rail: 'a_rail' }, /rail a_rail of the payment cannot refund, or is not configured/],
  [{ kind: 'invalid_amount' }, /--amount must be above zero/],
  [{ kind: 'nothing_left' }, /^Nothing is left to refund/],
  [{ kind: 'more_than_left', left: EUR(1_250n) }, /Only 12\.50 EUR can still be refunded/],
  [{ kind: 'insufficient_funds', available: EUR(1n), owed: EUR(0n) }, /has only 0\.01 EUR available/],
  [{ kind: 'insufficient_funds', available: EUR(0n), owed: EUR(500n) }, /owes 5\.00 EUR/],
] satisfies [RefundRejection, RegExp][]) {
  test(`deposit refund prints one sentence for the rejection ${refusal.kind}`, async () => {
    const operations = { deposits: { refund: async () => fail(refusal) } };
    const { stderr, exitCode } = await runOver('deposit refund M1 1001 --reason x', operations);
    assert.match(stderr, sentence);
    assert.equal(exitCode, 1);
  });
}

test('deposit end-attempt ends an attempt that its provider never received', async () => {
  const asked: EndAttemptsOrder[] = [];
  const operations = {
    deposits: {
      async endAttempts(order: EndAttemptsOrder) {
        asked.push(order);
        return ok([testAttempt({ rail: 'adyen', reference: '17-AbCd1234' })]);
      },
    },
  };
  const { stdout } = await runOver('deposit end-attempt M1 1001 --reason unknown', operations);
  assert.match(stdout, /^✓ Ended as refused: adyen\/17-AbCd1234\./);
  assert.deepEqual(asked, [{ merchantId: 'M1', transactionId: 1001, reason: 'unknown', by: 'root@server' }]);
  const none = { deposits: { endAttempts: async () => fail({ kind: 'nothing_in_flight' } as const) } };
  const { stderr, exitCode } = await runOver('deposit end-attempt M1 1001 --reason x', none);
  assert.deepEqual([/no payment attempt in flight/.test(stderr), exitCode], [true, 1]);
});
