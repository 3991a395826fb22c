/** The HTTP edge on real sockets. Requests that reach no wire get the right error in the right envelope. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { WIRE_KEY } from '../../../test/support/merchants/wire-merchants.ts';
import { fullySigned, post, signOver } from '../../../test/support/payouts/payout-request.ts';
import { type PayoutWire, startPayoutWire } from '../../../test/support/payouts/payout-wire.ts';
import { until } from '../../../test/support/tools/until.ts';
import { errorBodyFor } from '../error-envelopes.ts';
import { type AnsweredRequest, createHttpServer } from './http-server.ts';

const BALANCE = '/payment/balance';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('the HTTP edge', () => {
  let wire: PayoutWire;
  const answered: AnsweredRequest[] = [];
  before(async () => {
    const timeouts = { headersMs: 300, requestMs: 600, idleMs: 2_000 };
    wire = await startPayoutWire({ http: { timeouts, onAnswered: (answer) => answered.push(answer) } });
  });
  after(() => wire.stop());

  const balance = () => JSON.stringify(fullySigned({ merchant: 'M1', currency: 'USD' }, WIRE_KEY));

  function assertEnvelope(text: string, description: string) {
    const unsigned = { status: 'Error', code: '99', payout_id: '', description };
    assert.deepEqual(JSON.parse(text), { ...unsigned, sign: signOver(unsigned, 'all', '') });
  }

  /** Sends `text` on a new socket and reads until the server closes it. */
  async function raw(text: string | Buffer, drip: readonly string[] = []): Promise<string> {
    const socket = connect(Number(new URL(wire.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(text);
    const timers = drip.map((part, at) => setTimeout(() => socket.write(part), 100 * (at + 1)));
    await once(socket, 'close');
    for (const timer of timers) clearTimeout(timer);
    return received;
  }

  const post11 = (headers: readonly string[], body: string) =>
    [`POST ${BALANCE} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', body].join('\r\n');

  it('the HTTP server returns 404 for an unknown path, with any method and body', async () => {
    for (const path of [
      '/nope',
      '/',
      '/merchant/api/payout_send/',
      '/Payment/balance',
      '/payment/balance/x',
      '//payment/balance',
    ]) {
      for (const [method, body] of [
        ['GET', null],
        ['POST', 'x'],
        ['DELETE', null],
        ['OPTIONS', null],
      ] as const) {
        const response = await fetch(wire.url + path, { method, body });
        assert.equal(response.status, 404, `${method} ${path}`);
        assertEnvelope(await response.text(), 'Invalid path');
      }
    }
    assert.equal((await fetch(`${wire.url}/nope`, { method: 'HEAD' })).status, 404);
  });

  it('the HTTP server returns 400 for a path that it cannot decode', async () => {
    const response = await fetch(`${wire.url}/%zz`);
    assert.equal(response.status, 400);
    assertEnvelope(await response.text(), 'Invalid path');
  });

  it('the HTTP server returns 405 with Allow for an unsupported method on an existing path', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const response = await fetch(wire.url + BALANCE, { method, body: method === 'PUT' ? 'x' : null });
      assert.equal(response.status, 405, method);
      assert.equal(response.headers.get('allow'), 'POST');
      assertEnvelope(await response.text(), 'Invalid request method');
    }
    const head = await fetch(wire.url + BALANCE, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('allow'), await head.text()], [405, 'POST', '']);
    const options = await fetch(wire.url + BALANCE, { method: 'OPTIONS' });
    assert.deepEqual([options.status, options.headers.get('allow'), await options.text()], [204, 'POST', '']);
  });

  it('the HTTP server accepts JSON in UTF-8 and forms and rejects other content types with 415', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      assert.equal((await post(wire.url + BALANCE, balance(), { 'content-type': type })).status, 200, type);
    }
    const wrong = [
      'text/plain',
      'application/jsonx',
      'multipart/form-data; boundary=x',
      'application/json; charset=latin1',
      '*/*',
      'x',
      ';',
    ];
    for (const type of [...wrong, 'application/json, text/plain']) {
      const answer = await post(wire.url + BALANCE, balance(), { 'content-type': type });
      assert.equal(answer.status, 415, type);
      assertEnvelope(answer.text, 'Invalid content type');
    }
    const none = await raw(post11([`Content-Length: ${balance().length}`], balance()));
    assert.match(none, /^HTTP\/1\.1 415 /);
  });

  it('the HTTP server rejects compressed bodies with 415, whatever the Content-Encoding', async () => {
    const gzipped = await post(wire.url + BALANCE, gzipSync(balance()), { 'content-encoding': 'gzip' });
    assert.equal(gzipped.status, 415);
    assertEnvelope(gzipped.text, 'Invalid content encoding');
    for (const encoding of ['deflate', 'br', 'identity, gzip', 'x']) {
      assert.equal((await post(wire.url + BALANCE, balance(), { 'content-encoding': encoding })).status, 415, encoding);
    }
    assert.equal((await post(wire.url + BALANCE, balance(), { 'content-encoding': 'identity' })).status, 200);
    const unannounced = await post(wire.url + BALANCE, gzipSync(balance()));
    assert.equal(unannounced.status, 400);
  });

  it('the HTTP server accepts a body of 64 KiB and rejects one byte more, even in chunks', async () => {
    const padded = (length: number) => balance() + ' '.repeat(length - balance().length);
    assert.equal((await post(wire.url + BALANCE, padded(65_536))).status, 200);
    const large = await post(wire.url + BALANCE, padded(65_537));
    assert.equal(large.status, 413);
    assertEnvelope(large.text, 'Invalid body size');
    const chunks = `${(70_000).toString(16)}\r\n${' '.repeat(70_000)}\r\n0\r\n\r\n`;
    const chunked = await raw(post11(['Content-Type: application/json', 'Transfer-Encoding: chunked'], chunks));
    assert.match(chunked, /^HTTP\/1\.1 413 /);
    const announced = await raw(post11(['Content-Type: application/json', 'Content-Length: 10485760'], '{'));
    assert.match(announced, /^HTTP\/1\.1 413 /);
  });

  it('the HTTP server rejects an unreadable body with 400', async () => {
    const bodies = ['', ' ', '[]', '"x"', 'null', '{', '{}x', '\ufeff{}', Buffer.from('7b2261223a22ff227d', 'hex')];
    for (const body of bodies) {
      const answer = await post(wire.url + BALANCE, body);
      assert.equal(answer.status, 400, String(body));
      assertEnvelope(answer.text, 'Invalid body');
    }
    const nothing = await fetch(wire.url + BALANCE, { method: 'POST' });
    assert.equal(nothing.status, 400);
    assertEnvelope(await nothing.text(), 'Invalid body');
  });

  it('the HTTP server returns 408 for slow requests', async () => {
    const slowHeaders = await raw(`POST ${BALANCE} HTTP/1.1\r\nHost: x\r\n`, [
      'X-A: 1\r\n',
      'X-B: 1\r\n',
      'X-C: 1\r\n',
    ]);
    assert.match(slowHeaders, /^HTTP\/1\.1 408 /);
    assertEnvelope(slowHeaders.split('\r\n\r\n')[1] ?? '', 'Request time-out');
    const drip = Array.from({ length: 20 }, () => ' ');
    const slowBody = await raw(post11(['Content-Type: application/json', 'Content-Length: 500'], '{'), drip);
    assert.match(slowBody, /^HTTP\/1\.1 408 /);
  });

  it('the HTTP server returns an error for malformed HTTP and serves the next client', async () => {
    assert.match(await raw('\x16\x03\x01hello\r\n\r\n'), /^HTTP\/1\.1 400 /);
    assert.match(await raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /);
    const twoLengths = post11([JSON.stringify(JSON_TYPE), 'Content-Length: 1', 'Content-Length: 2'], '{}');
    assert.match(await raw(twoLengths), /^HTTP\/1\.1 400 /);
    const smuggled = post11(
      ['Content-Type: application/json', 'Content-Length: 2', 'Transfer-Encoding: chunked'],
      '{}',
    );
    assert.match(await raw(smuggled), /^HTTP\/1\.1 400 /);
    const body = balance();
    const length = `Content-Length: ${body.length}`;
    assert.match(await raw(post11(['Host: y', 'Content-Type: application/json', length], body)), /^HTTP\/1\.1 400 /);
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const old = post11(['Content-Type: application/json', 'Transfer-Encoding: chunked'], chunked);
    assert.match(await raw(old), /^HTTP\/1\.1 200 /);
    assert.match(await raw(old.replace(' HTTP/1.1', ' HTTP/1.0')), /^HTTP\/1\.1 400 /);
    assert.equal((await post(wire.url + BALANCE, balance())).status, 200);
  });

  it('the HTTP server survives a client that leaves during its body', async () => {
    const socket = connect(Number(new URL(wire.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(post11(['Content-Type: application/json', 'Content-Length: 500'], '{"a":'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await post(wire.url + BALANCE, balance())).status, 200);
    assert.deepEqual(wire.internalErrors, []);
  });

  it('the HTTP server reports each response without the query of its path', async () => {
    await post(`${wire.url + BALANCE}?secret=x`, balance());
    const { elapsedMs, ...last } = answered.at(-1) ?? { elapsedMs: -1 };
    assert.ok(elapsedMs >= 0);
    assert.deepEqual(last, { method: 'POST', path: BALANCE, route: BALANCE, status: 200, clientAddress: '127.0.0.1' });
  });
});

describe('the client certificate header', () => {
  for (const [who, trustedProxies, isAccepted] of [
    ['a trusted proxy', ['127.0.0.0/8'], true],
    ['any other client', ['10.0.0.1'], false],
  ] as const) {
    it(`the HTTP server ${isAccepted ? 'accepts' : 'drops'} a client certificate header from ${who}`, async () => {
      const app = createHttpServer({
        errorBody: errorBodyFor,
        trustedProxies,
        onInternalError: () => {},
        goodbyeMs: 0,
      });
      app.get('/', async ({ headers }) => ({ received: headers['client-cert'] !== undefined }));
      const url = await app.listen({ host: '127.0.0.1', port: 0 });
      const answer = await fetch(url, { headers: { 'client-cert': ':AAAA:' } });
      assert.deepEqual(await answer.json(), { received: isAccepted });
      await app.close();
    });
  }
});

describe('the client address', () => {
  const addressOf = async (forwarded: string, trustedProxies: readonly string[]) => {
    const app = createHttpServer({ errorBody: errorBodyFor, trustedProxies, onInternalError: () => {} });
    app.get('/', async ({ ip }) => ip);
    const answer = await app.inject({ url: '/', headers: { 'x-forwarded-for': forwarded } });
    await app.close();
    return answer.body;
  };

  it('the client address is the last address that is not a trusted proxy, without its port', async () => {
    const written = [
      ['203.0.113.9', '203.0.113.9'],
      ['203.0.113.9:5555', '203.0.113.9'],
      ['[2001:db8::1]:5555', '2001:db8::1'],
      ['[2001:db8::1]', '2001:db8::1'],
      ['2001:db8::1', '2001:db8::1'],
      ['198.51.100.1, 203.0.113.9:5555, 127.0.0.2:80', '203.0.113.9'],
      ['198.51.100.1:80 , 203.0.113.9', '203.0.113.9'],
    ] as const;
    for (const [forwarded, address] of written)
      assert.equal(await addressOf(forwarded, ['127.0.0.0/8']), address, forwarded);
  });

  it('the client address is the socket’s own without trusted proxies', async () => {
    assert.equal(await addressOf('203.0.113.9:5555', []), '127.0.0.1');
  });
});

describe('a draining server', () => {
  it('a draining server responds to requests that were sent before, in the wire’s envelope', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = 0;
    const beforeBalance = () => {
      begun += 1;
      return held;
    };
    const wire = await startPayoutWire({ beforeBalance, http: { goodbyeMs: 2_000 } });
    const body = JSON.stringify(fullySigned({ merchant: 'M1', currency: 'USD' }, WIRE_KEY));
    const socket = connect(Number(new URL(wire.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    await once(socket, 'connect');
    const head = ['Host: x', 'Content-Type: application/json', `Content-Length: ${body.length}`];
    const request = [`POST ${BALANCE} HTTP/1.1`, ...head, '', body].join('\r\n');
    socket.write(request);
    await until('the first request is read', () => begun === 1);
    const stopped = wire.stop();
    // On an open connection, a request can still arrive after the listener closed.
    socket.write(request);
    await until('the second request is read', () => begun === 2);
    release();
    await once(socket, 'close');
    await stopped;
    const [first, second, ...more] = received.split(/(?=HTTP\/1\.1 )/);
    assert.match(first ?? '', /^HTTP\/1\.1 200 .*"status":"Success"/s);
    assert.match(second ?? '', /^HTTP\/1\.1 200 .*"status":"Success"/s);
    assert.equal(more.length, 0);
  });
});
