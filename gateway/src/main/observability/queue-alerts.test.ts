import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QueueStatistics } from '../../domain/monitoring/queue-statistics.ts';
import { createManualClock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { raiseQueueAlerts } from './queue-alerts.ts';
import { createQueueSampler } from './queue-sampler.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const quiet: QueueStatistics = {
  payoutStages: [],
  payoutsDue: [],
  callbacks: { waiting: 0, oldestDueAt: null, lanesPaused: 0 },
  differences: [],
};

function alertsOf(change: Partial<QueueStatistics>): string[] {
  const raised: string[] = [];
  raiseQueueAlerts({ ...quiet, ...change }, NOON, (kind, detail) => raised.push(`${kind}: ${detail}`));
  return raised;
}

describe('the queue alerts', () => {
  it('queues that make progress raise no alert', () => {
    assert.deepEqual(alertsOf({}), []);
    assert.deepEqual(
      alertsOf({
        payoutStages: [{ rail: 'a_rail', stage: 'at_bank', count: 1, oldestSince: NOON - 48 * HOUR_MS }],
        payoutsDue: [{ rail: 'a_rail', oldestDueAt: NOON - MINUTE_MS }],
        callbacks: { waiting: 1_000_000, oldestDueAt: NOON - MINUTE_MS, lanesPaused: 9 },
      }),
      [],
    );
  });

  it('due payouts that no worker claims raise an alert with the rails', () => {
    const payoutsDue = [
      { rail: 'a_rail', oldestDueAt: NOON - 3 * MINUTE_MS },
      { rail: 'b_rail', oldestDueAt: NOON },
      { rail: 'c_rail', oldestDueAt: NOON - HOUR_MS },
    ];
    assert.deepEqual(alertsOf({ payoutsDue }), [
      'payouts_not_claimed: rail a_rail, the oldest for 3 minutes; rail c_rail, the oldest for 60 minutes',
    ]);
  });

  it('a payout with an unknown outcome for over an hour raises an alert', () => {
    const payoutStages = [{ rail: 'a_rail', stage: 'unknown', count: 2, oldestSince: NOON - 61 * MINUTE_MS }] as const;
    assert.deepEqual(alertsOf({ payoutStages }), ['payouts_unknown: rail a_rail: 2, the oldest for 61 minutes']);
  });

  it('a contradiction raises an alert until it is resolved, and another difference does not', () => {
    const of = { rail: 'a_rail', oldestAt: NOON };
    const differences = [
      { ...of, kind: 'contradiction', count: 2 } as const,
      { ...of, kind: 'excess', count: 1 } as const,
    ];
    assert.deepEqual(alertsOf({ differences }), ['payouts_differ: rail a_rail: 2 open contradictions']);
  });

  it('due callbacks that no worker sends raise an alert', () => {
    const callbacks = { waiting: 1, oldestDueAt: NOON - 5 * MINUTE_MS, lanesPaused: 0 };
    assert.deepEqual(alertsOf({ callbacks }), ['callbacks_late: the oldest for 5 minutes']);
  });
});

describe('the queue sampler', () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('the queue sampler reads every five seconds, and less often when a read is slow', async () => {
    const clock = createManualClock(NOON);
    const looks: number[] = [];
    let costMs = 0;
    const sampler = createQueueSampler({
      clock,
      read: async (now) => {
        looks.push(now - NOON);
        clock.advance(costMs);
        return quiet;
      },
      onSample: () => {},
      onProblem: () => assert.fail(),
    });
    sampler.start();
    await turn();
    clock.advance(5 * SECOND_MS);
    await turn();
    costMs = 1_000;
    clock.advance(5 * SECOND_MS);
    await turn();
    clock.advance(18 * SECOND_MS);
    await turn();
    assert.deepEqual(looks, [0, 5_000, 10_000]);
    clock.advance(1 * SECOND_MS);
    await turn();
    assert.deepEqual(looks, [0, 5_000, 10_000, 30_000]);
    await sampler.stop();
  });

  it('the queue sampler continues after a failed read', async () => {
    const clock = createManualClock(NOON);
    const problems: string[] = [];
    let looks = 0;
    const sampler = createQueueSampler({
      clock,
      read: () => {
        looks += 1;
        return Promise.reject(new Error('no database'));
      },
      onSample: () => assert.fail(),
      onProblem: (problem) => problems.push(problem),
    });
    sampler.start();
    await turn();
    clock.advance(5 * SECOND_MS);
    await turn();
    assert.deepEqual([looks, problems.length], [2, 2]);
    await sampler.stop();
  });
});
