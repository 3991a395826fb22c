import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock, DAY_MS, HOUR_MS, MINUTE_MS, utcDayOf } from '../../foundation/clock.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { reconcileDays } from './reconcile-days.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const [LATEST, MIDDLE, OLDEST] = ['2026-11-20', '2026-11-19', '2026-11-18'] as const;

/** The comparisons of one rail, six hours apart. On the days in `fails` they reject with the given text. */
function scene(booksSince: number | null = null, recorded: readonly string[] = []) {
  const clock = createManualClock(NOON);
  const tried: string[] = [];
  const compared: string[] = [];
  const fails = new Map<string, string>();
  const stopping = new AbortController();
  const during = new Map<string, () => void>();
  const run = withParts(reconcileDays, {
    dayOf: utcDayOf,
    async compare(day) {
      tried.push(day);
      during.get(day)?.();
      const failure = fails.get(day);
      if (failure !== undefined) throw new Error(failure);
      const reconciliation = { rail: 'bank', day, runAt: clock.now(), listed: 0, matched: 0, settled: 0 };
      return { reconciliation, differences: [], waiting: 0, by: 'list' };
    },
    onCompared: ({ reconciliation }) => void compared.push(reconciliation.day),
    everyMs: 6 * HOUR_MS,
    comparedAt: new Map(),
    listCompared: async (from, until) => recorded.filter((day) => day >= from && day <= until),
    clock,
    booksSince,
  });
  return { clock, tried, compared, fails, during, stop: () => stopping.abort(), run: () => run(stopping.signal) };
}

describe('reconciliation of several days', () => {
  it('reconciliation compares the last three complete days, latest first', async () => {
    const { compared, run } = scene();
    await run();
    assert.deepEqual(compared, [LATEST, MIDDLE, OLDEST]);
  });

  it('reconciliation skips a day that is not in the provider’s books', async () => {
    const { compared, run } = scene(NOON - 2 * DAY_MS);
    await run();
    assert.deepEqual(compared, [LATEST]);
  });

  it('reconciliation compares earlier days without a comparison, back to the first compared day', async () => {
    const { compared, run } = scene(null, ['2026-11-13', '2026-11-14', '2026-11-16', OLDEST]);
    await run();
    assert.deepEqual(compared, [LATEST, MIDDLE, OLDEST, '2026-11-17', '2026-11-15']);
  });

  it('reconciliation catches up on at most a month of days without a comparison', async () => {
    const { compared, run } = scene(null, ['2026-10-20', '2026-10-21']);
    await run();
    assert.deepEqual([compared.length, compared.at(-1)], [30, '2026-10-22']);
  });

  it('reconciliation compares the other days after one day fails, and then rejects with its error', async () => {
    const { compared, fails, run } = scene();
    fails.set(LATEST, 'HTTP 503');
    await assert.rejects(run(), /^Error: HTTP 503$/);
    assert.deepEqual(compared, [MIDDLE, OLDEST]);
  });

  it('reconciliation lists each day in its error if several days failed', async () => {
    const { fails, run } = scene();
    fails.set(LATEST, 'HTTP 503').set(OLDEST, 'no list');
    await assert.rejects(run(), /^Error: 2026-11-20: HTTP 503; 2026-11-18: no list$/);
  });

  it('reconciliation retries a failed day immediately, and repeats the other days only after the interval', async () => {
    const { clock, tried, fails, run } = scene();
    fails.set(MIDDLE, 'HTTP 503');
    await assert.rejects(run());
    clock.advance(MINUTE_MS);
    await assert.rejects(run());
    assert.deepEqual(tried, [LATEST, MIDDLE, OLDEST, MIDDLE]);
    fails.clear();
    clock.advance(6 * HOUR_MS);
    await run();
    assert.deepEqual(tried.slice(4), [LATEST, MIDDLE, OLDEST]);
    clock.advance(DAY_MS);
    await run();
    assert.deepEqual(tried.slice(7), ['2026-11-21', LATEST, MIDDLE]);
  });

  it('a stop ends reconciliation immediately, and the interrupted day is not treated as failed', async () => {
    const { tried, fails, during, stop, run } = scene();
    fails.set(LATEST, 'stopped');
    during.set(LATEST, stop);
    await run();
    assert.deepEqual(tried, [LATEST]);
  });

  it('a stopped reconciliation still rejects with a failure from before the stop', async () => {
    const { tried, fails, during, stop, run } = scene();
    fails.set(LATEST, 'HTTP 503').set(MIDDLE, 'stopped');
    during.set(MIDDLE, stop);
    await assert.rejects(run(), /^Error: HTTP 503$/);
    assert.deepEqual(tried, [LATEST, MIDDLE]);
  });
});
