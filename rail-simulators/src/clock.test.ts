import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { DAY_MS, systemClock } from './clock.ts';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

it('the simulator’s clock waits the full time even beyond the 24-day limit of a timer', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  let runs = 0;
  const count = () => {
    runs++;
  };
  systemClock.after(30 * DAY_MS, count);
  const cancel = systemClock.after(30 * DAY_MS, count);
  mock.timers.tick(LONGEST_TIMER_MS);
  mock.timers.tick(30 * DAY_MS - LONGEST_TIMER_MS - 1);
  cancel();
  assert.equal(runs, 0);
  mock.timers.tick(1);
  assert.equal(runs, 1);
});

it('the simulator’s clock does not immediately run a task that is due in 30 days', async (t) => {
  let isRun = false;
  t.after(
    systemClock.after(30 * DAY_MS, () => {
      isRun = true;
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(isRun, false);
});
