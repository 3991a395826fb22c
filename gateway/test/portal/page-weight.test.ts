/**
 * The weight of the pages: the size of their scripts and styles, and, in the full run, the pages on a slow network and a
 * slow processor (400 kbit/s, a quarter of this machine's speed).
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { CDPSession } from 'playwright-core';
import { buildPortal } from '../../../portal/build.ts';
import { until } from '../support/tools/until.ts';
import { arrive } from './page-checks.ts';
import { invited, openPortalStage, type PortalStage, type Visitor } from './portal-stage.ts';

const BYTES_PER_SECOND = 50_000;
const SLOWDOWN = 4;
/** A busy machine decides how long scripts run, so the limits are bytes. A visitor signs in within 4 s. */
const SIGN_IN_BYTES = 2 * BYTES_PER_SECOND;
const FIRST_BYTES = 180_000;
const LATER_BYTES = BYTES_PER_SECOND;
/** The bytes of one page are none of the next. */
const SETTLED_MS = 1_000;
const LATER = ['Payouts', 'Deposits', 'Balances', 'Callbacks', 'Charts', 'Developers', 'Team', 'Settings'] as const;

let stage: PortalStage;
let owner: Visitor;
let received = 0;

/** Slow, and with an empty cache. */
async function slowDown({ context, page }: Visitor): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  const speed = { downloadThroughput: BYTES_PER_SECOND, uploadThroughput: BYTES_PER_SECOND };
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: 0, ...speed });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  countBytes(session);
}

/** Bytes that arrived: fonts do not count, because the page shows its text without them. */
function countBytes(session: CDPSession): void {
  const fonts = new Set<string>();
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Font') fonts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!fonts.has(requestId)) received += encodedDataLength;
  });
}

async function measured(name: string, context: TestContext, act: () => Promise<void>): Promise<number> {
  received = 0;
  const begin = performance.now();
  await act();
  const bytes = received;
  context.diagnostic(`${name}: usable after ${Math.round(performance.now() - begin)} ms and ${bytes} bytes`);
  await owner.page.waitForTimeout(SETTLED_MS);
  return bytes;
}

const ROOT = join(import.meta.dirname, '../../..');
const ASSETS = join(ROOT, 'portal/dist/assets');

/** The scripts, and those that they import before they run. */
function withImports(names: readonly string[]): readonly string[] {
  const all = new Set(names);
  for (const name of all)
    for (const [, imported = ''] of readFileSync(join(ASSETS, name), 'utf8').matchAll(IMPORT)) all.add(imported);
  return [...all];
}

const IMPORT = /(?:\bfrom|\bimport)"\.\/([\w.-]+\.js)"/g;
/** Of the operator’s people, and of a merchant’s. */
const FIRST_PAGES = ['inbox-page', 'home-page'] as const;
const MANTINE_STYLES = join(ROOT, 'node_modules/@mantine/core/styles.css');

/** The scripts that a person loads before these entries run. */
function scriptsOf(...entries: readonly string[]): readonly string[] {
  return withImports(
    ['index', 'draw', ...entries].map((entry) => {
      const name = assetsWith('.js').find((each) => each.replace(/-[\w-]{8}\.js$/, '') === entry);
      assert.ok(name, entry);
      return name;
    }),
  );
}

const assetsWith = (end: string) => readdirSync(ASSETS).filter((name) => name.endsWith(end));

describe('the weight of the pages', () => {
  before(() => buildPortal());

  it('the sign-in loads at most 80 kB of compressed script, a first page 160 kB, and each further page 90 kB', () => {
    const sizeOf = (name: string) => readFileSync(join(ASSETS, `${name}.br`)).length;
    const total = (names: readonly string[]) => names.reduce((sum, name) => sum + sizeOf(name), 0);
    const signIn = scriptsOf('sign-in-app');
    assert.ok(total(signIn) < 80_000, `sign-in: ${total(signIn)} bytes`);
    for (const page of FIRST_PAGES) {
      const first = scriptsOf('app', page);
      assert.ok(total(first) < 160_000, `${page}: ${total(first)} bytes`);
      for (const name of assetsWith('.js').filter((each) => !first.includes(each)))
        assert.ok(sizeOf(name) < 90_000, `${name}: ${sizeOf(name)} bytes`);
    }
  });

  it('the first pages have the styles of their components, and all pages together those of all components', () => {
    const classesOf = (names: readonly string[]) =>
      new Set(names.flatMap((name) => readFileSync(join(ASSETS, name), 'utf8').match(/\bm_[0-9a-f]+/g) ?? []));
    const all = new Set(readFileSync(MANTINE_STYLES, 'utf8').match(/\bm_[0-9a-f]+/g));
    const unstyled = (scripts: readonly string[], styles: readonly string[]) => {
      const [used, styled] = [classesOf(scripts), classesOf(styles)];
      assert.ok(used.size > 0);
      return [...used].filter((name) => all.has(name) && !styled.has(name));
    };
    assert.deepEqual(unstyled(assetsWith('.js'), assetsWith('.css')), []);
    const early = assetsWith('.css').filter((name) => !name.startsWith('later-'));
    for (const page of FIRST_PAGES) assert.deepEqual(unstyled(scriptsOf('app', page), early), []);
  });
});

if (process.env['TEST_FULL'])
  describe('the pages on a slow network', () => {
    before(async () => {
      stage = await openPortalStage();
      const merchant = await stage.gateway.merchant({ settings: {} });
      for (const id of Array.from({ length: 50 }, (_, place) => `S-${place}`)) await merchant.pay(1, id);
      owner = await invited(stage, merchant.id, 'owner', 'Ana Souza');
      await slowDown(owner);
    });
    after(() => stage.close());

    it('a visitor on a slow network can sign in after 100 kB, and the other pages arrive while they type', async (context) => {
      const visitor = await stage.open();
      await slowDown(visitor);
      const bytes = await measured('Sign in', context, async () => {
        await visitor.goto('/payouts');
        await visitor.page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      });
      assert.ok(bytes > 0 && bytes < SIGN_IN_BYTES, `${bytes} bytes`);
      const isThere = () => visitor.page.evaluate<boolean>('!!document.querySelector(`link[href*="/assets/app-"]`)');
      await until('the other pages are being loaded', async () => (await isThere()) || undefined);
      await visitor.context.close();
    });

    it('the first page on a slow network is usable after 180 kB', async (context) => {
      const bytes = await measured('Home', context, async () => {
        await owner.goto('/');
        await arrive(owner, 'Today');
      });
      assert.ok(bytes > 0 && bytes < FIRST_BYTES, `${bytes} bytes`);
    });

    for (const name of LATER)
      it(`the page ${name} on a slow network is usable after 50 kB`, async (context) => {
        const bytes = await measured(name, context, async () => {
          await owner.page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
          await arrive(owner, name);
        });
        assert.ok(bytes > 0 && bytes < LATER_BYTES, `${bytes} bytes`);
      });
  });
