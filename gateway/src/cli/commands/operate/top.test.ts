/** The picture of `gateway top`: its counts, and its lines about rails, queues and processes. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type Deep, runOver } from '../../../../test/support/gateway/run-over.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { createManualClock } from '../../../foundation/clock.ts';
import { parseMetrics } from '../../read-metrics.ts';
import { drawPicture, type Reading } from '../../texts/top-picture.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');

function readingOf(at: number, metrics: string, over: Partial<Reading> = {}): Reading {
  return {
    at,
    queues: {
      payouts: [
        { rail: 'stp', stage: 'queued', count: 3, oldestSince: '2026-11-20T11:58:30.000Z' },
        { rail: 'pix', stage: 'unknown', count: 1, oldestSince: '2026-11-20T06:00:00.000Z' },
      ],
      lateRails: [{ rail: 'stp', oldestDueAt: '2026-11-20T11:59:00.000Z' }],
      callbacks: { waiting: 7, oldestDueAt: null, lanesPaused: 2 },
    },
    rails: [railOf('stp', 'open'), railOf('pix', 'closed')],
    processes: [],
    samples: parseMetrics(metrics),
    unread: [],
    ...over,
  };
}

function railOf(name: string, breaker: 'open' | 'closed'): Reading['rails'][number] {
  return {
    name,
    methods: [9],
    purposes: ['payout'],
    simulated: false,
    notifies: true,
    hours: null,
    floats: [],
    pause: name === 'pix' ? { reason: 'audit', since: '2026-11-20T10:00:00.000Z' } : null,
    workers: [{ breaker, inFlight: 2 }],
  };
}

const METRICS = `# HELP gateway_payouts_accepted_total Accepted payouts.
gateway_payouts_accepted_total{method="9",currency="EUR",process="a"} 10
gateway_payouts_accepted_total{method="9",currency="EUR",process="b"} 5
gateway_rail_call_seconds_count{rail="stp",call="send",answer="unknown"} 1
gateway_rail_call_seconds_count{rail="stp",call="send",answer="executed"} 3
gateway_alerts_total{alert="rail_down"} 1
gateway_alerts_total{alert="float_low"} 0
`;

test('gateway top shows totals over all processes in its first snapshot', () => {
  const picture = drawPicture(readingOf(NOON, METRICS), undefined);
  assert.match(picture, /payouts accepted +15 +EUR 15/);
  assert.match(picture, /payouts +stp +queued +3 +1 min +due for 1 min, no worker claims it/);
  assert.match(picture, /payouts +pix +unknown +1 +6 h/);
  assert.match(picture, /callbacks +waiting +7 +2 merchants paused/);
  assert.match(picture, /stp +open +2 +75 %/);
  assert.match(picture, /pix +closed +2 +– +paused for 2 h: audit/);
  assert.match(picture, /rail_down +1$/m);
  assert.doesNotMatch(picture, /float_low/, 'an alert that nobody raised');
});

test('gateway top shows rates since the previous snapshot and marks new alerts', () => {
  const later = METRICS.replace('process="a"} 10', 'process="a"} 30').replace('"rail_down"} 1', '"rail_down"} 2');
  const picture = drawPicture(readingOf(NOON + 2_000, later), readingOf(NOON, METRICS));
  assert.match(picture, /payouts accepted +10 +EUR 10/);
  assert.match(picture, /rail_down +2 +now/);
  const restarted = METRICS.replace('process="a"} 10', 'process="a"} 0');
  assert.match(
    drawPicture(readingOf(NOON + 2_000, restarted), readingOf(NOON, METRICS)),
    /payouts accepted +0 *$/m,
    'a process that restarted makes no negative rate',
  );
});

const OPERATIONS: Deep<GatewayOperations> = {
  monitoring: {
    queues: async () => ({
      payoutStages: [],
      payoutsDue: [],
      differences: [],
      callbacks: { waiting: 4, oldestDueAt: null, lanesPaused: 0 },
    }),
    processes: async () => [
      {
        processId: 'p',
        role: 'worker',
        version: '1.2.3',
        host: 'db-1',
        rails: [],
        sendingRails: [],
        since: 0,
        seenAt: 0,
      },
    ],
  },
  routes: { read: async () => ({ routes: [], hours: [] }) },
  pauses: { list: async () => [] },
  rails: { list: async () => [], health: async () => [], floats: async () => [] },
};

test('gateway top --once prints one snapshot from the management API and the metrics page', async () => {
  const server = createServer((_request, response) => response.end(METRICS)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { stdout, exitCode } = await runOver(`top --once --metrics http://127.0.0.1:${port}/metrics`, OPERATIONS);
    assert.equal(exitCode, 0);
    assert.match(stdout, /worker +db-1 +1\.2\.3/);
    assert.match(stdout, /payouts accepted +15/);
    assert.match(stdout, /callbacks +waiting +4/);
  } finally {
    server.close();
  }
  const { stdout } = await runOver(`top --once --metrics http://127.0.0.1:${port}/metrics`, OPERATIONS);
  assert.match(stdout, /^! No metrics from http.+ECONNREFUSED.+Pass the URL of the metrics page with --metrics\.$/m);
});

test('gateway top redraws its snapshot in place until it is stopped', async () => {
  const clock = createManualClock(NOON);
  const { promise, resolve } = Promise.withResolvers<void>();
  const frames: string[] = [];
  const running = runOver('top --metrics http://127.0.0.1:1/metrics', OPERATIONS, {
    clock,
    untilStopSignal: () => promise,
    stdout: (text) => {
      if (text.startsWith('\x1b[H')) frames.push(text);
      if (frames.length === 3) resolve();
      setImmediate(() => clock.advance(2_000));
    },
  });
  await running;
  assert.equal(frames.length, 3);
  assert.match(frames[0] ?? '', /Since startup/);
  assert.match(frames[2] ?? '', /Per second/);
});
