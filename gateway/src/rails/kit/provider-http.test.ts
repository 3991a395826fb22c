import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { untilAborted } from '../../foundation/deadline.ts';
import { createProviderHttp, type ProviderHttp } from './provider-http.ts';

interface Provider {
  readonly url: string;
  readonly http: ProviderHttp;
  readonly requests: { verb: string; path: string; body: string }[];
  connections(): number;
}

const cleanups: (() => Promise<unknown> | unknown)[] = [];
after(async () => {
  for (const clean of cleanups) await clean();
});

async function provider(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  options: { scheme?: string; prefix?: string; connections?: number } = {},
): Promise<Provider> {
  const requests: Provider['requests'] = [];
  let connections = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({ verb: request.method ?? '', path: request.url ?? '', body: Buffer.concat(chunks).toString() });
    answer(response, request);
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `${options.scheme ?? 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}${options.prefix ?? ''}`;
  const http = createProviderHttp({ baseUrl: url, connections: options.connections ?? 4 });
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
    await http.close();
  });
  return { url, http, requests, connections: () => connections };
}

const post = {
  verb: 'POST',
  path: '/payouts',
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
} as const;
const forever = () => untilAborted(new AbortController().signal);

describe('an exchange with a provider', () => {
  it('an exchange with a provider returns the complete response for any status', async () => {
    const { http, requests } = await provider((response) => response.writeHead(503).end('busy'), { prefix: '/bank/' });
    const reply = await http.exchange(post, forever());
    assert.deepEqual(reply, { kind: 'answered', status: 503, body: Buffer.from('busy') });
    assert.deepEqual(requests, [{ verb: 'POST', path: '/bank/payouts', body: '{"a":1}' }]);
  });

  it('an exchange with a provider does not follow a redirect', async () => {
    const { http, requests } = await provider((response) => response.writeHead(307, { location: '/elsewhere' }).end());
    const reply = await http.exchange(post, forever());
    assert.equal(reply.kind === 'answered' && reply.status, 307);
    assert.equal(requests.length, 1);
  });

  it('an exchange with a provider reuses connections and opens no more than the limit', async () => {
    const { http, connections } = await provider((response) => void setTimeout(() => response.end('ok'), 20), {
      connections: 2,
    });
    const replies = await Promise.all(Array.from({ length: 8 }, () => http.exchange(post, forever())));
    assert.ok(replies.every(({ kind }) => kind === 'answered'));
    assert.equal(connections(), 2);
  });
});

describe('a connection that could not be opened', () => {
  it('a refused connection is returned as not connected', async () => {
    const { url, http } = await provider((response) => response.end());
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const nobody = createProviderHttp({ baseUrl: `http://127.0.0.1:${port}`, connections: 1 });
    cleanups.push(() => nobody.close());
    assert.deepEqual(await nobody.exchange(post, forever()), {
      kind: 'not_connected',
      reason: 'no connection: ECONNREFUSED',
    });
    assert.equal((await http.exchange(post, forever())).kind, 'answered', `${url} answers meanwhile`);
  });

  it('a host without an address is returned as not connected', async () => {
    const nowhere = createProviderHttp({ baseUrl: 'http://bank.invalid', connections: 1 });
    cleanups.push(() => nowhere.close());
    const reply = await nowhere.exchange(post, forever());
    assert.equal(reply.kind, 'not_connected');
  });

  it('a server that does not speak TLS is returned as not connected', async () => {
    const { http, requests } = await provider((response) => response.end(), { scheme: 'https' });
    assert.equal((await http.exchange(post, forever())).kind, 'not_connected');
    assert.equal(requests.length, 0);
  });
});

describe('a request without a complete response', () => {
  const cases: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'the connection is reset': (response) => response.socket?.resetAndDestroy(),
    'the connection ends without a byte': (response) => response.socket?.end(),
    'the answer breaks off': (response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"status":');
      setImmediate(() => response.socket?.destroy());
    },
    'the answer is not HTTP': (response) => response.socket?.end('hello\r\n\r\n'),
    'the response has no end': (response) => response.writeHead(200).end(Buffer.alloc(70_000, 'x')),
  };
  for (const [name, answer] of Object.entries(cases)) {
    it(`a request without a complete response is treated as unanswered and is not retried: ${name}`, async () => {
      const { http, requests } = await provider(answer);
      assert.equal((await http.exchange(post, forever())).kind, 'no_answer');
      assert.equal((await http.exchange({ ...post, verb: 'GET', body: '' }, forever())).kind, 'no_answer');
      assert.equal(requests.length, 2);
    });
  }

  it('a request ends at its deadline, before or during the response', async () => {
    const hangs = await provider(() => {});
    const drips = await provider((response) => void response.writeHead(200).write('{'));
    for (const { http, requests } of [hangs, drips]) {
      const deadline = new AbortController();
      const reply = http.exchange(post, untilAborted(deadline.signal));
      while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      setTimeout(() => deadline.abort(), 20);
      assert.deepEqual(await reply, { kind: 'no_answer', reason: 'no response in time' });
      assert.equal(requests.length, 1);
    }
  });

  it('a request does not write anything after its deadline if the process was stopped while it connected', async () => {
    const { http, requests } = await provider((response) => response.end('ok'));
    const startedAt = Date.now();
    const isPast = () => Date.now() > startedAt + 100;
    const timeout = new AbortController();
    setTimeout(() => timeout.abort(), 100);
    const reply = http.exchange(post, { signal: timeout.signal, isPast });
    while (!isPast()) Math.sqrt(2);
    assert.deepEqual(await reply, { kind: 'not_connected', reason: 'no connection in time' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(requests, []);
  });

  it('a request without a complete response leaves a working connection for the next request', async () => {
    let count = 0;
    const { http } = await provider(
      (response) => {
        count += 1;
        if (count === 1) response.socket?.resetAndDestroy();
        else response.end('ok');
      },
      { connections: 1 },
    );
    assert.equal((await http.exchange(post, forever())).kind, 'no_answer');
    assert.equal((await http.exchange(post, forever())).kind, 'answered');
  });
});
