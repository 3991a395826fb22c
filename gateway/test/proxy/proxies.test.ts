/**
 * The proxy examples do what the gateway relies on: they forward the client's address and certificate, prevent clients from
 * forging either, compress nothing, limit bodies and forward events immediately. Each test runs if its program is installed.
 */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createHttpServer } from '../../src/protocol/http/http-server.ts';
import { ask, makeCertificate, makeFolder, PROXIES, type RunningProxy } from './proxy-under-test.ts';

/** A page that compresses well. */
const PAGE = 'secret '.repeat(2_000);
const PIX = '/rail-notifications/pix';

for (const { name, isInstalled, start } of PROXIES)
  describe(`${name} in front of the gateway`, { skip: !isInstalled && `${name} is not installed` }, () => {
    const { folder, remove } = makeFolder();
    const bank = makeCertificate(folder, 'bank');
    const stranger = makeCertificate(folder, 'stranger');
    const app = createHttpServer({
      errorBody: () => '',
      trustedProxies: ['127.0.0.1'],
      onInternalError: () => {},
      goodbyeMs: 0,
    });
    app.get('/', async ({ ip, headers }) => ({ ip, certificate: headers['client-cert'] ?? null, host: headers.host }));
    app.get('/page', async (_request, reply) => reply.type('text/html').send(PAGE));
    let largest = 0;
    app.addContentTypeParser('text/plain', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.post('/', async ({ body }) => {
      largest = Math.max(largest, (body as Buffer).length);
      return 'taken';
    });
    app.get(PIX, async ({ headers }) => ({ certificate: headers['client-cert'] ?? null }));
    let events: Server;
    let proxy: RunningProxy;

    before(async () => {
      await app.listen({ host: '127.0.0.1', port: 0 });
      events = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: first\n\n');
        setTimeout(() => response.end('data: last\n\n'), 300);
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => events.once('listening', resolve));
      const portOf = (address: unknown) => (address as AddressInfo).port;
      proxy = await start({ pay: portOf(app.server.address()), manage: portOf(events.address()) }, folder);
    });

    after(async () => {
      await proxy?.stop();
      await app.close();
      events.close();
      remove();
    });

    const pay = (asked: Omit<Parameters<typeof ask>[1], 'host'> = {}) =>
      ask(proxy, { host: proxy.hosts.pay, ...asked });

    it(`${name} in front of the gateway forwards the client’s address, whatever the client claims`, async () => {
      const { body } = await pay({ headers: { 'x-forwarded-for': '203.0.113.9' } });
      assert.equal(JSON.parse(body).ip, '127.0.0.2');
      assert.equal(JSON.parse(body).host, proxy.hosts.pay);
    });

    it(`${name} in front of the gateway removes a certificate that a client claims in a header`, async () => {
      const { body } = await pay({ headers: { 'client-cert': ':AAAA:' } });
      assert.ok(!body.includes('AAAA'), body);
    });

    it(`${name} in front of the gateway lets the bank with its certificate reach the notifications of its rail`, async () => {
      const shown = new X509Certificate(readFileSync(bank.cert)).raw.toString('base64');
      const { status, body } = await pay({ path: PIX, certificate: bank });
      assert.equal(status, 200);
      // nginx verifies the certificate itself. Caddy forwards it to the gateway, which verifies it.
      assert.equal(JSON.parse(body).certificate, name === 'Caddy' ? `:${shown}:` : null);
    });

    it(`${name} in front of the gateway does not let another client appear as the bank`, async () => {
      for (const certificate of [undefined, stranger]) {
        const { status, body } = await pay({ path: PIX, ...(certificate ? { certificate } : {}) });
        if (name === 'nginx') assert.ok([400, 403].includes(status), String(status));
        else if (certificate)
          assert.ok(!body.includes(new X509Certificate(readFileSync(bank.cert)).raw.toString('base64')));
        else assert.equal(JSON.parse(body).certificate, null);
      }
    });

    it(`${name} does not compress a page`, async () => {
      const { headers, body } = await pay({ path: '/page', headers: { 'accept-encoding': 'gzip, br, zstd' } });
      assert.equal(headers['content-encoding'], undefined);
      assert.equal(body, PAGE);
    });

    it(`${name} in front of the gateway rejects a large body before the gateway reads it`, async () => {
      const send = (bytes: number) =>
        pay({ method: 'POST', headers: { 'content-type': 'text/plain' }, body: Buffer.alloc(bytes, 'a') });
      assert.equal((await send(60_000)).status, 200);
      // Caddy before version 2.7 returned 502.
      assert.ok([413, 502].includes((await send(300_000)).status));
      assert.equal(largest, 60_000);
    });

    it(`${name} in front of the gateway forwards the pages’ events as they happen`, async () => {
      const { body, tookMs } = await ask(proxy, { host: proxy.hosts.manage, path: '/events' });
      assert.match(body, /first[\s\S]*last/);
      assert(tookMs > 100, `both events arrived within ${tookMs} ms`);
    });
  });
