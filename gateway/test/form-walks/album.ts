/**
 * Looks at the pages that payers reach: their faults, and screenshots for a person's review. A page that shows the same texts
 * as one before is not looked at again, because most walks share pages.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import type { Language } from '../../src/domain/payments/form-session.ts';
import { findViolations } from '../browser/page-stage.ts';
import { within } from '../support/until.ts';

export const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } } as const;
type Size = keyof typeof SIZES;
const ALL_SIZES = Object.keys(SIZES) as Size[];
/** Together the pictures show each size and each colour scheme. */
const SCHEMES = { phone: 'light', desktop: 'dark' } as const;

/** The payer's language, screen and browser. */
export interface Way {
  readonly language: Language;
  readonly size: Size;
  readonly hasScript: boolean;
}

/** The pages of one walk. */
export interface Album {
  /** Looks at a page in both sizes and colour schemes. Returns its faults: overflow, and violations of WCAG. */
  look(page: Page, way: Way): Promise<string[]>;
  photograph(page: Page, way: Way, what: string): Promise<void>;
}

const PROBES_FILE = join(import.meta.dirname, '../browser/page-probes.js');
/** Injected into the page by hand, so that the bank's frames contain nothing of ours. */
const PROBES = `${readFileSync(PROBES_FILE, 'utf8')}\n;0`;

/** Far longer than a look takes: an evaluation in a page has no timeout itself. */
const LOOK_MS = 60_000;

const asFileName = (text: string) => text.replace(/[^\w]+/g, '-');

/** `title`: of the walks. Returns an album for the name of each walk. */
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
        const key = `${way.language} ${way.hasScript} ${await textOf(page)}`;
        if (seen.has(key)) return [];
        seen.add(key);
        const stay = await holdNavigation(page);
        try {
          const take = (size: Size) => photograph(page, way, `${number}.${size}`);
          const faults = await within(LOOK_MS, `looking at ${page.url()}`, lookInEachSize(page, way, take));
          return faults.map((fault) => `${walk}, page ${number}: ${fault}`);
        } finally {
          await page.setViewportSize(SIZES[way.size]);
          await page.emulateMedia({ colorScheme: 'light' });
          await stay.end();
        }
      },
    };
  };
}

/** A page may go on by itself. It stays until `end`: the next page loads no sooner. */
async function holdNavigation(page: Page): Promise<{ end(): Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    const request = route.request();
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) await promise;
    await route.fallback();
  };
  await page.route('**/*', hold);
  return {
    async end() {
      resolve();
      await page.unroute('**/*', hold);
    },
  };
}

/** Numbers count down. */
async function textOf(page: Page): Promise<string> {
  return (await page.locator('body').innerText()).replace(/\d+/g, '0');
}

/** Without JavaScript no check can run. The page is the same. */
async function lookInEachSize(page: Page, { hasScript }: Way, take: (size: Size) => Promise<void>): Promise<string[]> {
  if (hasScript) await page.evaluate(PROBES);
  const faults: string[] = [];
  for (const size of ALL_SIZES) {
    await page.setViewportSize(SIZES[size]);
    await page.emulateMedia({ colorScheme: SCHEMES[size] });
    if (hasScript) {
      faults.push(...(await page.evaluate<string[]>(`probes.overflow('${size}')`)));
      faults.push(...(await findViolations(page, size === 'phone' ? undefined : 'color-contrast')));
    }
    await take(size);
  }
  return faults;
}
