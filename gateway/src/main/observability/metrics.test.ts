import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALERTS } from './alert-kinds.ts';
import { createMetrics } from './metrics.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

/** The value of the single sample with that name and those labels. */
async function sampleOf(metrics: ReturnType<typeof createMetrics>, line: string): Promise<number | undefined> {
  const found = (await metrics.text()).split('\n').find((each) => each.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length));
}

describe('the metrics', () => {
  it('the metrics count payouts by final state', async () => {
    const metrics = createMetrics();
    metrics.payoutAccepted(9, 'EUR');
    metrics.payoutAccepted(9, 'EUR');
    metrics.payoutRejected('sign_error');
    metrics.payoutFinal('success', '0', 'a_rail');
    assert.equal(await sampleOf(metrics, 'gateway_payouts_accepted_total{method="9",currency="EUR"}'), 2);
    assert.equal(await sampleOf(metrics, 'gateway_payouts_rejected_total{reason="sign_error"}'), 1);
    assert.equal(await sampleOf(metrics, 'gateway_payouts_final_total{state="success",code="0",actor="a_rail"}'), 1);
  });

  it('the metrics count each alert from zero, so that Prometheus sees the first increase', async () => {
    const metrics = createMetrics();
    for (const alert of Object.keys(ALERTS))
      assert.equal(await sampleOf(metrics, `gateway_alerts_total{alert="${alert}"}`), 0);
    metrics.alertRaised('rail_down');
    assert.equal(await sampleOf(metrics, 'gateway_alerts_total{alert="rail_down"}'), 1);
  });

  it('the metrics measure time in seconds', async () => {
    const metrics = createMetrics();
    metrics.requestAnswered('/merchant/api/payout_send', 200, 40);
    metrics.callbackAttempted('accepted', 20, 3_000);
    metrics.callbackAttempted('accepted', 20, null);
    const route = 'route="/merchant/api/payout_send",status="200"';
    assert.equal(await sampleOf(metrics, `gateway_request_seconds_bucket{le="0.025",${route}}`), 0);
    assert.equal(await sampleOf(metrics, `gateway_request_seconds_bucket{le="0.05",${route}}`), 1);
    assert.equal(await sampleOf(metrics, 'gateway_callback_attempt_seconds_count{outcome="accepted"}'), 2);
    assert.equal(await sampleOf(metrics, 'gateway_callback_wait_seconds_sum'), 3);
  });

  it('the metrics show the latest sample of the queues, and drop a stage that is now empty', async () => {
    const metrics = createMetrics();
    const callbacks = { waiting: 7, oldestDueAt: NOON - 4_000, lanesPaused: 1 };
    const stage = { rail: 'a_rail', stage: 'unknown', count: 3, oldestSince: NOON - 60_000 } as const;
    metrics.showQueues(
      {
        payoutStages: [stage],
        payoutsDue: [{ rail: 'a_rail', oldestDueAt: NOON - 2_000 }],
        callbacks,
        differences: [{ rail: 'a_rail', kind: 'excess', count: 2, oldestAt: NOON }],
      },
      NOON,
    );
    const depth = 'gateway_payout_queue_depth{rail="a_rail",stage="unknown"}';
    assert.equal(await sampleOf(metrics, depth), 3);
    assert.equal(await sampleOf(metrics, 'gateway_payout_stage_age_seconds{rail="a_rail",stage="unknown"}'), 60);
    assert.equal(await sampleOf(metrics, 'gateway_payout_due_age_seconds{rail="a_rail"}'), 2);
    assert.equal(await sampleOf(metrics, 'gateway_callback_due_age_seconds'), 4);
    const empty = { waiting: 0, oldestDueAt: null, lanesPaused: 0 };
    const differences = 'gateway_differences_open{rail="a_rail",kind="excess"}';
    assert.equal(await sampleOf(metrics, differences), 2);
    metrics.showQueues({ payoutStages: [], payoutsDue: [], callbacks: empty, differences: [] }, NOON);
    assert.equal(await sampleOf(metrics, differences), undefined);
    assert.equal(await sampleOf(metrics, depth), undefined);
    assert.equal(await sampleOf(metrics, 'gateway_callback_due_age_seconds'), 0);
  });

  it('the metrics read the rail states at each scrape', async () => {
    const metrics = createMetrics();
    let breaker = 'closed';
    metrics.watchRails(() => new Map());
    metrics.watchRails(() => new Map([['a_rail', { breaker, inFlight: 4 }]]));
    assert.equal(await sampleOf(metrics, 'gateway_rail_calls_in_flight{rail="a_rail"}'), 4);
    assert.equal(await sampleOf(metrics, 'gateway_rail_breaker{rail="a_rail",state="closed"}'), 1);
    breaker = 'open';
    assert.equal(await sampleOf(metrics, 'gateway_rail_breaker{rail="a_rail",state="closed"}'), 0);
    assert.equal(await sampleOf(metrics, 'gateway_rail_breaker{rail="a_rail",state="open"}'), 1);
  });

  it('the metrics include the process’s own', async () => {
    assert.match(await createMetrics().text(), /process_cpu_seconds_total/);
  });
});
