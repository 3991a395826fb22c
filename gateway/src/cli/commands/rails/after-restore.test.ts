import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Deep, runOver as run } from '../../../../test/support/gateway/run-over.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { RestoreReport } from '../../../domain/recovery/begin-recovery.ts';
import type { RailProgress } from '../../../domain/recovery/rail-progress.ts';
import type { Recovery } from '../../../domain/recovery/recovery.ts';
import { fail, ok } from '../../../foundation/result.ts';

const RECOVERY: Recovery = {
  startedAt: Date.UTC(2026, 10, 21, 12),
  knownUntil: Date.UTC(2026, 10, 21, 11, 59),
  startedBy: 'Ann',
  reason: 'the disk died',
  completed: null,
  rails: [],
};

const PROGRESS: readonly RailProgress[] = [
  {
    rail: 'listed',
    hasList: true,
    unasked: 0,
    comparedAt: RECOVERY.startedAt,
    unaccounted: 2,
    completed: null,
    missing: [],
    caveat: '',
  },
  {
    rail: 'silent',
    hasList: false,
    unasked: 3,
    comparedAt: null,
    unaccounted: 0,
    completed: null,
    missing: ['3 payouts wait for the bank’s response'],
    caveat: 'It has no list.',
  },
];

function recovering(change: Deep<GatewayOperations['recovery']> = {}): Deep<GatewayOperations> {
  const lineage = async () => ({ current: '7/00000001', isKnown: true, isFirst: false });
  return { recovery: { lineage, latest: async () => RECOVERY, progress: async () => PROGRESS, ...change } };
}

test('after-restore begin prints the recovery window and requires a name and a reason', async () => {
  const said: RestoreReport[] = [];
  const begin = async (restore: RestoreReport) => {
    said.push(restore);
    return ok(RECOVERY);
  };
  assert.equal((await run('after-restore', recovering({ begin }))).exitCode, 2);
  const words = `--as Ann --reason 'the disk died'`;
  const begun = await run(
    `after-restore begin ${words} --known-until '2026-11-21 11:00' --skip-clabes 640`,
    recovering({ begin }),
  );
  assert.equal(begun.exitCode, 0, begun.stderr);
  assert.match(begun.stdout, / is the recovery window\./);
  assert.match(begun.stdout, /2026-11-21 11:59:00 to 2026-11-21 12:00:00/);
  const { knownUntil, skip } = said[0] ?? {};
  assert.deepEqual([knownUntil, skip?.addresses], [Date.UTC(2026, 10, 21, 11), 640]);
  const json = JSON.parse((await run(`after-restore ${words} --json`, recovering({ begin }))).stdout);
  assert.deepEqual([json.startedAt !== undefined, json.knownUntil], [true, '2026-11-21T11:59:00.000Z']);
});

test('after-restore begin is rejected while PostgreSQL replays its WAL', async () => {
  const begin = async () => fail({ kind: 'database_replays' as const });
  const { exitCode, stderr } = await run(`after-restore begin --reason x`, recovering({ begin }));
  assert.deepEqual(
    [exitCode, stderr],
    [1, 'PostgreSQL is still replaying its WAL. Promote it, then repeat the action.\n'],
  );
});

test('after-restore status prints why a rail was forced, and until when the gateway queries its bank', async () => {
  const [rail] = PROGRESS;
  assert(rail);
  const completed = { at: RECOVERY.startedAt, by: 'Ann', forcedBecause: 'no answers', asksUntil: RECOVERY.startedAt };
  const progress = async () => [{ ...rail, completed }];
  const { stdout } = await run('after-restore status', recovering({ progress }));
  assert.match(
    stdout,
    /forced: no answers; the gateway queries its bank before each first send until 2026-11-21 12:00:00/,
  );
});

test('after-restore status prints the criteria of every rail and exits with 1 while the gateway is recovering', async () => {
  const { stdout, exitCode } = await run('after-restore status', recovering());
  assert.equal(exitCode, 1);
  assert.match(stdout, /^✗ The gateway is recovering; recovery window: .*; started by Ann: the disk died$/m);
  assert.match(stdout, /^listed +can be completed +0 +2026-11-21 12:00:00 +2$/m);
  assert.match(stdout, /^silent +not yet +3 +no list +0 +3 payouts wait for the bank’s response$/m);
  assert.match(stdout, /^silent: It has no list\.$/m);
  assert.match(stdout, /gateway difference list/);
  const json = JSON.parse((await run('after-restore status --json', recovering())).stdout);
  assert.deepEqual(
    json.rails.map(({ rail, missing }: RailProgress) => [rail, missing.length]),
    [
      ['listed', 0],
      ['silent', 1],
    ],
  );
});

test('after-restore status exits with 0 when no restore happened, and after the recovery completed', async () => {
  const never = await run('after-restore status', recovering({ latest: async () => undefined }));
  assert.deepEqual([never.exitCode, never.stdout], [0, '✓ This database was never restored.\n']);
  const completed = { ...RECOVERY, completed: { at: RECOVERY.startedAt + 1, by: 'Ann' } };
  assert.equal((await run('after-restore status', recovering({ latest: async () => completed }))).exitCode, 0);
});

test('after-restore complete prints the unmet criteria and accepts --force with a reason', async () => {
  const complete: GatewayOperations['recovery']['complete'] = async ({ rail, forcedBecause }) =>
    forcedBecause === null
      ? fail({ kind: 'criteria_not_met', progress: PROGRESS.slice(1) })
      : ok({ rails: [rail ?? 'all'], isOver: false });
  const refused = await run('after-restore complete silent', recovering({ complete }));
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /^- silent: 3 payouts wait for the bank’s response$/m);
  const forced = await run(`after-restore complete silent --force 'their letter'`, recovering({ complete }));
  assert.deepEqual([forced.exitCode, forced.stdout], [0, '✓ Completed: silent. The gateway is still recovering.\n']);
});

test('after-restore release fails for an unknown or sent payout', async () => {
  const release = async () => fail({ kind: 'nothing_to_release' as const });
  const { exitCode, stderr } = await run('after-restore release M1 A17 --evidence x', recovering({ release }));
  assert.deepEqual(
    [exitCode, stderr],
    [1, 'The merchant has no unsent payout with this id. "gateway payout list" lists the payouts.\n'],
  );
});
