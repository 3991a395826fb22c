/**
 * Checks the pages that payers reach and takes screenshots for human review. It skips a page whose text was checked before,
 * because most walks share pages.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Language } from '../../src/domain/payments/form-session.ts';
import { addProbes } from '../browser/axe.ts';
import { openContext } from '../browser/chromium.ts';
import { findViolations } from '../browser/page-stage.ts';
import { within } from '../support/tools/until.ts';

export const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } } as const;
type Size = keyof typeof SIZES;
const ALL_SIZES = Object.keys(SIZES) as Size[];
/** The screenshots together cover each size and each colour scheme. */
const SCHEMES = { phone: 'light', desktop: 'dark' } as const;

/** The payer's language, screen and browser. */
export interface Way {
  readonly language: Language;
  readonly size: Size;
  readonly hasScript: boolean;
}

/** The pages of one walk. */
export interface Album {
  /** Checks a page in both sizes and colour schemes. Returns its faults: overflow and WCAG violations. */
  look(page: Page, way: Way): Promise<string[]>;
  photograph(page: Page, way: Way, what: string): Promise<void>;
}

/** Far longer than a check takes, because evaluating code in a page has no timeout. */
const LOOK_MS = 60_000;

const asFileName = (text: string) => text.replace(/[^\w]+/g, '-');

/** `title` names the group of walks. Returns a function that creates the album of a walk. */
export function openAlbums(title: string): (walk: string) => Album {
  const folder = join(import.meta.dirname, 'screenshots', asFileName(title));
  if (process.env['TEST_FULL']) rmSync(folder, { recursive: true, force: true });
  const seen = new Set<string>();
  return (walk) => {
    let pages = 0;
    const photograph = async (page: Page, { language, hasScript }: Way, what: string) => {
      const file = `${asFileName(walk)}.${what}.${language}${hasScript ? '' : '.plain'}.png`;
      await page.screenshot({ path: join(folder, file), fullPage: true });
    };
    return {
      photograph,
      async look(page, way) {
        const number = ++pages;
        const url = page.url();
        const key = `${way.language} ${way.hasScript} ${await textOf(page)}`;
        if (seen.has(key)) return [];
        // A page that redirects has no content at that moment, and then a different URL.
        const body = await page.content().catch(() => undefined);
        if (body === undefined || page.url() !== url) return [];
        seen.add(key);
        const copy = await openCopy(page, { url, body }, way);
        try {
          const take = (size: Size) => photograph(copy, way, `${number}.${size}`);
          const faults = await within(LOOK_MS, `looking at ${url}`, lookInEachSize(copy, take));
          return faults.map((fault) => `${walk}, page ${number}: ${fault}`);
        } finally {
          await copy.context().close();
        }
      },
    };
  };
}

/**
 * Opens a copy of the page in a separate browser, without scripts and frames. Meanwhile the page itself may navigate, as a
 * result page does.
 */
async function openCopy(
  page: Page,
  { url, body }: { readonly url: string; readonly body: string },
  { language, hasScript }: Way,
): Promise<Page> {
  // Without JavaScript a browser shows the content of `noscript`.
  const shown = hasScript ? body : body.replaceAll(/<\/?noscript>/g, '');
  const browser = page.context().browser();
  assert.ok(browser);
  const context = await openContext(browser, { locale: language, reducedMotion: 'reduce' });
  await context.route('**/*', (route) => {
    const request = route.request();
    if (request.resourceType() === 'script') return route.abort();
    if (!request.isNavigationRequest()) return route.continue();
    const isCopy = request.url() === url && request.frame().parentFrame() === null;
    return route.fulfill({ contentType: 'text/html; charset=utf-8', body: isCopy ? shown : '' });
  });
  await addProbes(context);
  const copy = await context.newPage();
  await copy.goto(url);
  return copy;
}

/** Ignores digits, because countdowns change them. */
async function textOf(page: Page): Promise<string> {
  return (await page.locator('body').innerText()).replace(/\d+/g, '0');
}

async function lookInEachSize(copy: Page, take: (size: Size) => Promise<void>): Promise<string[]> {
  const faults: string[] = [];
  for (const size of ALL_SIZES) {
    await copy.setViewportSize(SIZES[size]);
    await copy.emulateMedia({ colorScheme: SCHEMES[size] });
    faults.push(...(await copy.evaluate<string[]>(`probes.overflow('${size}')`)));
    faults.push(...(await findViolations(copy, size === 'phone' ? undefined : 'color-contrast')));
    await take(size);
  }
  return faults;
}
