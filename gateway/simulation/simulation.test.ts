/** Repeats all seeds that ever failed, then runs new seeds for some seconds. TEST_SEED repeats one seed. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PLANTED_BUGS } from './planted/planted-bugs.ts';
import { FAILED_SEEDS } from './run/failed-seeds.ts';
import { drawPlan } from './run/plan.ts';
import { playSeeds } from './run/play-seeds.ts';
import { totalsOf } from './run/run-log.ts';
import { runPlan } from './run/run-plan.ts';
import type { RunResult } from './run/run-result.ts';

const SOURCE = join(import.meta.dirname, '../src');
const DAYS = process.env['TEST_FULL'] ? 4 : 2;
const SCALE = 0.05;
const SPARSE = process.env['TEST_FULL'] ? { days: 12, scale: 0.4 } : { days: 5, scale: 0.2 };
/** Seeds that run in two processes each, to compare their event sequences. They include seeds that found bugs. */
const SAME_COURSE = [
  ...FAILED_SEEDS.map((seed) => ({ ...seed, regime: 'mixed' as const })),
  { seed: '4', ...SPARSE, regime: 'sparse' as const, found: undefined },
];
const NOT_INTERRUPTED = { interrupted: new AbortController().signal };
/** Zero still runs one seed. */
const LASTS_MS = process.env['TEST_FULL'] ? 600_000 : 0;

describe('the simulation of the gateway', () => {
  it('the simulation has a place in the source for each planted bug', () => {
    const lost = PLANTED_BUGS.filter(
      ({ file, before }) => readFileSync(join(SOURCE, file), 'utf8').split(before).length !== 2,
    );
    assert.deepEqual(lost, []);
  });

  it('the simulation finds no violation with new seeds', async () => {
    const first = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 1e9));
    const begunAt = performance.now();
    for (let seed = first; seed === first || performance.now() - begunAt < LASTS_MS; seed++) {
      const { violations } = await runPlan(drawPlan(String(seed), DAYS, SCALE));
      assert.deepEqual(violations, [], `npm run simulate -- --seed ${seed} --days ${DAYS} --scale ${SCALE}`);
    }
  });

  it('the simulation fails each seed whose process does not start, and continues the run', async (test) => {
    const { execPath } = process;
    test.after(() => Object.assign(process, { execPath }));
    process.execPath = join(tmpdir(), 'no-such-program');
    const ended = { onEnded: () => {}, onSum: () => {}, log: undefined };
    const two = { first: 1, count: 2, processes: 1, minutes: 60, untilFailure: false, ...NOT_INTERRUPTED };
    assert.deepEqual(await playSeeds({ ...two, days: 2, scale: 0.02, regime: 'mixed', ...ended }), ['1', '2']);
  });

  it('the simulation fails a seed whose process stops responding, and a new process runs the next seed', async () => {
    const violations: string[] = [];
    const onEnded = (result: RunResult) => void violations.push(...result.violations);
    const two = { first: 1, count: 2, processes: 1, minutes: 60, untilFailure: false, ...NOT_INTERRUPTED };
    const ended = { silentTicks: 0, onEnded, onSum: () => {}, log: undefined };
    // Far longer than the second after which the test treats a process as silent.
    assert.deepEqual(await playSeeds({ ...two, days: 365, scale: 0.02, regime: 'mixed', ...ended }), ['1', '2']);
    for (const violation of violations) assert.match(violation, /gave no sign for 1 s/);
  });

  for (const { seed, regime, days, scale, found } of SAME_COURSE)
    it(`seed ${seed} does not violate any invariant over ${days} days of regime ${regime}, and replays identically in another process${found ? `; it found: ${found}` : ''}`, async () => {
      const log = join(tmpdir(), `simulation-log-${regime}-${seed}.jsonl`);
      const results: RunResult[] = [];
      const onEnded = (result: RunResult) => void results.push(result);
      const one = { first: Number(seed), count: 1, processes: 1, minutes: 60, untilFailure: false, ...NOT_INTERRUPTED };
      await playSeeds({ ...one, days, scale, regime, log, onEnded, onSum: () => {} });
      results.push(await runPlan(drawPlan(seed, days, scale, regime)));
      const [there, here] = results.map(({ trace, turns, violations }) => ({ trace, turns, violations }));
      assert.deepEqual(there, here);
      assert.deepEqual(here?.violations, []);
      assert.match(
        totalsOf(log),
        /^log: 1 seeds, \d+ payments \(.*\) in 0\.\d\d simulated years .*; failing seeds: none$/,
      );
    });
});
