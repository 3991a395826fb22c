/** Payouts whose approval, cancellation, deadline and worker compete in two processes. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HOUR_MS } from '../../../src/foundation/clock.ts';
import { acceptWaiting, approvalCommands, claimQueued, stateOf } from '../../support/payouts/awaiting-payouts.ts';
import { openPayoutBench } from '../../support/payouts/stored-payouts.ts';

const RACED = process.env['TEST_FULL'] === undefined ? 30 : 1_000;

it('payouts that two processes approve, cancel, claim and expire concurrently get one final state each', async () => {
  const bench = await openPayoutBench();
  await bench.fund('m', 1_000_000n);
  const hour = Array.from({ length: RACED }, (_, index) => `raced-${index}`);
  for (const payoutId of hour) await acceptWaiting(bench, payoutId, 1);
  const [one, other] = [approvalCommands(bench), approvalCommands(bench, bench.anotherStore())];
  const begun: string[] = [];
  const claiming = async () => {
    for (let round = 0; round < 10; round += 1) begun.push(...(await claimQueued(bench, RACED)));
  };
  const approvals = new Map<string, boolean>();
  const race = hour.map(async (payoutId, index) => {
    if (index === Math.floor(RACED / 2)) bench.clock.advance(HOUR_MS);
    const by = index % 2 === 0 ? one : other;
    const against = index % 2 === 0 ? other : one;
    // An approver who is not the maker may cancel only a payout that no one has approved.
    const isByApprover = index % 4 < 2;
    const [approved, cancelled] = await Promise.all([by.approve(payoutId), against.cancel(payoutId, isByApprover)]);
    approvals.set(payoutId, approved.ok);
    if (cancelled.ok) assert.equal(await stateOf(bench, payoutId), 'blocked');
    if (!isByApprover) return;
    assert.ok(!(approved.ok && cancelled.ok), `${payoutId} was approved and then cancelled by an approver`);
    if (approved.ok) assert.deepEqual(cancelled, { ok: false, error: 'not_waiting' });
    if (cancelled.ok) assert.deepEqual(approved, { ok: false, error: 'already_final' });
  });
  await Promise.all([...race, claiming(), one.lapse(), other.lapse()]);
  await Promise.all([one.lapse(), other.lapse()]);
  begun.push(...(await claimQueued(bench, RACED)));
  const { rows } = await bench.owner.query<{ payout_id: string; ends: number; approved: number; stage: string | null }>(
    `select p.payout_id, count(*) filter (where h.to_state = 'blocked')::int as ends,
       count(*) filter (where h.event = 'approved')::int as approved, max(j.stage) as stage
     from payouts as p join payout_history as h using (merchant_id, payout_id)
     left join payout_jobs as j using (merchant_id, payout_id)
     where p.payout_id like 'raced-%' group by p.payout_id`,
  );
  assert.equal(rows.length, RACED);
  for (const { payout_id: payoutId, ends, approved, stage } of rows) {
    assert.equal(ends, stage === null ? 1 : 0, payoutId);
    assert.equal(approved, approvals.get(payoutId) ? 1 : 0, payoutId);
    if (stage !== null) assert.deepEqual([stage, approved], ['sending', 1], payoutId);
    if (begun.includes(payoutId)) assert.equal(approved, 1, payoutId);
  }
  await bench.verifyAndClose();
});
