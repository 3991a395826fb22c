/** An overloaded server on real sockets: its rejections, and when it reads rejected connections again. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { WIRE_KEY } from '../../../test/support/merchants/wire-merchants.ts';
import { fullySigned, post, signOver } from '../../../test/support/payouts/payout-request.ts';
import { startPayoutWire } from '../../../test/support/payouts/payout-wire.ts';
import { errorBodyFor } from '../error-envelopes.ts';
import { createHttpAdmission } from './admission.ts';
import { createHttpServer } from './http-server.ts';

const BALANCE = '/payment/balance';
const JSON_TYPE = { 'content-type': 'application/json' };
const LIMITS = { inFlight: { merchants: 2, payers: 1 }, arriving: 2 };
const balance = JSON.stringify(fullySigned({ merchant: 'M1', currency: 'USD' }, WIRE_KEY));
const REFUSED = { status: 'Error', code: '99', payout_id: '', description: 'Too many requests' };

/** A little less than the time after which the server reads a rejected connection in any case. */
const READ_IN_ANY_CASE_MS = 4_500;

/** A payout wire that serves balance requests only after `release` is called. */
async function startHeld(t: TestContext, options: { holdDelays?: boolean } = {}) {
  const answers = { release: () => {} };
  const held = new Promise<void>((resolve) => {
    answers.release = resolve;
  });
  const admission = createHttpAdmission(LIMITS);
  const wire = await startPayoutWire({ http: { admission }, beforeBalance: () => held, ...options });
  t.after(() => {
    answers.release();
    return wire.stop();
  });
  /** Sends two requests that wait for their balance. */
  const fill = async () => {
    const waiting = [post(wire.url + BALANCE, balance), post(wire.url + BALANCE, balance)];
    while (wire.keysUsed.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    return waiting;
  };
  /** Sends `text` on a new socket. `answer` returns the bytes received so far. */
  const open = async (text: string) => {
    const socket = connect(Number(new URL(wire.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(text);
    return { socket, answer: () => received };
  };
  return { wire, fill, open, release: answers.release };
}

/** A rejected client whose body has not arrived, on a server without requests in flight. */
async function startRefused(t: TestContext) {
  const { fill, open, release } = await startHeld(t);
  const waiting = await fill();
  const { socket, answer } = await open(head(BALANCE, balance.length));
  while (!answer().includes('Too many requests')) await new Promise((resolve) => setTimeout(resolve, 5));
  release();
  await Promise.all(waiting);
  return { socket, answer };
}

function head(path: string, length: number): string {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', `Content-Length: ${length}`];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

describe('an overloaded server', () => {
  it('an overloaded server returns 429 with Retry-After in the wire’s envelope, and recovers after a response', async (t) => {
    const { wire, fill, release } = await startHeld(t);
    const waiting = await fill();
    const refused = await fetch(wire.url + BALANCE, { method: 'POST', body: balance, headers: JSON_TYPE });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.deepEqual(await refused.json(), { ...REFUSED, sign: signOver(REFUSED, 'all', '') });
    release();
    for (const answer of waiting) assert.equal((await answer).status, 200);
    assert.equal((await post(wire.url + BALANCE, balance)).status, 200);
    assert.deepEqual(wire.internalErrors, []);
  });

  it('an overloaded server rejects a request before its body arrives and keeps the connection', async (t) => {
    const { socket, answer } = await startRefused(t);
    socket.write(balance + head(BALANCE, balance.length) + balance);
    while (!answer().includes('"Success"')) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.match(answer(), /^HTTP\/1\.1 429 .*HTTP\/1\.1 200 /s);
    socket.destroy();
  });

  it('an overloaded server stops reading a rejected connection until another request is complete', async (t) => {
    const { fill, open, release } = await startHeld(t);
    const waiting = await fill();
    const { socket, answer } = await open(head(BALANCE, balance.length) + balance);
    const answers = () => answer().split('HTTP/1.1 ').length - 1;
    while (answers() < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    socket.write(head(BALANCE, balance.length) + balance);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(answers(), 1);
    release();
    await Promise.all(waiting);
    while (answers() < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.match(answer(), /^HTTP\/1\.1 429 .*HTTP\/1\.1 200 /s);
    socket.destroy();
  });

  it('a server without requests in flight immediately resumes a rejected connection', async (t) => {
    const { socket, answer } = await startRefused(t);
    socket.write(balance);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const askedAt = Date.now();
    socket.write(head(BALANCE, balance.length) + balance);
    while (!answer().includes('"Success"')) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(Date.now() - askedAt < READ_IN_ANY_CASE_MS);
    socket.destroy();
  });

  it('rejected clients that left do not delay the connections behind them', async (t) => {
    const { wire, fill, open, release } = await startHeld(t);
    const waiting = await fill();
    const refused = [];
    for (let at = 0; at < 3; at += 1) {
      const one = await open(head(BALANCE, balance.length) + balance);
      while (!one.answer().includes('Too many requests')) await new Promise((resolve) => setTimeout(resolve, 5));
      refused.push(one);
    }
    const last = refused.pop();
    for (const { socket } of refused) socket.destroy();
    last?.socket.write(head(BALANCE, balance.length) + balance);
    await new Promise((resolve) => setTimeout(resolve, 50));
    release();
    await Promise.all(waiting);
    const releasedAt = Date.now();
    while (!last?.answer().includes('"Success"')) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(Date.now() - releasedAt < READ_IN_ANY_CASE_MS);
    assert.deepEqual(wire.internalErrors, []);
    last?.socket.destroy();
  });

  it('an overloaded server serves unknown paths and health checks and rejects host-to-host requests in their own envelope', async (t) => {
    const { wire, fill } = await startHeld(t);
    await fill();
    assert.equal((await post(`${wire.url}/nope`, balance)).status, 404);
    const app = createHttpServer({
      errorBody: errorBodyFor,
      trustedProxies: [],
      onInternalError: () => {},
      goodbyeMs: 0,
      admission: createHttpAdmission({ inFlight: { merchants: 0, payers: 0 }, arriving: 1 }),
    });
    app.post('/api/v2/spei/host2host/create', async () => ({}));
    app.get('/healthz', { config: { trafficClass: 'unlimited' } }, async () => ({ status: 'alive' }));
    t.after(() => app.close());
    const deposit = await app.inject({ method: 'POST', url: '/api/v2/spei/host2host/create', payload: {} });
    assert.equal(deposit.statusCode, 429);
    assert.equal(deposit.headers['retry-after'], '1');
    const { description, ...others } = deposit.json();
    assert.equal(description, 'Too many requests');
    assert.deepEqual(Object.values(others), ['fail', 0, '', '', '', '', '']);
    assert.equal((await app.inject('/healthz')).statusCode, 200);
  });

  it('a server frees the slot of a client that disconnects during its body, and of a rejected request', async (t) => {
    const { wire, open, release } = await startHeld(t);
    release();
    for (let at = 0; at < 5; at += 1) {
      const { socket } = await open(`${head(BALANCE, 500)}{"a":`);
      await new Promise((resolve) => setTimeout(resolve, 10));
      socket.destroy();
      assert.equal((await post(wire.url + BALANCE, '{')).status, 400);
      assert.equal((await post(wire.url + BALANCE, balance, { 'content-encoding': 'gzip' })).status, 415);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    const both = await Promise.all([post(wire.url + BALANCE, balance), post(wire.url + BALANCE, balance)]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
  });

  it('a server closes the connection that has been sending longest when too many requests arrive concurrently', async (t) => {
    const { wire, open, release } = await startHeld(t);
    release();
    const slowest = await open(head(BALANCE, 500));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const slow = await open(head(BALANCE, 500));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const ended = once(slowest.socket, 'close');
    assert.equal((await post(wire.url + BALANCE, balance)).status, 200);
    await ended;
    assert.equal(slow.socket.destroyed, false);
    slow.socket.destroy();
  });
});
