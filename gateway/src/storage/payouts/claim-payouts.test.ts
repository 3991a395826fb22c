import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { claimOf, openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import { HOLDS } from '../../domain/payouts/hold-reasons.ts';
import type { PayoutJobStore } from '../../domain/payouts/payout-job-store.ts';
import { type ClaimFacts, planClaim } from '../../domain/payouts/plan-claim.ts';
import { PAUSE_SCOPES, type Pause } from '../../domain/routing/pause-store.ts';
import { createPauseView } from '../../domain/routing/pauses.ts';
import { createPayoutJobStore } from './payout-job-store.ts';

const TARGETS = { merchant: 'm', method: '9', purpose: 'payout', rail: 'a_rail' } as const;
const PAUSES: readonly (Pause | undefined)[] = [
  undefined,
  ...PAUSE_SCOPES.map((scope) => ({ scope, target: TARGETS[scope], since: 0, reason: 'a trial' })),
];

let bench: PayoutBench;
let jobs: PayoutJobStore;
let restoredAt: number;

type Row = Pick<ClaimFacts, 'stage' | 'paidBy' | 'heldBecause' | 'askedAt' | 'stageSince'>;
const rows = new Map<string, Row>();

before(async () => {
  bench = await openPayoutBench();
  jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
  restoredAt = bench.clock.now() - 10_000;
  await bench.fund('m', 1_000n);
  for (const stage of ['queued', 'awaiting_approval'] as const)
    for (const paidBy of [null, 'earlier_rail'])
      for (const heldBecause of [null, 'seal_broken', 'paused'] as const)
        for (const askedAt of [null, restoredAt + 1])
          for (const stageSince of [restoredAt - 1, restoredAt + 1]) {
            const payoutId = `P${rows.size}`;
            rows.set(payoutId, { stage, paidBy, heldBecause, askedAt, stageSince });
            await bench.store.accept(await bench.newPayout('m', payoutId, 1n, { rail: 'a_rail' }));
          }
});

after(() => bench.close());

async function resetRows(): Promise<void> {
  await bench.owner.query('delete from payout_attempts');
  await bench.owner.query(
    `update payout_jobs as j set stage = r.stage, paid_by = r."paidBy", held_because = r."heldBecause", attempts = 0,
       approve_by = case when r.stage = 'awaiting_approval' then now() end, due_at = to_timestamp(0),
       asked_at = to_timestamp(r."askedAt" / 1000), stage_since = to_timestamp(r."stageSince" / 1000)
     from json_to_recordset($1) as r(id text, stage text, "paidBy" text, "heldBecause" text, "askedAt" float8, "stageSince" float8)
     where j.payout_id = r.id`,
    [JSON.stringify(Array.from(rows, ([id, row]) => ({ id, ...row })))],
  );
}

it('a claim stores an attempt of a payout exactly when its plan begins an attempt', async () => {
  let begun = 0;
  for (const pause of PAUSES)
    for (const closedUntil of [undefined, 1])
      for (const [asksFirst, holds] of [[], [true], [true, true]]) {
        await resetRows();
        const doubt = asksFirst ? { knownUntil: 0, startedAt: restoredAt } : null;
        const heldBefore = holds ? restoredAt : undefined;
        const paused = createPauseView(pause ? [pause] : []).targets();
        const now = bench.clock.now();
        const asked = {
          paused,
          isRailHeld: closedUntil !== undefined,
          heldBefore,
          asksFirstSince: doubt?.startedAt ?? null,
        };
        for (const claim of await jobs.claim({ ...claimOf('a_rail', now, now + 1_000, 100), ...asked })) {
          const row = rows.get(claim.payout.payoutId);
          assert(row);
          const around = { pause, closedUntil, doubt, heldBefore, holder: undefined };
          const facts = {
            rail: 'a_rail',
            isBegun: false,
            isRailDown: false,
            isAsAccepted: () => true,
            statusCall: 'ask',
          } as const;
          const plan = planClaim({ ...row, ...around, ...facts });
          assert.equal(claim.isBegun, plan.do === 'begin', `${JSON.stringify({ ...row, ...around })}: ${plan.do}`);
          if (claim.isBegun) begun += 1;
        }
      }
  assert(begun > 0);
});

it('the database accepts every reason to hold a payout and rejects a reason that does not fit the stage', async () => {
  await resetRows();
  const hold = (stage: string, reason: string) =>
    bench.owner.query(`update payout_jobs set stage = $1, held_because = $2 where payout_id = 'P0'`, [stage, reason]);
  for (const reason of Object.keys(HOLDS)) {
    await hold('queued', reason);
    for (const stage of ['sending', 'at_bank', 'unknown'])
      if (reason === 'seal_broken') await hold(stage, reason);
      else await assert.rejects(hold(stage, reason), /hold_fits_stage/, `${reason} at ${stage}`);
  }
  await assert.rejects(hold('queued', 'a mood'), /hold_fits_stage/);
});
