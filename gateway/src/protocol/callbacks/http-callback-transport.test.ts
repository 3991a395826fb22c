import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { testKey } from '../../../test/support/merchants/merchant-keys.ts';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { dueCallback } from '../../../test/support/payouts/due-callback.ts';
import { PRIVATE_HOSTS } from '../../../test/support/tools/private-hosts.ts';
import type { Callback } from '../../domain/callbacks/callback.ts';
import type { CallbackTransport } from '../../domain/callbacks/callback-transport.ts';
import { keysByPurpose, type MerchantWithKeys } from '../../domain/merchants/merchant.ts';
import { createManualClock, type ManualClock, SECOND_MS, systemClock } from '../../foundation/clock.ts';
import { createHttpCallbackTransport, type HttpCallbackTransportParts } from './http-callback-transport.ts';

const NEVER = new AbortController().signal;
const NOW = Date.UTC(2026, 10, 20, 10);
const DEVELOPMENT = { development: true, extraPorts: new Set<number>() };
/** A self-signed certificate for 127.0.0.1, valid for a hundred years. */
const SELF_SIGNED = `-----BEGIN CERTIFICATE-----
MIIBkTCCATagAwIBAgIUCgDhBWqSCBcMcBp2pa1D+puPMigwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAzMjI1NVoYDzIxMjYxMDI4
MDMyMjU1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARu7vQTEDw8Xb6E36IBI1pyX7hn1Q+YB4VT8BSEZNFl9bynnCowlDt1
nkgX3Gx+DjLBIENmE1/B6y/cnxWTHLJqo2QwYjAdBgNVHQ4EFgQU0TW23IzhdnSm
R+uEEnSVbmJlBK4wHwYDVR0jBBgwFoAU0TW23IzhdnSmR+uEEnSVbmJlBK4wDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0kAMEYC
IQDYZNwCkzEQIofecGYiVPNwGilXGVEooj1oMRYXYDhNugIhANEwWSwRceGfI0eq
SA2cRkQ2HIYCKuV5WJ61Aoi0PUHF
-----END CERTIFICATE-----`;
const SELF_SIGNED_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxh187zHa+iIoEtzf
XX+v2ST47fbhehNwGRUxh+MIMMyhRANCAARu7vQTEDw8Xb6E36IBI1pyX7hn1Q+Y
B4VT8BSEZNFl9bynnCowlDt1nkgX3Gx+DjLBIENmE1/B6y/cnxWTHLJq
-----END PRIVATE KEY-----`;

const open: (() => unknown)[] = [];
after(() => Promise.all(open.map((close) => close())));

const callback = dueCallback({
  callbackId: 'payout_1',
  subjectId: 'A1',
  payload: { merchant: 'M1', payout_id: 'A1' },
  createdAt: NOW,
});

function recipient(processUrl: string | null, settings: Record<string, string> = {}): MerchantWithKeys {
  return {
    merchant: merchantNamed('M1', { processUrl, settings }),
    keys: keysByPurpose([testKey('key', { firstUsedAt: NOW })]),
  };
}

function transport(parts: Partial<HttpCallbackTransportParts> = {}): CallbackTransport {
  const made = createHttpCallbackTransport({ policy: DEVELOPMENT, mode: 'live', clock: systemClock, ...parts });
  open.push(() => made.close());
  return made;
}

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function receiver(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(answer))}/callback?shop=1`;
}

/** Advances a manual clock repeatedly until the attempt ends. */
async function whileAdvancing<Value>(clock: ManualClock, work: Promise<Value>): Promise<Value> {
  const timer = setInterval(() => clock.advance(SECOND_MS), 5);
  return work.finally(() => clearInterval(timer));
}

const deliver = (url: string | null, settings: Record<string, string> = {}) =>
  transport().deliver(callback, recipient(url, settings), NEVER);

for (const [body, outcome] of [
  ['OK', 'accepted'],
  [' ok\r\n', 'accepted'],
  ['', 'refused_body'],
  ['OK!', 'refused_body'],
  ['{"status":"OK"}', 'refused_body'],
] as const) {
  test(`a callback with the response 200 and the body ${JSON.stringify(body)} is ${outcome}`, async () => {
    const url = await receiver((_request, response) => response.end(body));
    const report = await deliver(url);
    assert.deepEqual([report.outcome, report.httpStatus], [outcome, 200]);
  });
}

test('a callback accepts any 2xx if the merchant’s setting is any_2xx', async () => {
  const url = await receiver((_request, response) => response.writeHead(204).end());
  assert.equal((await deliver(url, { callback_ack: 'any_2xx' })).outcome, 'accepted');
  assert.equal((await deliver(url)).outcome, 'refused_body');
});

test('a deposit callback goes to process_url, as a signed GET if the merchant’s setting requires it', async () => {
  const seen: { method: string | undefined; query: string; body: string; sign: unknown }[] = [];
  const url = await receiver(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const query = request.url?.split('?')[1] ?? '';
    seen.push({
      method: request.method,
      query,
      body: Buffer.concat(chunks).toString(),
      sign: request.headers['x-sign'],
    });
    response.end('OK');
  });
  const byGet: Callback = {
    ...callback,
    subject: 'deposit',
    payload: { co_inv_id: '1', co_inv_crt: '2026-11-20 10:00:00' },
  };
  const { merchant, keys } = recipient(`${url}&note=it's`, { callback_method: 'get' });
  const elsewhere = { ...merchant, payoutCallbackUrl: 'http://127.0.0.1:1/', eventUrl: 'http://127.0.0.1:1/' };
  const report = await transport().deliver(byGet, { merchant: elsewhere, keys }, NEVER);
  assert.equal(report.outcome, 'accepted');
  const [arrived] = seen;
  assert.deepEqual([arrived?.method, arrived?.body], ['GET', '']);
  assert.match(arrived?.query ?? '', /^shop=1&note=it.+&co_inv_id=1&co_inv_crt=2026-11-20\+10%3A00%3A00&co_sign=/);
  const hex = createHmac('sha256', 'key')
    .update(arrived?.query ?? '')
    .digest('hex');
  assert.equal(arrived?.sign, btoa(hex));
});

test('a payout callback is a POST to the full URL, with the gateway’s user agent and a length', async () => {
  const seen: unknown[] = [];
  const url = await receiver((request, response) => {
    seen.push(
      request.method,
      request.url,
      request.headers['user-agent'],
      request.headers['content-length'] !== undefined,
    );
    response.end('OK');
  });
  await deliver(url);
  assert.deepEqual(seen, ['POST', '/callback?shop=1', 'payment-gateway-callbacks/1', true]);
});

test('a callback response OK with an error status is not accepted, but its Retry-After is used', async () => {
  let retryAfter = '120';
  const url = await receiver((_request, response) => response.writeHead(503, { 'retry-after': retryAfter }).end('OK'));
  const sender = transport({ clock: createManualClock(NOW) });
  const report = await sender.deliver(callback, recipient(url), NEVER);
  assert.deepEqual([report.outcome, report.httpStatus, report.retryAfterMs], ['refused_status', 503, 120_000]);
  retryAfter = new Date(NOW + 90_000).toUTCString();
  assert.equal((await sender.deliver(callback, recipient(url), NEVER)).retryAfterMs, 90_000);
  retryAfter = 'soon';
  assert.equal((await sender.deliver(callback, recipient(url), NEVER)).retryAfterMs, null);
});

test('a callback does not follow a redirect', async () => {
  let followed = false;
  const url = await receiver((request, response) => {
    if (request.url === '/elsewhere') followed = true;
    response.writeHead(307, { location: '/elsewhere' }).end('OK');
  });
  assert.equal((await deliver(url)).outcome, 'redirected');
  assert.equal(followed, false);
});

test('a callback to a server that hangs times out after 15 seconds', async () => {
  const clock = createManualClock(NOW);
  const url = await receiver(() => undefined);
  const report = await whileAdvancing(clock, transport({ clock }).deliver(callback, recipient(url), NEVER));
  assert.equal(report.outcome, 'timed_out');
  assert(report.latencyMs >= 15_000 && report.latencyMs < 18_000, `${report.latencyMs} ms`);
});

test('a callback to a server that sends its response byte by byte times out after 15 seconds', async () => {
  const clock = createManualClock(NOW);
  const url = await receiver((_request, response) => {
    const drip = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(drip));
  });
  const report = await whileAdvancing(clock, transport({ clock }).deliver(callback, recipient(url), NEVER));
  assert.equal(report.outcome, 'timed_out');
});

test('a callback reads at most 64 KiB of a response and stores one KiB', async () => {
  let stopped = false;
  const url = await receiver((_request, response) => {
    const chunk = Buffer.alloc(16_384, 'x');
    const flood = () => {
      while (!stopped && response.write(chunk));
    };
    response.on('drain', flood).on('close', () => {
      stopped = true;
    });
    flood();
  });
  const report = await deliver(url);
  assert.deepEqual([report.outcome, report.reply], ['refused_body', 'x'.repeat(1024)]);
});

for (const [what, head, flood] of [
  ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500)],
  ['the extension of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', 'x'.repeat(16_384)],
] as const)
  test(`a callback attempt ends when its receiver floods it with ${what}`, async () => {
    const server = createTcpServer((socket) => {
      const write = () => {
        while (!socket.destroyed && socket.write(flood));
      };
      socket.on('error', () => undefined).on('drain', write);
      socket.once('data', () => {
        socket.write(head);
        write();
      });
    });
    const { outcome, reply } = await deliver(`http://127.0.0.1:${await listen(server)}/`);
    assert.deepEqual([outcome, reply], ['unreachable', 'The response is too long']);
  });

test('a stored response does not contain a character that PostgreSQL or a terminal cannot handle', async () => {
  const url = await receiver((_request, response) => response.end(Buffer.from([0x61, 0, 0x1b, 0xff, 0x62])));
  assert.equal((await deliver(url)).reply, 'a\ufffd\ufffd\ufffdb');
});

test('a server that drops the connection after a callback is treated as unreachable', async () => {
  let taken = 0;
  const url = await receiver((request) => {
    taken++;
    request.socket.destroy();
  });
  const report = await deliver(url);
  assert.deepEqual([report.outcome, report.httpStatus, taken], ['unreachable', null, 1]);
});

test('a closed port and a malformed response are treated as unreachable', async () => {
  const server = createTcpServer((socket) => socket.end('nonsense\r\n\r\n').on('error', () => undefined));
  const port = await listen(server);
  assert.equal((await deliver(`http://127.0.0.1:${port}/`)).outcome, 'unreachable');
  assert.equal((await deliver('http://127.0.0.1:1/')).outcome, 'unreachable');
});

test('a callback does not accept a self-signed certificate', async () => {
  const server = createTlsServer({ key: SELF_SIGNED_KEY, cert: SELF_SIGNED }, (_request, response) =>
    response.end('OK'),
  );
  const { outcome, reply } = await deliver(`https://127.0.0.1:${await listen(server)}/`);
  assert.equal(outcome, 'unreachable');
  assert.match(reply, /SELF_SIGNED_CERT/);
});

test('a stop signal ends a callback attempt', async () => {
  const url = await receiver(() => undefined);
  const stop = new AbortController();
  const report = transport().deliver(callback, recipient(url), stop.signal);
  stop.abort();
  assert.equal((await report).outcome, 'timed_out');
});

test('a callback goes to the URL of its kind, and is not sent without a URL', async () => {
  assert.equal((await deliver(null)).outcome, 'no_address');
  const paths: string[] = [];
  const url = await receiver((request, response) => {
    paths.push(request.url ?? '');
    response.end('OK');
  });
  const { merchant, keys } = recipient(url);
  const both = {
    merchant: { ...merchant, payoutCallbackUrl: new URL('/payouts', url).href, eventUrl: new URL('/events', url).href },
    keys,
  };
  await transport().deliver(callback, both, NEVER);
  await transport().deliver({ ...callback, subject: 'event' }, both, NEVER);
  assert.deepEqual(paths, ['/payouts', '/events']);
  assert.equal(
    (await transport().deliver({ ...callback, subject: 'event' }, recipient(url), NEVER)).outcome,
    'no_address',
  );
});

/** A production transport whose names resolve to `addresses`, and a loopback server that must receive nothing. */
async function guarded(addresses: readonly string[]) {
  const met: Socket[] = [];
  const port = await listen(createTcpServer((socket) => met.push(socket)));
  const policy = { development: false, extraPorts: new Set([port]) };
  const looked: string[] = [];
  const lookUp = async (hostname: string) => {
    looked.push(hostname);
    return addresses;
  };
  const report = (host: string) =>
    transport({ policy, lookUp }).deliver(callback, recipient(`https://${host}:${port}/`), NEVER);
  return { met, looked, report };
}

test('a callback to a name with a private address does not send a packet', async () => {
  const addresses = [
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '172.20.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.100.100.200',
    '0.0.0.0',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    'fd00::1',
    'fe80::1',
    '::',
    '224.0.0.1',
    '255.255.255.255',
    'nonsense',
  ];
  for (const address of addresses) {
    const { met, looked, report } = await guarded([address]);
    assert.equal((await report('shop.example')).outcome, 'forbidden_address', address);
    assert.deepEqual([met.length, looked.length], [0, 1], address);
  }
});

test('a callback to a name with both public and private addresses is forbidden', async () => {
  const { met, report } = await guarded(['93.184.215.14', '127.0.0.1']);
  const { outcome, reply } = await report('shop.example');
  assert.deepEqual([outcome, reply], ['forbidden_address', 'shop.example leads to 127.0.0.1, not a public address']);
  assert.equal(met.length, 0);
});

test('a callback to a literal private address in any spelling does not send a packet and does not resolve a name', async () => {
  const { met, looked, report } = await guarded(['93.184.215.14']);
  for (const host of PRIVATE_HOSTS) assert.equal((await report(host)).outcome, 'forbidden_address', host);
  assert.deepEqual([met.length, looked.length], [0, 0]);
});

test('each callback attempt resolves a name once and verifies the result', async () => {
  const answers = [['127.0.0.1'], ['10.0.0.1']];
  let asked = 0;
  const url = await receiver((_request, response) => response.setHeader('connection', 'close').end('OK'));
  const sender = transport({ lookUp: async () => answers[asked++] ?? [] });
  const named = recipient(url.replace('127.0.0.1', 'shop.example'));
  assert.equal((await sender.deliver(callback, named, NEVER)).outcome, 'accepted');
  assert.equal(asked, 1);
  assert.equal((await sender.deliver(callback, named, NEVER)).outcome, 'forbidden_address');
  assert.equal(asked, 2);
});

test('a callback to an unknown name is unreachable, and to a name without addresses forbidden', async () => {
  const unknown = Object.assign(new Error('queryA ENOTFOUND shop.example'), { code: 'ENOTFOUND' });
  const sender = transport({ lookUp: () => Promise.reject(unknown) });
  assert.equal((await sender.deliver(callback, recipient('https://shop.example/'), NEVER)).outcome, 'unreachable');
  const { report } = await guarded([]);
  assert.equal((await report('shop.example')).outcome, 'forbidden_address');
});
