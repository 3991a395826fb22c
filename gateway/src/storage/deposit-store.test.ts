import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DEPOSIT_BREAKS } from '../../test/support/invariant-breaks.ts';
import { merchantNamed } from '../../test/support/merchant-named.ts';
import { NOON, openPayoutBench, type PayoutBench } from '../../test/support/stored-payouts.ts';
import type { Deposit, DepositRail, IncomingTransfer } from '../domain/deposits/deposit.ts';
import { expireDeposits } from '../domain/deposits/expire-deposits.ts';
import { createOpenDeposit } from '../domain/deposits/open-deposit.ts';
import { createReceiveTransfer, OPERATOR_MERCHANT } from '../domain/deposits/receive-transfer.ts';
import { balanceOf } from '../domain/ledger/transfer.ts';
import type { Merchant } from '../domain/merchants/merchant.ts';
import { HOUR_MS } from '../foundation/clock.ts';
import { createSeededRandom } from '../foundation/ids.ts';
import { openDatabase } from './database.ts';
import { createDepositStore, type PostgresDepositStore } from './deposit-store.ts';
import { INVARIANTS, verifyInvariants } from './verify-invariants.ts';

let bench: PayoutBench;
let store: PostgresDepositStore;
let other: PostgresDepositStore;
let otherDatabase: ReturnType<typeof openDatabase>;
const merchants = new Map<string, Merchant>();

const rail: DepositRail = {
  name: 'test-rail',
  paymentType: 'spei',
  currency: 'MXN',
  simulated: true,
  beneficiary: 'The Gateway',
  capacity: 1_000_000,
  addressOf: (number) => String(number).padStart(18, '0'),
  validityMs: 24 * HOUR_MS,
  graceMs: 72 * HOUR_MS,
};
const compose = {
  deposit: (deposit: Deposit) => ({ co_order_no: deposit.orderId, co_inv_st: deposit.state }),
  event: (deposit: Deposit) => ({ order: deposit.orderId }),
};

before(async () => {
  bench = await openPayoutBench();
  const options = { maxBatch: 64, maxQueued: 10_000 };
  store = createDepositStore(bench.database, bench.clock, options);
  otherDatabase = openDatabase(bench.config, { poolSize: 4 });
  other = createDepositStore(otherDatabase, bench.clock, options);
});

after(async () => {
  const broken = (await verifyInvariants(bench.database)).filter(({ holds }) => !holds);
  await otherDatabase.close();
  await bench.close();
  assert.deepEqual(broken, []);
});

function merchant(merchantId: string, settings: Record<string, string> = {}): Merchant {
  const made = merchantNamed(merchantId, { settings, eventUrl: 'http://127.0.0.1:1/events' });
  merchants.set(merchantId, made);
  return made;
}

const find = async (merchantId: string) => {
  const found = merchants.get(merchantId);
  return found && { merchant: found, keys: [] };
};

function openerOver(over: PostgresDepositStore) {
  return createOpenDeposit({
    store: over,
    nextTransactionId: () => bench.store.nextTransactionId(),
    rails: [rail],
    clock: bench.clock,
    random: createSeededRandom('deposits'),
    onOpened: () => {},
    onProblem: () => {},
  });
}

function receiverOver(over: PostgresDepositStore) {
  return createReceiveTransfer({ store: over, merchants: { find }, compose, clock: bench.clock, onReceived: () => {} });
}

async function openOne(owner: Merchant, orderId: string, minor = 10_000n, over = store) {
  const payer = { userId: 'u1', firstName: 'José', lastName: 'Muñoz' };
  const money = { currency: 'MXN', minor } as const;
  return openerOver(over)({ merchant: owner, orderId, paymentType: 'spei', money, amountText: '100.00', payer });
}

async function opened(owner: Merchant, orderId: string, minor = 10_000n): Promise<Deposit> {
  const result = await openOne(owner, orderId, minor);
  assert.ok(result.ok);
  return result.value;
}

let keys = 0;
function transferTo(payTo: string, minor: bigint, change: Partial<IncomingTransfer> = {}): IncomingTransfer {
  const originator = { name: 'Ana', account: '0123', institution: '40012', concept: 'x', trackingKey: `K${keys}` };
  const transferKey = `K${keys++}/40012/20261121`;
  return {
    rail: rail.name,
    transferKey,
    payTo,
    money: { currency: 'MXN', minor },
    originator,
    bookedAt: NOON,
    ...change,
  };
}

async function mxn(merchantId: string, account: 'available' | 'suspense' | 'fees' | 'owed'): Promise<bigint> {
  return balanceOf(await bench.ledger.balances(merchantId, 'MXN'), account);
}

async function stateOf({ merchantId, transactionId }: Deposit) {
  const record = await store.record({ merchantId, transactionId });
  assert.ok(record);
  return { state: record.deposit.state, transfers: record.transfers.map(({ state, mismatch }) => [state, mismatch]) };
}

describe('opening deposits', () => {
  it('gives one success per order and no address twice, for a thousand at once over two stores', async () => {
    const owner = merchant('many');
    const orders = Array.from({ length: 1_000 }, (_, index) => `N${index < 900 ? index : index - 900}`);
    const results = await Promise.all(
      orders.map((orderId, index) => openOne(owner, orderId, 10_000n, index % 2 ? store : other)),
    );
    const successes = results.flatMap((result) => (result.ok ? [result.value] : []));
    assert.equal(successes.length, 900);
    assert.equal(new Set(successes.map(({ payTo }) => payTo)).size, 900);
    assert.equal(new Set(successes.map(({ orderId }) => orderId)).size, 900);
    assert.ok(results.every((result) => result.ok || result.error.kind === 'order_exists'));
  });

  it('gives an address that stood for nothing to the next deposit', async () => {
    const owner = merchant('again');
    await opened(owner, 'first');
    const before = await store.addressFill();
    for (let attempt = 0; attempt < 200; attempt++) assert.ok(!(await openOne(owner, 'first')).ok);
    assert.deepEqual(await store.addressFill(), before);
  });
});

describe('money that comes in', () => {
  it('makes the deposit succeed, less the fee, when it is what was asked for', async () => {
    const owner = merchant('exact', { 'fee_fixed.spei.MXN': '1.50' });
    const deposit = await opened(owner, 'N1');
    await receiverOver(store)(transferTo(deposit.payTo, 10_000n), 'notification');
    assert.deepEqual(await stateOf(deposit), { state: 'success', transfers: [['credited', null]] });
    assert.equal(await mxn('exact', 'available'), 9_850n);
    assert.equal(await mxn('exact', 'fees'), 150n);
  });

  it('counts once when it is told ten times at once', async () => {
    const deposit = await opened(merchant('ten'), 'N1');
    const transfer = transferTo(deposit.payTo, 10_000n);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => receiverOver(index % 2 ? store : other)(transfer, 'notification')),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === 'recorded').length, 1);
    assert.equal(await mxn('ten', 'available'), 10_000n);
  });

  it('counts once however notification and reconciliation race, a thousand times', async () => {
    const owner = merchant('race');
    const [notified, reconciled] = [receiverOver(store), receiverOver(other)];
    for (let round = 0; round < 50; round++) {
      const deposits = await Promise.all(Array.from({ length: 20 }, (_, index) => opened(owner, `R${round}-${index}`)));
      const transfers = deposits.map(({ payTo }) => transferTo(payTo, 10_000n));
      const outcomes = await Promise.all(
        transfers.flatMap((transfer) => [notified(transfer, 'notification'), reconciled(transfer, 'reconciliation')]),
      );
      assert.equal(outcomes.filter(({ kind }) => kind === 'recorded').length, 20);
    }
    assert.equal(await mxn('race', 'available'), 1_000n * 10_000n);
  });

  for (const [name, minor, mismatch] of [
    ['short', 9_999n, 'short'],
    ['over', 10_001n, 'over'],
  ] as const) {
    it(`is held when it is ${name} and the merchant wants it held`, async () => {
      const deposit = await opened(merchant(`hold-${name}`), 'N1');
      await receiverOver(store)(transferTo(deposit.payTo, minor), 'notification');
      assert.deepEqual(await stateOf(deposit), { state: 'pending', transfers: [['held', mismatch]] });
      assert.equal(await mxn(deposit.merchantId, 'suspense'), minor);
      assert.equal(await mxn(deposit.merchantId, 'available'), 0n);
    });

    it(`makes the deposit succeed with what came when it is ${name} and the merchant takes it`, async () => {
      const deposit = await opened(merchant(`credit-${name}`, { mismatch_policy: 'credit' }), 'N1');
      await receiverOver(store)(transferTo(deposit.payTo, minor), 'notification');
      assert.deepEqual(await stateOf(deposit), { state: 'success', transfers: [['credited', mismatch]] });
      assert.equal((await store.find(deposit))?.received, minor);
      assert.equal(await mxn(deposit.merchantId, 'available'), minor);
    });
  }

  it('is held when it comes twice, or credited beside the deposit with an event', async () => {
    const held = await opened(merchant('twice'), 'N1');
    for (const _ of [1, 2]) await receiverOver(store)(transferTo(held.payTo, 10_000n), 'notification');
    assert.deepEqual((await stateOf(held)).transfers, [
      ['credited', null],
      ['held', 'twice'],
    ]);
    const credited = await opened(merchant('twice-credit', { mismatch_policy: 'credit' }), 'N1');
    for (const _ of [1, 2]) await receiverOver(store)(transferTo(credited.payTo, 10_000n), 'notification');
    assert.equal(await mxn('twice-credit', 'available'), 20_000n);
    const events = await bench.owner.query(
      `select callback_id, subject from callbacks where merchant_id = 'twice-credit' order by subject`,
    );
    assert.deepEqual(
      events.rows.map(({ subject }) => subject),
      ['deposit', 'event'],
    );
  });

  it('to an address that stands for nothing lies in the operator’s suspense', async () => {
    const before = await mxn(OPERATOR_MERCHANT, 'suspense');
    await receiverOver(store)(transferTo('999999999999999999', 777n), 'notification');
    assert.equal(await mxn(OPERATOR_MERCHANT, 'suspense'), before + 777n);
    const held = await store.held(100);
    assert.ok(held.some(({ mismatch, merchantId }) => mismatch === 'unmatched' && merchantId === OPERATOR_MERCHANT));
  });

  it('pays what the merchant owes first', async () => {
    const deposit = await opened(merchant('owes'), 'N1');
    await bench.owner.query(
      `insert into ledger_accounts values ('owes', 'MXN', 'owed', -4000), ('owes', 'MXN', 'clearing:x', 4000);
       insert into ledger_transfers values ('owes', 'planted', 1, 'owed', 'MXN', 'owed', 'clearing:x', 4000, null, now())`,
    );
    await receiverOver(store)(transferTo(deposit.payTo, 10_000n), 'notification');
    assert.equal(await mxn('owes', 'owed'), 0n);
    assert.equal(await mxn('owes', 'available'), 6_000n);
  });
});

describe('deposits whose time is over', () => {
  it('fail after their grace, once, and money that comes later is late', async () => {
    const owner = merchant('over-time');
    const deposit = await opened(owner, 'N1');
    const ended: string[] = [];
    const parts = {
      store,
      merchants: { find },
      compose,
      clock: bench.clock,
      onEnded: (key: { merchantId: string }, { kind }: { kind: string }) => {
        if (key.merchantId === owner.merchantId) ended.push(kind);
      },
    };
    const signal = new AbortController().signal;
    bench.clock.advance(24 * HOUR_MS);
    await expireDeposits(parts, signal);
    assert.equal((await store.find(deposit))?.state, 'pending', 'within the grace it still waits');
    bench.clock.advance(72 * HOUR_MS);
    await Promise.all([expireDeposits(parts, signal), expireDeposits(parts, signal)]);
    assert.equal(ended.filter((kind) => kind === 'settled').length, 1);
    const failed = await store.find(deposit);
    assert.deepEqual([failed?.state, failed?.failReason], ['fail', 'expired']);
    await receiverOver(store)(transferTo(deposit.payTo, 10_000n, { bookedAt: bench.clock.now() }), 'notification');
    assert.deepEqual(await stateOf(deposit), { state: 'fail', transfers: [['held', 'late']] });
  });
});

describe('the invariants of deposits', () => {
  it('are each found broken when somebody breaks them', async () => {
    const client = await bench.owner.connect();
    for (const [name, breaking] of Object.entries(DEPOSIT_BREAKS)) {
      const sql = INVARIANTS.find((invariant) => invariant.name === name)?.sql;
      assert.ok(sql, name);
      assert.deepEqual((await client.query(sql)).rows, [], `${name} holds before`);
      await client.query(`begin; ${breaking}`);
      assert.notDeepEqual((await client.query(sql)).rows, [], `${name} is found broken`);
      await client.query('rollback');
    }
    client.release();
  });
});
