import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import {
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
  reportOf,
} from '../../../../test/support/payouts/stored-payouts.ts';
import type { ClaimedPayout } from '../../../domain/payouts/payout-job-store.ts';
import { type PayoutReport, planSettlement } from '../../../domain/payouts/plan-settlement.ts';
import type { Database, Queryable } from '../../core/database.ts';
import { verifyInvariants } from '../../invariants/verify-invariants.ts';
import { settlePayouts } from './settle-payouts.ts';

let bench: PayoutBench;

before(async () => {
  bench = await openPayoutBench();
});

after(() => bench.close());

/**
 * The bench's database, in which `meanwhile` runs concurrently just before the first write of a settlement, with or without the
 * merchants' locks.
 */
function interrupted(written: 'held' | 'unheld', meanwhile: () => Promise<unknown>): Database {
  let isFirst = true;
  const beforeSettling = (inner: Queryable): Queryable => ({
    query: (...call) => inner.query(...call),
    prepared: async (name, text, values) => {
      if (name === 'settle-payouts' && isFirst) {
        isFirst = false;
        await meanwhile();
      }
      return inner.prepared(name, text, values);
    },
  });
  return written === 'unheld'
    ? { ...bench.database, ...beforeSettling(bench.database) }
    : {
        ...bench.database,
        transaction: (work) => bench.database.transaction((transaction) => work(beforeSettling(transaction))),
      };
}

const OPTIONS = { vaultRetentionMs: 1 };

function request(payoutId: string, event: PayoutReport['event']) {
  const merchant = merchantNamed('batch', { eventUrl: 'http://127.0.0.1:1/events' });
  const plan = (facts: Parameters<typeof planSettlement>[0]) =>
    planSettlement(facts, reportOf(event), { merchant, compose: plainCallbacks });
  return { merchantId: 'batch', payoutId, fence: null, plan };
}

it('a batch of settlements returns each outcome even if one of them must be planned again', async () => {
  await bench.fund('batch', 100n);
  await bench.store.accept(await bench.newPayout('batch', 'sent', 10n));
  await bench.attempt('batch', 'sent');
  await bench.store.accept(await bench.newPayout('batch', 'recalled', 10n, { rail: 'another_rail' }));
  const outcomes = await settlePayouts(
    interrupted('held', () => bench.attempt('batch', 'recalled')),
    OPTIONS,
    [request('sent', 'executed'), request('recalled', 'cancelled')],
  );
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['settled', 'unchanged'],
  );
  assert.equal((await bench.store.find({ merchantId: 'batch', payoutId: 'recalled' }))?.state, 'pending');
  assert.deepEqual(
    (await verifyInvariants(bench.database)).filter(({ holds }) => !holds),
    [],
  );
});

it('a settlement closes an attempt that began concurrently, not the attempt that it had read', async () => {
  await bench.fund('batch', 100n);
  for (const payoutId of ['before', 'twice']) {
    await bench.store.accept(await bench.newPayout('batch', payoutId, 10n, { rail: 'third_rail' }));
    await bench.attempt('batch', payoutId);
  }
  // This creates the rail's account. Without it, a settlement always acquires the merchants' locks.
  await settlePayouts(bench.database, OPTIONS, [request('before', 'executed')]);
  const beginAnother = async () => {
    await bench.owner.query(
      `update payout_jobs set stage = 'queued', due_at = to_timestamp(0) where payout_id = 'twice'`,
    );
    await bench.attempt('batch', 'twice');
  };
  const [outcome] = await settlePayouts(interrupted('unheld', beginAnother), OPTIONS, [request('twice', 'executed')]);
  assert.equal(outcome?.kind, 'settled');
  assert.equal((await bench.store.find({ merchantId: 'batch', payoutId: 'twice' }))?.state, 'success');
  const { rows } = await bench.owner.query(
    `select attempt, outcome from payout_attempts where payout_id = 'twice' order by attempt`,
  );
  assert.deepEqual(rows, [
    { attempt: 1, outcome: null },
    { attempt: 2, outcome: 'executed' },
  ]);
});

/** A payout at a bank, and the claim under which it was sent. The account of the rail exists. */
async function claimedPayout(payoutId: string) {
  await bench.fund('batch', 100n);
  const rail = 'claimed_rail';
  for (const each of [`${payoutId}-before`, payoutId])
    await bench.store.accept(await bench.newPayout('batch', each, 10n, { rail }));
  await bench.attempt('batch', `${payoutId}-before`);
  await settlePayouts(bench.database, OPTIONS, [request(`${payoutId}-before`, 'executed')]);
  return bench.attempt('batch', payoutId);
}

/** The request of the worker that holds the claim. */
const ofClaim = (claimed: ClaimedPayout, event: PayoutReport['event']) => ({
  ...request(claimed.payout.payoutId, event),
  fence: claimed.fence,
  claimed,
});

const historyOf = async (payoutId: string) => {
  const ordered = 'select entry, event from payout_history where payout_id = $1 order by entry';
  return (await bench.owner.query(ordered, [payoutId])).rows;
};

it('a settlement by the holder of a claim does not read facts again', async () => {
  const claim = await claimedPayout('known');
  const statements: string[] = [];
  const watched: Database = {
    ...bench.database,
    prepared: (name, ...call) => {
      statements.push(name);
      return bench.database.prepared(name, ...call);
    },
  };
  const [outcome] = await settlePayouts(watched, OPTIONS, [ofClaim(claim, 'executed')]);
  assert.deepEqual([outcome?.kind, statements], ['settled', ['settle-payouts']]);
  assert.deepEqual(await historyOf('known'), [{ entry: 2, event: 'executed' }]);
});

it('a settlement by a claim that another worker replaced has no effect', async () => {
  const claim = await claimedPayout('replaced');
  const claimAgain = async () => {
    await bench.owner.query(`update payout_jobs set due_at = to_timestamp(0) where payout_id = 'replaced'`);
    await bench.attempt('batch', 'replaced');
  };
  for (const database of [interrupted('unheld', claimAgain), bench.database]) {
    const [outcome] = await settlePayouts(database, OPTIONS, [ofClaim(claim, 'executed')]);
    assert.equal(outcome?.kind, 'lease_lost');
  }
  assert.equal((await bench.store.find({ merchantId: 'batch', payoutId: 'replaced' }))?.state, 'pending');
});

it('a settlement by the holder of a claim is planned again if another bank paid meanwhile', async () => {
  const claim = await claimedPayout('paid');
  const contradict = async () => {
    const merchant = merchantNamed('batch');
    await bench.store.settle({
      ...request('paid', 'executed'),
      plan: (facts) =>
        planSettlement(facts, reportOf('executed', { rail: 'earlier_rail' }), { merchant, compose: plainCallbacks }),
    });
  };
  const [outcome] = await settlePayouts(interrupted('unheld', contradict), OPTIONS, [ofClaim(claim, 'executed')]);
  assert.equal(outcome?.kind, 'settled');
  assert.deepEqual(await historyOf('paid'), [
    { entry: 2, event: 'executed' },
    { entry: 3, event: 'executed' },
  ]);
});

it('a repeated settlement by the holder of a claim finds the payout final', async () => {
  const claim = await claimedPayout('repeated');
  const outcomes = [];
  for (let run = 0; run < 2; run++)
    outcomes.push((await settlePayouts(bench.database, OPTIONS, [ofClaim(claim, 'executed')]))[0]?.kind);
  assert.deepEqual(outcomes, ['settled', 'unchanged']);
  const { rows } = await bench.owner.query(
    `select count(*)::int as callbacks from callbacks where subject_id = 'repeated'`,
  );
  assert.deepEqual(rows, [{ callbacks: 1 }]);
});

it('a decline by the holder of a claim reads the facts and releases the money', async () => {
  const claim = await claimedPayout('declined');
  const [outcome] = await settlePayouts(bench.database, OPTIONS, [ofClaim(claim, 'declined')]);
  assert.equal(outcome?.kind, 'settled');
  assert.equal((await bench.store.find({ merchantId: 'batch', payoutId: 'declined' }))?.state, 'blocked');
  assert.deepEqual(
    (await verifyInvariants(bench.database)).filter(({ holds }) => !holds),
    [],
  );
});
