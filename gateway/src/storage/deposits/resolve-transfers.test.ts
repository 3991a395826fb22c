import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DepositBench, openDepositBench } from '../../../test/support/deposits/stored-deposits.ts';
import { reportOf } from '../../../test/support/payouts/stored-payouts.ts';
import type { RecordedTransfer } from '../../domain/deposits/deposit.ts';
import { OPERATOR_MERCHANT } from '../../domain/merchants/merchant.ts';
import type { PayoutEvent } from '../../domain/payouts/payout.ts';
import { settlePayout } from '../../domain/payouts/settle-payout.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { verifyInvariants } from '../invariants/verify-invariants.ts';

const NO_DEPOSIT = '999999999999999999';

let bench: DepositBench;

before(async () => {
  bench = await openDepositBench();
  bench.merchant(OPERATOR_MERCHANT);
});

after(async () => {
  const broken = (await verifyInvariants(bench.database)).filter(({ holds }) => !holds);
  await bench.close();
  assert.deepEqual(broken, []);
});

async function received(payTo: string, minor: bigint): Promise<RecordedTransfer> {
  const transfer = bench.transferTo(payTo, minor);
  await bench.receiverOver(bench.store)(transfer, 'notification');
  return again(transfer);
}

async function again(id: Pick<RecordedTransfer, 'rail' | 'transferKey'>): Promise<RecordedTransfer> {
  const found = await bench.store.findTransfer(id);
  assert.ok(found);
  return found;
}

async function report({ merchantId, payoutId }: PayoutKey, event: PayoutEvent): Promise<void> {
  const mustNotCompose = () => assert.fail('a return needs no callback');
  const compose = { payout: mustNotCompose, event: mustNotCompose, refund: mustNotCompose };
  const { merchants } = bench.parts;
  const toGate = withParts(settlePayout, { store: bench.payouts, merchants, compose, onSettled: () => {} });
  await toGate({ merchantId, payoutId }, null, reportOf(event));
}

/** Sends the return to its bank, which has not responded. */
async function returned(id: RecordedTransfer): Promise<PayoutKey> {
  const outcome = await bench.returnTransfer(id);
  assert.ok(outcome.ok);
  await bench.attempt(outcome.value.merchantId, outcome.value.payoutId);
  return outcome.value;
}

describe('held money that the operator credits', () => {
  it('crediting a held shortfall completes its open deposit with the amount minus the fee', async () => {
    const deposit = await bench.opened(bench.merchant('short', { 'fee_fixed.spei.MXN': '1' }), 'N1');
    const held = await received(deposit.payTo, 4_000n);
    const outcome = await bench.resolve(held);
    assert.ok(outcome.ok);
    assert.deepEqual([outcome.value.state, outcome.value.received, outcome.value.fee], ['success', 4_000n, 100n]);
    assert.deepEqual([await bench.mxn('short', 'available'), await bench.mxn('short', 'suspense')], [3_900n, 0n]);
    const { state, resolution } = await again(held);
    assert.deepEqual([state, resolution], ['credited', 'the payer wrote']);
  });

  it('crediting held money does not cost a fee beyond the credited amount', async () => {
    const deposit = await bench.opened(bench.merchant('fee-above', { 'fee_fixed.spei.MXN': '50' }), 'N1');
    const outcome = await bench.resolve(await received(deposit.payTo, 4_000n));
    assert.ok(outcome.ok);
    assert.deepEqual([outcome.value.received, outcome.value.fee], [4_000n, 4_000n]);
    assert.deepEqual([await bench.mxn('fee-above', 'available'), await bench.mxn('fee-above', 'fees')], [0n, 4_000n]);
  });

  it('held money for a final deposit is credited without a change of its state', async () => {
    const deposit = await bench.opened(bench.merchant('beside'), 'N1');
    await received(deposit.payTo, 10_000n);
    const second = await received(deposit.payTo, 10_000n);
    assert.equal((await bench.resolve(second)).ok, true);
    assert.equal(await bench.mxn('beside', 'available'), 20_000n);
    const { rows } = await bench.owner.query(
      "select subject, state from callbacks where merchant_id = 'beside' order by subject",
    );
    assert.deepEqual(rows, [
      { subject: 'deposit', state: 'due' },
      { subject: 'event', state: 'due' },
    ]);
  });

  it('held money of an unknown address moves from the operator’s suspense to the deposit that the operator chooses', async () => {
    const before = await bench.mxn(OPERATOR_MERCHANT, 'suspense');
    const deposit = await bench.opened(bench.merchant('meant'), 'N1');
    const held = await received(NO_DEPOSIT, 10_000n);
    assert.deepEqual(await bench.resolve(held), { ok: false, error: { kind: 'deposit_missing' } });
    const nobody = await bench.resolve(held, { merchantId: 'meant', orderId: 'N2' });
    assert.deepEqual(nobody, { ok: false, error: { kind: 'deposit_not_found' } });
    assert.equal((await bench.resolve(held, { merchantId: 'meant', orderId: 'N1' })).ok, true);
    assert.equal(await bench.mxn(OPERATOR_MERCHANT, 'suspense'), before);
    assert.equal(await bench.mxn('meant', 'available'), 10_000n);
    assert.deepEqual(await bench.stateOf(deposit), { state: 'success', transfers: [['credited', null]] });
    const { merchantId, transactionId } = await again(held);
    assert.deepEqual([merchantId, transactionId], ['meant', deposit.transactionId]);
  });

  it('a replayed notification finds its transfer after the money moved to another merchant', async () => {
    await bench.opened(bench.merchant('other'), 'N1');
    const transfer = bench.transferTo(NO_DEPOSIT, 500n);
    await bench.receiverOver(bench.store)(transfer, 'notification');
    await bench.resolve(transfer, { merchantId: 'other', orderId: 'N1' });
    assert.equal((await bench.receiverOver(bench.store)(transfer, 'reconciliation')).kind, 'known');
  });

  it('a credit is rejected for a transfer that is not held', async () => {
    const deposit = await bench.opened(bench.merchant('refusals'), 'N1');
    const credited = await received(deposit.payTo, 10_000n);
    assert.deepEqual(await bench.resolve(credited), { ok: false, error: { kind: 'not_held', state: 'credited' } });
    assert.deepEqual(await bench.returnTransfer(credited), {
      ok: false,
      error: { kind: 'not_held', state: 'credited' },
    });
    const unknown = { rail: 'test-rail', transferKey: 'nothing' };
    assert.deepEqual(await bench.resolve(unknown), { ok: false, error: { kind: 'transfer_not_found' } });
  });
});

describe('held money that the operator returns', () => {
  it('returned money stays reserved until its bank executes the return', async () => {
    const deposit = await bench.opened(bench.merchant('back'), 'N1');
    const held = await received(deposit.payTo, 4_000n);
    const payout = await returned(held);
    assert.deepEqual([await bench.mxn('back', 'suspense'), await bench.mxn('back', 'reserved')], [0n, 4_000n]);
    assert.equal((await again(held)).state, 'returning');
    assert.deepEqual(await bench.returnTransfer(held), { ok: false, error: { kind: 'not_held', state: 'returning' } });
    assert.deepEqual(await bench.resolve(held), { ok: false, error: { kind: 'not_held', state: 'returning' } });
    await report(payout, 'executed');
    assert.equal((await again(held)).state, 'returned');
    assert.deepEqual([await bench.mxn('back', 'suspense'), await bench.mxn('back', 'reserved')], [0n, 0n]);
    assert.equal(
      (await bench.stateOf(deposit)).state,
      'pending',
      'a deposit whose money was returned can still be paid',
    );
  });

  it('returned money is held again when its bank declines the return, and can be returned again or credited', async () => {
    const deposit = await bench.opened(bench.merchant('refused'), 'N1');
    const held = await received(deposit.payTo, 4_000n);
    await report(await returned(held), 'declined');
    assert.equal((await again(held)).state, 'held');
    assert.equal(await bench.mxn('refused', 'suspense'), 4_000n);
    await report(await returned(held), 'declined');
    assert.equal((await bench.resolve(held)).ok, true);
    assert.equal(await bench.mxn('refused', 'available'), 4_000n);
  });

  it('the merchant pays for a return that executes after its money was credited, and other held money stays', async () => {
    const owner = bench.merchant('overtaken');
    const other = await bench.opened(owner, 'N2');
    await received(other.payTo, 7_000n);
    const held = await received((await bench.opened(owner, 'N1')).payTo, 4_000n);
    const payout = await returned(held);
    await report(payout, 'declined');
    assert.equal((await bench.resolve(held)).ok, true);
    const money = async () => [await bench.mxn('overtaken', 'available'), await bench.mxn('overtaken', 'suspense')];
    assert.deepEqual(await money(), [4_000n, 7_000n]);
    await report(payout, 'executed');
    assert.deepEqual(await money(), [0n, 7_000n]);
    await report(payout, 'reversed');
    assert.deepEqual(await money(), [4_000n, 7_000n]);
    assert.equal((await again(held)).state, 'credited');
  });

  it('the merchant pays when two returns of the same money are executed', async () => {
    const deposit = await bench.opened(bench.merchant('doubled'), 'N1');
    const [other, held] = [await received(deposit.payTo, 7_000n), await received(deposit.payTo, 4_000n)];
    const first = await returned(held);
    await report(first, 'declined');
    const second = await returned(held);
    await report(first, 'executed');
    await report(second, 'executed');
    assert.deepEqual([await bench.mxn('doubled', 'suspense'), await bench.mxn('doubled', 'owed')], [7_000n, -4_000n]);
    assert.deepEqual([(await again(held)).state, (await again(other)).state], ['returned', 'held']);
  });

  it('returned money is held again when the originator’s bank reverses the return', async () => {
    const deposit = await bench.opened(bench.merchant('reversed'), 'N1');
    const held = await received(deposit.payTo, 4_000n);
    const payout = await returned(held);
    await report(payout, 'executed');
    await report(payout, 'reversed');
    assert.equal((await again(held)).state, 'held');
    assert.equal(await bench.mxn('reversed', 'suspense'), 4_000n);
    await report(await returned(held), 'executed');
    assert.equal((await again(held)).state, 'returned');
    assert.equal(await bench.mxn('reversed', 'suspense'), 0n);
  });

  it('a declined return that its bank executes late is returned', async () => {
    const deposit = await bench.opened(bench.merchant('late-return'), 'N1');
    const held = await received(deposit.payTo, 4_000n);
    const payout = await returned(held);
    await report(payout, 'declined');
    await report(payout, 'executed');
    assert.equal((await again(held)).state, 'returned');
    assert.equal(await bench.mxn('late-return', 'suspense'), 0n);
  });

  it('the id of a return contains the transfer and the number of the return, so that it is the same after a restore', async () => {
    const deposit = await bench.opened(bench.merchant('named-return'), 'N1');
    const held = await received(deposit.payTo, 4_000n);
    const first = await returned(held);
    assert.equal(first.payoutId, `return:${held.transferKey}:1`);
    await report(first, 'declined');
    assert.equal((await again(held)).state, 'held');
    const second = await returned(held);
    assert.equal(second.payoutId, `return:${held.transferKey}:2`);
    await report(second, 'executed');
  });

  it('held money is either credited or returned, even if many operators act concurrently', async () => {
    const owner = bench.merchant('both');
    for (let round = 0; round < 10; round++) {
      const deposit = await bench.opened(owner, `N${round}`);
      const held = await received(deposit.payTo, 4_000n);
      const decided = await Promise.all([
        bench.resolve(held),
        bench.returnTransfer(held),
        bench.returnTransfer(held),
        bench.resolve(held),
      ]);
      assert.equal(decided.filter(({ ok }) => ok).length, 1);
    }
    const [available, reserved] = [await bench.mxn('both', 'available'), await bench.mxn('both', 'reserved')];
    assert.equal(available + reserved, 40_000n);
  });

  it('a return does not cause a callback and is absent from the merchant’s list of payouts', async () => {
    const deposit = await bench.opened(bench.merchant('silent'), 'N1');
    const payout = await returned(await received(deposit.payTo, 4_000n));
    await report(payout, 'executed');
    const period = { from: 0, to: Number.MAX_SAFE_INTEGER / 1_000 };
    const query = {
      merchantId: 'silent',
      currency: 'MXN',
      payoutId: null,
      state: 'all',
      after: null,
      limit: 10,
    } as const;
    assert.deepEqual(await bench.payouts.list({ ...query, ...period }), []);
    const { rows } = await bench.owner.query("select from callbacks where merchant_id = 'silent'");
    assert.equal(rows.length, 0);
  });
});
