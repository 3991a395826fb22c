import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import fastify from 'fastify';
import { compressAnswer } from './brotli.ts';

const LONG = 'a list '.repeat(1_000);

describe('the compression of responses', () => {
  const app = fastify();
  app.addHook('onSend', compressAnswer);
  app.all('/long', async () => LONG);
  app.get('/short', async () => 'a list');
  after(() => app.close());

  const ask = (method: 'GET' | 'POST', url: string, accepted: string) =>
    app.inject({ method, url, headers: { 'accept-encoding': accepted } });

  it('a long read is compressed for a client that accepts brotli', async () => {
    const { headers, rawPayload } = await ask('GET', '/long', 'gzip, br');
    assert.deepEqual([headers['content-encoding'], headers.vary], ['br', 'accept-encoding']);
    assert.equal(headers['content-length'], String(rawPayload.length));
    assert.equal(brotliDecompressSync(rawPayload).toString(), LONG);
  });

  for (const [what, method, url, accepted] of [
    ['a short read', 'GET', '/short', 'br'],
    ['a read for a client without brotli', 'GET', '/long', 'gzip, br;q=0'],
    ['an answer to another method, which may contain a secret', 'POST', '/long', 'br'],
  ] as const)
    it(`${what} is not compressed`, async () => {
      const { headers, payload } = await ask(method, url, accepted);
      assert.equal(headers['content-encoding'], undefined);
      assert.equal(payload.startsWith('a list'), true);
    });
});
