import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DepositBench, openDepositBench, STORE_OPTIONS } from '../../../test/support/deposits/stored-deposits.ts';
import { DEPOSIT_BREAKS } from '../../../test/support/postgres/invariant-breaks.ts';
import type { Deposit } from '../../domain/deposits/deposit.ts';
import { expireDeposits } from '../../domain/deposits/expire-deposits.ts';
import { OPERATOR_MERCHANT } from '../../domain/merchants/merchant.ts';
import type { Recovery } from '../../domain/recovery/recovery.ts';
import { DAY_MS, HOUR_MS } from '../../foundation/clock.ts';
import { openDatabase } from '../core/database.ts';
import { INVARIANTS, verifyInvariants } from '../invariants/verify-invariants.ts';
import { createDepositStore, type PostgresDepositStore } from './deposit-store.ts';

/** Of twenty races each. */
const ROUNDS = 20;

let bench: DepositBench;
let other: PostgresDepositStore;
let otherDatabase: ReturnType<typeof openDatabase>;

before(async () => {
  bench = await openDepositBench();
  otherDatabase = openDatabase(bench.config, { poolSize: 4 });
  other = createDepositStore(otherDatabase, bench.clock, STORE_OPTIONS);
});

after(async () => {
  const broken = (await verifyInvariants(bench.database)).filter(({ holds }) => !holds);
  await otherDatabase.close();
  await bench.close();
  assert.deepEqual(broken, []);
});

/** A request for an order that no unsigned form holds. */
const opening = (deposit: Deposit) => ({ deposit, displace: () => assert.fail() });

describe('opening deposits', () => {
  it('a thousand concurrent deposits over two stores succeed once per order, without a duplicate address', async () => {
    const owner = bench.merchant('many');
    const orders = Array.from({ length: 1_000 }, (_, index) => `N${index < 900 ? index : index - 900}`);
    const results = await Promise.all(
      orders.map((orderId, index) => bench.open(owner, orderId, 10_000n, index % 2 ? bench.store : other)),
    );
    const successes = results.flatMap((result) => (result.ok ? [result.value] : []));
    assert.equal(successes.length, 900);
    assert.equal(new Set(successes.map(({ payTo }) => payTo)).size, 900);
    assert.equal(new Set(successes.map(({ orderId }) => orderId)).size, 900);
    assert.ok(results.every((result) => result.ok || result.error.kind === 'order_exists'));
  });

  it('a batch rejects each deposit whose address belongs to another deposit, and opens the rest', async () => {
    const first = await bench.opened(bench.merchant('owner'), 'N1');
    bench.merchant('stranger');
    const alike = async (merchantId: string, orderId: string, payTo: string) => {
      const transactionId = await bench.payouts.nextTransactionId();
      const uuid = `00000000-0000-4000-8000-${String(transactionId).padStart(12, '0')}`;
      return opening({ ...first, merchantId, orderId, payTo, transactionId, uuid });
    };
    const outcomes = await Promise.allSettled([
      bench.store.open(await alike('stranger', 'S1', first.payTo)),
      bench.store.open(await alike('owner', 'N2', first.payTo)),
      bench.store.open(await alike('stranger', 'S2', '000000000000999999')),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    );
    const { merchantId, transactionId } = first;
    assert.deepEqual(await bench.store.findByAddress(first.payTo), { merchantId, transactionId });
    assert.equal(await bench.store.findByOrder('stranger', 'S1'), undefined);
  });

  it('a merchant gets an old address back after 180 days when no new address is left', async () => {
    const first = await bench.opened(bench.merchant('resting'), 'N1');
    const usedUp = createDepositStore(bench.database, bench.clock, STORE_OPTIONS);
    const take = (merchantId: string, at: number) =>
      usedUp.allocateAddress({ capacity: 0, addressOf: () => assert.fail('a new address') }, merchantId, at);
    const rested = first.closesAt + 180 * DAY_MS;
    assert.deepEqual(
      [await take('resting', rested - 1), await take('owner', bench.clock.now())],
      [undefined, undefined],
    );
    const taken = await Promise.all(Array.from({ length: 5 }, () => take('resting', rested)));
    assert.deepEqual(taken.toSorted(), [first.payTo, undefined, undefined, undefined, undefined]);
    const transactionId = await bench.payouts.nextTransactionId();
    const uuid = '00000000-0000-4000-9000-000000000000';
    const second = { ...first, orderId: 'N2', transactionId, uuid };
    assert.deepEqual(await usedUp.open(opening(second)), { kind: 'opened', displaced: null });
    assert.deepEqual(await usedUp.findByAddress(first.payTo), { merchantId: 'resting', transactionId });
  });

  it('an address released without a deposit goes to the next deposit', async () => {
    const owner = bench.merchant('again');
    await bench.opened(owner, 'first');
    const before = await bench.store.addressesUsed();
    for (let attempt = 0; attempt < 200; attempt++) assert.ok(!(await bench.open(owner, 'first')).ok);
    assert.deepEqual(await bench.store.addressesUsed(), before);
  });
});

describe('an incoming transfer', () => {
  it('a transfer of the exact amount completes its deposit and credits the amount minus the fee', async () => {
    const owner = bench.merchant('exact', { 'fee_fixed.spei.MXN': '1.50' });
    const deposit = await bench.opened(owner, 'N1');
    await bench.receiverOver(bench.store)(bench.transferTo(deposit.payTo, 10_000n), 'notification');
    assert.deepEqual(await bench.stateOf(deposit), { state: 'success', transfers: [['credited', null]] });
    assert.equal(await bench.mxn('exact', 'available'), 9_850n);
    assert.equal(await bench.mxn('exact', 'fees'), 150n);
  });

  it('a transfer notified ten times concurrently is recorded once', async () => {
    const deposit = await bench.opened(bench.merchant('ten'), 'N1');
    const transfer = bench.transferTo(deposit.payTo, 10_000n);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        bench.receiverOver(index % 2 ? bench.store : other)(transfer, 'notification'),
      ),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === 'recorded').length, 1);
    assert.equal(await bench.mxn('ten', 'available'), 10_000n);
  });

  it('a transfer is recorded once in many races between its notification and reconciliation', async () => {
    const owner = bench.merchant('race');
    const [notified, reconciled] = [bench.receiverOver(bench.store), bench.receiverOver(other)];
    for (let round = 0; round < ROUNDS; round++) {
      const deposits = await Promise.all(
        Array.from({ length: 20 }, (_, index) => bench.opened(owner, `R${round}-${index}`)),
      );
      const transfers = deposits.map(({ payTo }) => bench.transferTo(payTo, 10_000n));
      const outcomes = await Promise.all(
        transfers.flatMap((transfer) => [notified(transfer, 'notification'), reconciled(transfer, 'reconciliation')]),
      );
      assert.equal(outcomes.filter(({ kind }) => kind === 'recorded').length, 20);
    }
    assert.equal(await bench.mxn('race', 'available'), BigInt(ROUNDS * 20) * 10_000n);
  });

  for (const [name, minor, mismatch] of [
    ['short', 9_999n, 'short'],
    ['over', 10_001n, 'over'],
  ] as const) {
    it(`a transfer with mismatch ${name} is held under the policy hold`, async () => {
      const deposit = await bench.opened(bench.merchant(`hold-${name}`), 'N1');
      await bench.receiverOver(bench.store)(bench.transferTo(deposit.payTo, minor), 'notification');
      assert.deepEqual(await bench.stateOf(deposit), { state: 'pending', transfers: [['held', mismatch]] });
      assert.equal(await bench.mxn(deposit.merchantId, 'suspense'), minor);
      assert.equal(await bench.mxn(deposit.merchantId, 'available'), 0n);
    });

    it(`a transfer with mismatch ${name} completes its deposit with the received amount under the policy credit`, async () => {
      const deposit = await bench.opened(bench.merchant(`credit-${name}`, { mismatch_policy: 'credit' }), 'N1');
      await bench.receiverOver(bench.store)(bench.transferTo(deposit.payTo, minor), 'notification');
      assert.deepEqual(await bench.stateOf(deposit), { state: 'success', transfers: [['credited', mismatch]] });
      assert.equal((await bench.store.find(deposit))?.received, minor);
      assert.equal(await bench.mxn(deposit.merchantId, 'available'), minor);
    });
  }

  it('a duplicate payment is held, or credited with an event under the policy credit', async () => {
    const held = await bench.opened(bench.merchant('twice'), 'N1');
    for (const _ of [1, 2])
      await bench.receiverOver(bench.store)(bench.transferTo(held.payTo, 10_000n), 'notification');
    assert.deepEqual((await bench.stateOf(held)).transfers, [
      ['credited', null],
      ['held', 'twice'],
    ]);
    const credited = await bench.opened(bench.merchant('twice-credit', { mismatch_policy: 'credit' }), 'N1');
    for (const _ of [1, 2])
      await bench.receiverOver(bench.store)(bench.transferTo(credited.payTo, 10_000n), 'notification');
    assert.equal(await bench.mxn('twice-credit', 'available'), 20_000n);
    const events = await bench.owner.query(
      `select callback_id, subject from callbacks where merchant_id = 'twice-credit' order by subject`,
    );
    assert.deepEqual(
      events.rows.map(({ subject }) => subject),
      ['deposit', 'event'],
    );
  });

  it('a transfer to an unknown address is held in the operator’s suspense', async () => {
    const before = await bench.mxn(OPERATOR_MERCHANT, 'suspense');
    await bench.receiverOver(bench.store)(bench.transferTo('999999999999999999', 777n), 'notification');
    assert.equal(await bench.mxn(OPERATOR_MERCHANT, 'suspense'), before + 777n);
    const held = await bench.records.held(100);
    const unmatched = held.find(({ mismatch }) => mismatch === 'unmatched');
    assert.deepEqual([unmatched?.merchantId, unmatched?.orderId], [OPERATOR_MERCHANT, null]);
  });

  it('a transfer repays the merchant’s debt first', async () => {
    const deposit = await bench.opened(bench.merchant('owes'), 'N1');
    await bench.owner.query(
      `insert into ledger_accounts values ('owes', 'MXN', 'owed', -4000), ('owes', 'MXN', 'clearing:x', 4000);
       insert into ledger_transfers values ('owes', 'planted', 1, 'owed', 'MXN', 'owed', 'clearing:x', 4000, null, now())`,
    );
    await bench.receiverOver(bench.store)(bench.transferTo(deposit.payTo, 10_000n), 'notification');
    assert.equal(await bench.mxn('owes', 'owed'), 0n);
    assert.equal(await bench.mxn('owes', 'available'), 6_000n);
  });
});

describe('expired deposits', () => {
  it('an expired deposit fails once after its grace period, and a later transfer is a late payment', async () => {
    const owner = bench.merchant('over-time');
    const deposit = await bench.opened(owner, 'N1');
    const ended: string[] = [];
    const parts = {
      ...bench.parts,
      store: bench.store,
      onEnded: (key: { merchantId: string }, { kind }: { kind: string }) => {
        if (key.merchantId === owner.merchantId) ended.push(kind);
      },
    };
    const signal = new AbortController().signal;
    bench.clock.advance(24 * HOUR_MS);
    await expireDeposits(parts, signal);
    assert.equal((await bench.store.find(deposit))?.state, 'pending', 'a deposit stays pending during its grace');
    bench.clock.advance(72 * HOUR_MS);
    await Promise.all([expireDeposits(parts, signal), expireDeposits(parts, signal)]);
    assert.equal(ended.filter((kind) => kind === 'settled').length, 1);
    const failed = await bench.store.find(deposit);
    assert.deepEqual([failed?.state, failed?.failReason], ['fail', 'expired']);
    await bench.receiverOver(bench.store)(
      bench.transferTo(deposit.payTo, 10_000n, { bookedAt: bench.clock.now() }),
      'notification',
    );
    assert.deepEqual(await bench.stateOf(deposit), { state: 'fail', transfers: [['held', 'late']] });
  });

  it('an expired deposit stays open during a recovery, and succeeds by a transfer found on a provider’s list', async () => {
    const deposit = await bench.opened(bench.merchant('forgotten'), 'N1');
    const bookedAt = deposit.closesAt - HOUR_MS;
    bench.clock.advance(deposit.closesAt + HOUR_MS - bench.clock.now());
    const startedAt = bench.clock.now();
    const recovery: Recovery = {
      startedAt,
      knownUntil: bookedAt - HOUR_MS,
      startedBy: 'Ann',
      reason: 'a dead disk',
      completed: null,
      rails: [],
    };
    const later = await bench.opened(bench.merchant('after-the-restore'), 'N1');
    bench.clock.advance(later.closesAt - bench.clock.now());
    const ending = { ...bench.parts, store: bench.store, onEnded: () => {}, recovery: async () => recovery };
    await expireDeposits(ending, new AbortController().signal);
    await bench.receiverOver(bench.store)(bench.transferTo(deposit.payTo, 10_000n, { bookedAt }), 'reconciliation');
    assert.deepEqual(await bench.stateOf(deposit), { state: 'success', transfers: [['credited', null]] });
    assert.equal((await bench.stateOf(later)).state, 'fail', 'a deposit opened after the restore expires as usual');
  });
});

describe('the invariants of deposits', () => {
  it('each deposit invariant detects a planted violation', async () => {
    const short = (await bench.records.held(100)).find(({ merchantId }) => merchantId === 'hold-short');
    assert.equal(short?.orderId, 'N1');
    const returned = await bench.returnTransfer(short);
    assert.ok(returned.ok);
    const client = await bench.owner.connect();
    for (const [name, breaking] of Object.entries(DEPOSIT_BREAKS)) {
      const sql = INVARIANTS.find((invariant) => invariant.name === name)?.sql;
      assert.ok(sql, name);
      assert.deepEqual((await client.query(sql)).rows, [], `${name} holds before the change`);
      await client.query(`begin; ${breaking}`);
      assert.notDeepEqual((await client.query(sql)).rows, [], `${name} detects the change`);
      await client.query('rollback');
    }
    client.release();
  });
});
