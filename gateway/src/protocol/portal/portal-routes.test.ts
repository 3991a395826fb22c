import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Fastify from 'fastify';
import { NONCE_PLACEHOLDER, PAGE_ROOTS, SESSION_PLACEHOLDER } from '../../../contract/portal-page.ts';
import { loadPortalFiles } from './portal-files.ts';
import { portalRoutes } from './portal-routes.ts';

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    `<script nonce="${NONCE_PLACEHOLDER}"></script><script type="application/json">${SESSION_PLACEHOLDER}</script>`,
  );
  writeFileSync(join(folder, 'assets/index-1.js'), 'plain');
  writeFileSync(join(folder, 'assets/index-1.js.br'), 'small');
  writeFileSync(join(folder, 'assets/inter.woff2'), 'font');
});
after(() => rmSync(folder, { recursive: true }));

/** `session`: undefined: unknown. */
function serve(from: string, session?: object | null) {
  const app = Fastify();
  let nonces = 0;
  void app.register(
    portalRoutes({ files: loadPortalFiles(from), nonce: () => `nonce-${++nonces}`, session: async () => session }),
  );
  return app;
}

describe('the routes of the pages', () => {
  it('every page URL returns the page, under a policy with a fresh nonce', async () => {
    const app = serve(folder);
    const nonces = new Set<string>();
    for (const path of ['/', ...PAGE_ROOTS.flatMap((root) => [`/${root}`, `/${root}/M1/A%2F1`])]) {
      const { statusCode, headers, body } = await app.inject(path);
      assert.equal(statusCode, 200, path);
      const policy = String(headers['content-security-policy']);
      const [, nonce = ''] = /script-src 'self' 'nonce-([\w-]+)'/.exec(policy) ?? [];
      assert.ok(body.includes(`nonce="${nonce}"`), path);
      assert.match(policy, /default-src 'none'.*frame-ancestors 'none'; base-uri 'none'/);
      assert.doesNotMatch(policy, /unsafe/);
      assert.equal(headers['cache-control'], 'no-store');
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 1 + 2 * PAGE_ROOTS.length);
  });

  it('the page embeds its visitor’s session, which cannot close the script element', async () => {
    const sessionIn = async (session: object | null | undefined) => {
      const { body } = await serve(folder, session).inject('/payouts');
      return /<script type="application\/json">(.*)<\/script>$/.exec(body)?.[1];
    };
    assert.equal(await sessionIn(undefined), '');
    assert.equal(await sessionIn(null), 'null');
    const session = { person: { name: '</script><b>$&' } };
    const text = (await sessionIn(session)) ?? '';
    assert.doesNotMatch(text, /</);
    assert.deepEqual(JSON.parse(text), session);
  });

  it('an asset is immutable, and compressed for a browser that accepts it', async () => {
    const app = serve(folder);
    const get = (encoding: string) =>
      app.inject({ url: '/assets/index-1.js', headers: { 'accept-encoding': encoding } });
    const small = await get('gzip, deflate, br');
    assert.deepEqual([small.body, small.headers['content-encoding']], ['small', 'br']);
    assert.match(String(small.headers['cache-control']), /immutable/);
    for (const encoding of ['gzip', 'br;q=0', ''])
      assert.deepEqual(
        [(await get(encoding)).body, (await get(encoding)).headers['content-encoding']],
        ['plain', undefined],
      );
    assert.equal((await app.inject('/assets/inter.woff2')).headers['content-type'], 'font/woff2');
  });

  it('a file that is not an asset gets 404', async () => {
    const app = serve(folder);
    for (const path of ['/assets/..%2Findex.html', '/assets/index-1.js.br', '/assets/constructor', '/elsewhere'])
      assert.equal((await app.inject(path)).statusCode, 404, path);
  });

  it('the gateway returns build instructions if the pages were never built', async () => {
    const { statusCode, body } = await serve(join(folder, 'nowhere')).inject('/payouts');
    assert.equal(statusCode, 503);
    assert.match(body, /npm run portal/);
  });
});
