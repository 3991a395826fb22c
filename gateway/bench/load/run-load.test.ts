import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rawPost } from './raw-post.ts';
import { type Load, runLoad, type Verdict } from './run-load.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

const VERDICTS: Readonly<Record<number, Verdict>> = { 200: 'good', 429: 'shed' };

async function loadOn(listener: RequestListener, load: Partial<Load>) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return runLoad({
    url,
    next: () => rawPost(url, '/', '{}'),
    connections: 2,
    durationMs: 200,
    judge: (status) => VERDICTS[status] ?? 'bad',
    ...load,
  });
}

test('a closed loop sends the given number of requests and ends', async () => {
  let left = 7;
  const request = rawPost(new URL('http://127.0.0.1'), '/', '{}');
  const next = () => (left-- > 0 ? request : undefined);
  const { sent, good, bad } = await loadOn((_, response) => response.end('OK'), { next, durationMs: 5_000 });
  assert.deepEqual({ sent, good, bad }, { sent: 7, good: 7, bad: 0 });
});

test('a load counts 429 as shed, other failures as bad, and only successes as good', async () => {
  let asked = 0;
  const statuses = [200, 429, 500];
  const result = await loadOn(
    (_, response) => response.writeHead(statuses[asked++ % 3] ?? 200).end('what it says'),
    {},
  );
  assert.ok(result.good > 0 && result.shed > 0 && result.bad > 0);
  assert.equal(result.good + result.shed + result.bad, result.sent);
  assert.match(result.complaint ?? '', /500 [\s\S]*what it says/);
});

test('an open loop measures from when a request was due, so a stall delays every request behind it', async () => {
  let asked = 0;
  const stallsOnce: RequestListener = async (_, response) => {
    if (asked++ === 0) await sleep(400);
    response.end('OK');
  };
  const result = await loadOn(stallsOnce, { connections: 1, rate: 100, durationMs: 300 });
  assert.ok(Math.abs(result.good - 30) <= 1, `${result.good} were sent, and 30 were due`);
  // A closed loop would show one slow response in thirty, and a p50 close to zero.
  assert.ok(result.latencyMs.p50 > 200, `p50 ${result.latencyMs.p50}`);
  const slow = await loadOn(
    async (_, response) => {
      await sleep(40);
      response.end('OK');
    },
    { connections: 1, rate: 100, durationMs: 300 },
  );
  assert.ok(slow.latencyMs.p50 > 300, 'each waits for those before it');
});

test('a load counts a request whose connection breaks as dropped', async () => {
  const { good, dropped, sent } = await loadOn((request) => request.socket.destroy(), { durationMs: 1_000 });
  assert.deepEqual({ good, dropped, sent }, { good: 0, dropped: 2, sent: 2 });
});
