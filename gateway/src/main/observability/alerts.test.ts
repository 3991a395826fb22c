import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { until } from '../../../test/support/tools/until.ts';
import { createManualClock, type ManualClock, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { createAlerts } from './alerts.ts';
import type { Log } from './log.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

interface Post {
  readonly kind: string;
  readonly text: string;
  readonly at: string;
  readonly held_back: number;
  readonly runbook: string;
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

/** A receiver that returns the `statuses` in turn and repeats the last status. It never returns undefined. */
async function receiver(...statuses: (number | undefined)[]) {
  const posts: Post[] = [];
  let answered = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    posts.push(JSON.parse(Buffer.concat(chunks).toString()));
    const status = statuses[Math.min(answered++, statuses.length - 1)];
    if (status !== undefined) response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { posts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts` };
}

function openAlerts(url: string | null, runbooksUrl: string | null = null) {
  const manual = createManualClock(NOON);
  const sleeps: number[] = [];
  const clock: ManualClock = {
    ...manual,
    sleep(ms, signal) {
      sleeps.push(ms);
      return manual.sleep(ms, signal);
    },
  };
  const events: string[] = [];
  const log: Log = (event, fields) => void events.push(`${event} ${Object.values(fields).join(' ')}`);
  let raised = 0;
  const alerts = createAlerts({ url, runbooksUrl, clock, log, onRaised: () => void raised++ });
  cleanups.unshift(() => alerts.close());
  const sent = () => events.filter((event) => event.startsWith('alert_sent')).length;
  return { ...alerts, clock, sleeps, events, sent, raised: () => raised };
}

describe('an alert', () => {
  it('an alert is posted with its text and runbook', async () => {
    const { posts, url } = await receiver(200);
    const { raise } = openAlerts(url);
    raise('credential_refused', 'a_rail, card 4111111111111111');
    await until('it comes', () => posts.length === 1);
    assert.deepEqual(posts[0], {
      kind: 'credential_refused',
      severity: 'critical',
      text: 'A provider refuses our credential. Its payouts and payments wait. Check the variables of the rail. About: a_rail, card [digits]',
      at: '2026-11-21T12:00:00.000Z',
      held_back: 0,
      runbook: 'docs/operations/runbooks.md#a-provider-refuses-our-credential',
    });
  });

  it('an alert links to the page in RUNBOOKS_URL', async () => {
    const { posts, url } = await receiver(200);
    openAlerts(url, 'https://docs.example/operations/runbooks.html').raise('rail_down', 'a_rail');
    await until('it comes', () => posts.length === 1);
    assert.equal(posts[0]?.runbook, 'https://docs.example/operations/runbooks.html#a-bank-is-down');
  });

  it('an alert of one kind is posted at most once in ten minutes', async () => {
    const { posts, url } = await receiver(200);
    const { raise, clock, raised, sent } = openAlerts(url);
    for (let count = 0; count < 1_000; count++) raise('problem', `number ${count}`);
    raise('internal_error', '/a');
    await until('it comes', () => sent() === 2);
    clock.advance(10 * MINUTE_MS - 1);
    raise('problem', 'still quiet');
    clock.advance(1);
    raise('problem', 'raised again');
    await until('it comes', () => posts.length === 3);
    assert.deepEqual(
      posts.map(({ kind, held_back }) => [kind, held_back]),
      [
        ['problem', 0],
        ['internal_error', 0],
        ['problem', 1_000],
      ],
    );
    assert.equal(raised(), 1_003, 'each is counted');
  });

  it('an alert about one rail that is down does not hold back the alert about another rail', async () => {
    const { posts, url } = await receiver(200);
    const { raise, sent } = openAlerts(url);
    for (const rail of ['a_rail', 'a_rail', 'another_rail']) raise('rail_down', rail);
    await until('it comes', () => sent() === 2);
    assert.deepEqual(
      posts.map(({ text }) => text?.split(' ').at(-1)),
      ['a_rail', 'another_rail'],
    );
  });

  // Each attempt and each pause is one sleep of the clock, so the number of sleeps shows the progress.
  it('an alert is retried while its receiver fails, and the next alert is not lost', async () => {
    const { posts, url } = await receiver(500, 200);
    const { raise, clock, sleeps, sent } = openAlerts(url);
    raise('problem', 'first');
    raise('internal_error', 'second');
    await until('it comes', () => sleeps.length === 2);
    clock.advance(5 * SECOND_MS);
    await until('it comes', () => sent() === 2);
    assert.deepEqual(
      posts.map(({ kind }) => kind),
      ['problem', 'problem', 'internal_error'],
    );
  });

  it('an alert is dropped after four attempts with a log line, and raising it never throws', async () => {
    const { raise, clock, sleeps, events } = openAlerts('http://127.0.0.1:1/');
    raise('problem', 'without a receiver');
    for (const pauses of [1, 2, 3]) {
      await until('it comes', () => sleeps.length === 2 * pauses);
      clock.advance(2 * MINUTE_MS);
    }
    await until('it comes', () => events.length === 2);
    assert.deepEqual(events, ['alert_raised problem without a receiver', 'alert_not_sent problem ECONNREFUSED']);
  });

  it('an alert waits at most five seconds for a receiver that hangs', async () => {
    const { posts, url } = await receiver(undefined, 200);
    const { raise, clock, sleeps, sent } = openAlerts(url);
    raise('problem', 'x');
    await until('it comes', () => posts.length === 1);
    clock.advance(5 * SECOND_MS);
    await until('it comes', () => sleeps.length === 2);
    clock.advance(5 * SECOND_MS);
    await until('it comes', () => sent() === 1);
  });

  it('an alert without a configured URL is only logged, and closing does not wait', async () => {
    const { raise, events, close } = openAlerts(null);
    raise('problem', 'x');
    await close();
    assert.deepEqual(events, ['alert_raised problem x']);
  });

  it('an alert that waits for its retry does not delay the process’s shutdown', async () => {
    const { posts, url } = await receiver(500);
    const { raise, close, sleeps } = openAlerts(url);
    raise('problem', 'x');
    await until('it comes', () => sleeps.length === 2);
    await close();
    assert.equal(posts.length, 1);
  });
});
