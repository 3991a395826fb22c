/** A worker that outlives a restore: it works from a database that is gone. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { claimOf, NOON, openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import type { ClaimedPayout, PayoutClaim } from '../../domain/payouts/payout-job-store.ts';
import { beginRecovery } from '../../domain/recovery/begin-recovery.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { createPayoutJobStore } from '../payouts/payout-job-store.ts';
import { createRailHealthStore } from '../rails/rail-health-store.ts';
import { createLineageStore } from './lineage-store.ts';
import { createRecoveryStore } from './recovery-store.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000n);
});
after(() => bench.verifyAndClose());
beforeEach(() => bench.owner.query('truncate recoveries, recovery_rails, unaccounted_payouts, rail_health'));

/** Returns its start. */
async function recover(): Promise<number> {
  const store = createRecoveryStore(bench.database);
  const lineages = createLineageStore(bench.database);
  const begin = withParts(beginRecovery, { store, lineages, clock: bench.clock, clockIsRight: async () => true });
  const skip = { transactionIds: 0, addresses: 0 };
  assert((await begin({ by: 'Ann', reason: 'it died', knownUntil: null, skip })).ok);
  const recovery = await store.latest();
  assert(recovery);
  return recovery.startedAt;
}

describe('a worker that keeps running over a restore', () => {
  const closed = [{ rail: 'e_rail', breaker: 'closed', inFlight: 0 }] as const;
  const claimAs = (change: Partial<PayoutClaim> = {}) => {
    const now = bench.clock.now() + 1;
    const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
    return jobs.claim({ ...claimOf('e_rail', now, now), ...change });
  };

  it('a worker that has not read the latest recovery does not claim a payout', async () => {
    await bench.store.accept(await bench.newPayout('m', 'unknown-recovery', 10n, { rail: 'e_rail' }));
    const restoredAt = await recover();
    assert.deepEqual(await claimAs(), []);
    const [claim] = await claimAs({ restoredAt });
    assert.equal(claim?.payout.payoutId, 'unknown-recovery');
    await bench.owner.query('truncate recoveries cascade');
    assert.deepEqual(await claimAs({ restoredAt }), [], 'it knows a recovery that the database forgot');
  });

  it('a worker whose last report is missing from the database does not claim a payout and does not store a report', async () => {
    const health = createRailHealthStore(bench.database);
    const [reported, later] = [NOON, NOON + 1];
    const worker = (process: string, ...at: number[]) => ({
      process,
      reported: at.map((at) => ({ rail: 'e_rail', at })),
    });
    await bench.store.accept(await bench.newPayout('m', 'lost-report', 10n, { rail: 'e_rail' }));
    assert.equal(await health.report(worker('a process'), closed, reported), true);
    const witness = (reportedAt: number) => ({ witness: worker('a process', reportedAt) });
    assert.deepEqual(await claimAs(witness(later)), []);
    assert.equal(await health.report(worker('a process', later), closed, later + 1), false);
    assert.equal(await health.report(worker('another process'), closed, later + 1), true);
    assert.deepEqual(await claimAs(witness(later)), [], 'the report of another worker proves nothing');
    assert.equal((await claimAs(witness(reported))).length > 0, true);
  });

  it('the result of a claim that a restore lost does not change a claim after the restore', async () => {
    await bench.store.accept(await bench.newPayout('m', 'forgotten-claim', 10n, { rail: 'e_rail' }));
    const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
    const [forgotten] = await claimAs({ limit: 9 }).then((claims) => claims.filter(isOf('forgotten-claim')));
    assert(forgotten);
    await bench.owner.query(`delete from payout_attempts where payout_id = 'forgotten-claim'`);
    await bench.owner.query(
      `update payout_jobs set stage = 'queued', attempts = 0, fence = 0, due_at = $1 where payout_id = 'forgotten-claim'`,
      [new Date(NOON)],
    );
    const restoredAt = await recover();
    const [claim] = await claimAs({ restoredAt, limit: 9 }).then((claims) => claims.filter(isOf('forgotten-claim')));
    assert.equal(claim?.isBegun, true);
    const [at, dueAt] = [NOON, NOON];
    const note = 'no connection';
    await jobs.postpone({
      claim: forgotten,
      at,
      dueAt,
      stage: 'queued',
      asks: 0,
      note,
      attemptOutcome: 'not_accepted',
    });
    await jobs.reroute({ claim: forgotten, at, dueAt, rail: 'f_rail', note });
    const { rows } = await bench.owner.query(`select stage, rail from payout_jobs where payout_id = 'forgotten-claim'`);
    assert.deepEqual(rows, [{ stage: 'sending', rail: 'e_rail' }]);
  });
});

function isOf(payoutId: string) {
  return ({ payout }: ClaimedPayout) => payout.payoutId === payoutId;
}
