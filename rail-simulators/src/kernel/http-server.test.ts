/**
 * A simulator's HTTP edge over real HTTP: authorization, faults before a request is accepted, and requests without a response.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { TimerSet } from '../clock.ts';
import { ManualClock } from '../manual-clock.ts';
import { BookFailure } from './book-file.ts';
import { NO_EDGE_FAULTS } from './fault-table.ts';
import { createProviderServer, type EdgeParts, type Reply, requestListener } from './http-server.ts';
import { answerOf, eventually } from './inbox-under-test.ts';

const secret = 'a secret of the test';
const right = { authorization: `Bearer ${secret}` };
const reply: Reply = { status: 200, body: {} };

async function startEdge(t: TestContext, answer: () => Reply | Promise<Reply>, change: Partial<EdgeParts> = {}) {
  const clock = new ManualClock();
  const faults = { ...NO_EDGE_FAULTS };
  const failures: unknown[] = [];
  let answers = 0;
  const count = () => {
    answers += 1;
    return answer();
  };
  const server = createProviderServer();
  const edge = { secret, serverHeader: 'a test', holdMs: 60_000 } as const;
  const routes = [
    { verb: 'POST', path: '/payouts', answer: count },
    { verb: 'GET', path: '/payouts/', answer: count },
    { verb: 'GET', path: '/control/summary', answer: () => reply },
  ] as const;
  const silence = { isSilenced: () => failures.length > 0, onFailure: (error: unknown) => void failures.push(error) };
  const timers = new TimerSet(clock);
  server.on('request', requestListener({ ...edge, routes, faults, timers, ...silence, ...change }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = (path: string, headers: Record<string, string> = right) => answerOf(fetch(url + path, { headers }));
  const pay = (body = '{}', signal: AbortSignal = AbortSignal.timeout(60_000)) =>
    answerOf(fetch(`${url}/payouts`, { method: 'POST', headers: right, body, signal }));
  return { url, clock, faults, failures, get, pay, answers: () => answers };
}

describe('authorization at a simulator', () => {
  for (const header of [{}, { authorization: '' }, { authorization: `Bearer ${secret}x` }, { authorization: secret }])
    it(`a simulator rejects a request with the header ${JSON.stringify(header)}`, async (t) => {
      const edge = await startEdge(t, () => reply);
      for (const path of ['/control/summary', '/control/nowhere'])
        assert.deepEqual(await edge.get(path, header), { status: 401, body: { error: 'unauthorized' } }, path);
      assert.equal(edge.answers(), 0);
    });

  it('a simulator requires its secret only at the control surface', async (t) => {
    const edge = await startEdge(t, () => reply);
    assert.equal((await edge.get('/payouts/1', {})).status, 200);
    assert.equal((await edge.get('/control/summary', {})).status, 401);
  });

  it('every response of a simulator identifies its server', async (t) => {
    const edge = await startEdge(t, () => reply);
    assert.equal((await fetch(edge.url)).headers.get('server'), 'a test');
  });
});

describe('a request to a simulator', () => {
  it('a simulator rejects a request that is too large and accepts the next request', async (t) => {
    const edge = await startEdge(t, () => reply);
    assert.deepEqual(await edge.pay('x'.repeat(70_000)), { status: 413, body: { error: 'too_large' } });
    assert.equal((await edge.pay()).status, 200);
    assert.equal(edge.answers(), 1);
  });

  it('a simulator returns no_such_path for an unknown path, so not_found always means an unknown payout', async (t) => {
    const edge = await startEdge(t, () => reply);
    for (const path of ['/', '/payouts', '/payouts/a/b', '/payouts/%zz'])
      assert.deepEqual(await edge.get(path), { status: 404, body: { error: 'no_such_path' } }, path);
  });

  it('a simulator keeps an unanswered request open for its configured time, or until the client disconnects', async (t) => {
    const edge = await startEdge(t, () => 'never');
    const dropped = assert.rejects(edge.pay(), /fetch failed/);
    await eventually('the connection is held', () => edge.clock.delays()[0] === 60_000);
    edge.clock.advance(60_000);
    await dropped;
    await assert.rejects(edge.pay('{}', AbortSignal.timeout(100)), { name: 'TimeoutError' });
    await eventually('who gave up is forgotten', () => edge.clock.delays().length === 0);
  });
});

describe('the edge faults of a simulator', () => {
  it('a simulator that is down drops every connection until the control surface starts it again', async (t) => {
    const edge = await startEdge(t, () => reply);
    edge.faults.down = true;
    await assert.rejects(edge.pay(), /fetch failed/);
    await assert.rejects(edge.get('/payouts/1'), /fetch failed/);
    assert.equal((await edge.get('/control/summary')).status, 200);
    assert.equal(edge.answers(), 0);
    edge.faults.down = false;
    assert.equal((await edge.pay()).status, 200);
  });

  it('a slow simulator processes a request after its latency, even if the client has disconnected', async (t) => {
    const edge = await startEdge(t, () => reply);
    edge.faults.latency_ms = 700;
    const gaveUp = assert.rejects(edge.pay('{}', AbortSignal.timeout(200)), { name: 'TimeoutError' });
    await eventually('the request waits', () => edge.clock.delays()[0] === 700);
    await gaveUp;
    assert.equal(edge.answers(), 0);
    edge.clock.advance(700);
    await eventually('it is answered', () => edge.answers() === 1);
  });

  it('lowering the latency fault releases requests that wait for the higher latency', async (t) => {
    const edge = await startEdge(t, () => reply);
    edge.faults.latency_ms = 600_000;
    const slow = edge.pay('{}', AbortSignal.timeout(60_000));
    await eventually('the request waits', () => edge.clock.delays().length === 1);
    await edge.get('/control/summary');
    assert.equal(edge.answers(), 0);
    edge.faults.latency_ms = 0;
    await edge.get('/control/summary');
    assert.equal((await slow).status, 200);
    assert.deepEqual(edge.clock.delays(), []);
  });

  it('a failing simulator returns 500 to the given number of requests without accepting them, then recovers', async (t) => {
    const edge = await startEdge(t, () => reply);
    edge.faults.answer_500 = 2;
    assert.equal((await edge.pay()).status, 500);
    assert.equal((await edge.get('/payouts/1')).status, 500);
    assert.equal((await edge.get('/payouts/1')).status, 200);
    assert.equal(edge.answers(), 1);
  });

  it('a simulator that cannot write its book drops that request and every later request', async (t) => {
    const failure = new BookFailure('no space left');
    const edge = await startEdge(t, () => Promise.reject(failure));
    assert.equal((await edge.get('/other')).status, 404);
    await assert.rejects(edge.get('/payouts/1'), /fetch failed/);
    await assert.rejects(edge.get('/other'), /fetch failed/);
    assert.deepEqual(edge.failures, [failure]);
  });
});
