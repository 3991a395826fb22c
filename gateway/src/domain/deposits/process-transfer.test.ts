import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DepositBench, openDepositBench } from '../../../test/support/deposits/stored-deposits.ts';
import { NOON, plainCallbacks } from '../../../test/support/payouts/stored-payouts.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { createDifferenceStore } from '../../storage/differences/difference-store.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type SettlePayout, settlePayout } from '../payouts/settle-payout.ts';
import type { Deposit, IncomingTransfer } from './deposit.ts';
import { type ProcessTransfer, processTransfer } from './process-transfer.ts';

describe('a returned order', () => {
  let bench: DepositBench;
  let settle: SettlePayout;
  let take: ProcessTransfer;
  let merchants = 0;

  before(async () => {
    bench = await openDepositBench();
    settle = withParts(settlePayout, {
      store: bench.payouts,
      merchants: bench.parts.merchants,
      compose: plainCallbacks,
      onSettled: () => {},
    });
    const receive = bench.receiverOver(bench.store);
    const differences = createDifferenceStore(bench.database);
    take = withParts(processTransfer, { payouts: bench.payouts, settle, receive, differences, clock: bench.clock });
  });
  after(() => bench.close());

  interface Returned {
    readonly owner: Merchant;
    readonly deposit: Deposit;
    readonly payout: PayoutKey;
    readonly reference: string;
  }

  /** A deposit of 100.00 whose payer sent 40.00. The 40.00 were held, and a return sent them back to their bank. */
  async function returned(): Promise<Returned> {
    const owner = bench.merchant(`T${++merchants}`);
    const deposit = await bench.opened(owner, 'N1');
    const paid = bench.transferTo(deposit.payTo, 4_000n);
    await take(paid, 'notification');
    const payout = await bench.returnTransfer(paid);
    assert.ok(payout.ok);
    const reference = `${merchants}-AbCd1234`;
    await bench.owner.query('insert into rail_references values ($1, $2, $3, $4)', [
      paid.rail,
      reference,
      payout.value.merchantId,
      payout.value.payoutId,
    ]);
    await settle(payout.value, null, { event: 'executed', rail: paid.rail, detail: '', actor: paid.rail, at: NOON });
    assert.equal(await bench.mxn(owner.merchantId, 'suspense'), 0n);
    return { owner, deposit, payout: payout.value, reference };
  }

  const back = ({ deposit }: Returned, returnOf: string, minor = 4_000n): IncomingTransfer =>
    bench.transferTo(deposit.payTo, minor, { returnOf });

  const stateOf = async ({ owner, deposit }: Returned) => {
    const { state, transfers } = await bench.stateOf(deposit);
    return { state, transfers, suspense: await bench.mxn(owner.merchantId, 'suspense') };
  };

  it('a return that its bank sent back is held again once, even after repeated and concurrent notifications', async () => {
    const scene = await returned();
    const transfer = back(scene, scene.reference);
    const taken = await Promise.all(Array.from({ length: 10 }, () => take(transfer, 'notification')));
    assert.equal(taken.filter(({ kind }) => kind === 'recorded').length, 1);
    assert.equal((await take(transfer, 'reconciliation')).kind, 'known');
    assert.deepEqual(await stateOf(scene), { state: 'pending', transfers: [['held', 'short']], suspense: 4_000n });
  });

  it('a reversed return is counted once if its bank had already reported the reversal', async () => {
    const scene = await returned();
    await settle(scene.payout, null, {
      event: 'reversed',
      rail: 'test-rail',
      detail: '',
      actor: 'test-rail',
      at: NOON,
    });
    assert.equal((await take(back(scene, scene.reference), 'reconciliation')).kind, 'known');
    assert.equal((await stateOf(scene)).suspense, 4_000n);
  });

  it('a returned order that the gateway does not have is held in the operator’s suspense and does not pay a deposit', async () => {
    const scene = await returned();
    for (const [transfer, held] of [
      [back(scene, '', 10_000n), 10_000n],
      [back(scene, '999-AbCd1234', 10_000n), 20_000n],
    ] as const) {
      assert.equal((await take(transfer, 'notification')).kind, 'recorded');
      assert.equal((await take(transfer, 'notification')).kind, 'known');
      assert.equal(await bench.mxn('operator', 'suspense'), held);
    }
    assert.deepEqual(await stateOf(scene), { state: 'pending', transfers: [['returned', 'short']], suspense: 0n });
  });

  it('a returned order with its amount in a different currency is held for the operator', async () => {
    const scene = await returned();
    const inDollars = { ...back(scene, scene.reference), money: { currency: 'USD', minor: 4_000n } } as const;
    assert.equal((await take(inDollars, 'notification')).kind, 'recorded');
    assert.deepEqual((await stateOf(scene)).suspense, 0n);
    assert.deepEqual((await stateOf(scene)).transfers, [['returned', 'short']]);
  });

  it('a returned order with a different amount is held for the operator', async () => {
    const scene = await returned();
    const before = await bench.mxn('operator', 'suspense');
    assert.equal((await take(back(scene, scene.reference, 4_001n), 'notification')).kind, 'recorded');
    assert.equal(await bench.mxn('operator', 'suspense'), before + 4_001n);
    assert.deepEqual((await stateOf(scene)).transfers, [['returned', 'short']]);
  });
});

describe('a transfer with the key of another transfer', () => {
  let bench: DepositBench;
  let take: ProcessTransfer;

  before(async () => {
    bench = await openDepositBench();
    const settle = () => assert.fail('no payout was expected');
    take = withParts(processTransfer, {
      payouts: bench.payouts,
      settle,
      receive: bench.receiverOver(bench.store),
      differences: createDifferenceStore(bench.database),
      clock: bench.clock,
    });
  });
  after(() => bench.close());

  it('a transfer with a recorded key but another address is held once, and does not pay a deposit', async () => {
    const owner = bench.merchant('keys', { mismatch_policy: 'credit' });
    const [first, second] = [await bench.opened(owner, 'N1'), await bench.opened(owner, 'N2')];
    const paid = bench.transferTo(first.payTo, 10_000n);
    assert.equal((await take(paid, 'notification')).kind, 'recorded');
    const namesake = { ...paid, payTo: second.payTo };
    const taken = await Promise.all([1, 2, 3].map(() => take(namesake, 'notification')));
    assert.equal(taken.filter(({ kind }) => kind === 'recorded').length, 1);
    assert.equal((await take(namesake, 'reconciliation')).kind, 'known');
    assert.equal(await bench.mxn('operator', 'suspense'), 10_000n);
    assert.equal(await bench.mxn('keys', 'available'), 10_000n);
    assert.equal((await bench.stateOf(second)).state, 'pending');
  });

  it('a repeated report of a transfer with a different amount or currency does not record a second transfer and opens a difference', async () => {
    const deposit = await bench.opened(bench.merchant('differs'), 'N1');
    const paid = bench.transferTo(deposit.payTo, 10_000n);
    await take(paid, 'notification');
    for (const money of [
      { currency: 'USD', minor: 10_000n },
      { currency: 'MXN', minor: 10_001n },
    ] as const)
      assert.equal((await take({ ...paid, money }, 'reconciliation')).kind, 'known');
    await take(paid, 'reconciliation');
    assert.equal(await bench.mxn('differs', 'available'), 10_000n);
    const filter = { rail: paid.rail, day: null, kind: 'transfer_amount', openOnly: true } as const;
    const kept = await createDifferenceStore(bench.database).list(filter);
    assert.deepEqual(
      kept.map(({ subject, ours, theirs }) => [subject, ours, theirs]),
      [[paid.transferKey, '100.00 MXN', '100.00 USD']],
    );
  });

  it('a transfer to an address outside our prefix is returned, even if its key is recorded', async () => {
    const deposit = await bench.opened(bench.merchant('foreign'), 'N1');
    const paid = bench.transferTo(deposit.payTo, 10_000n);
    await take(paid, 'notification');
    const taken = await take({ ...paid, payTo: '012180099999999998' }, 'notification', 'sent_back');
    assert.deepEqual([taken.kind, taken.isSentBack], ['recorded', true]);
  });
});
