/** Every form page in a real browser: accessible, readable on every screen, without requests to other origins. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { Language } from '../../src/domain/payments/form-session.ts';
import { PAGE_LANGUAGES } from '../../src/protocol/form/languages/languages.ts';
import { PHOTOGRAPHED } from './page-samples.ts';
import { findViolations, openPageStage, type PageStage, type WatchedPage } from './page-stage.ts';

/** Screenshots of the full run for human review: each page, light on a phone and dark on a desktop. */
const SCREENSHOTS = join(import.meta.dirname, 'screenshots');
const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } } as const;

const IS_FULL = Boolean(process.env['TEST_FULL']);

let stage: PageStage;
/** One page object is shared by all pages: a browser process compiles axe once, and runs it faster with each page. */
let watched: WatchedPage;

before(async () => {
  if (IS_FULL) rmSync(SCREENSHOTS, { recursive: true, force: true });
  stage = await openPageStage();
  watched = await stage.openWithAxe({ reducedMotion: 'reduce' });
});
after(() => stage.close());

/** Returns the pages: in the full run every page in every language, otherwise each page in one language, in rotation. */
const pagesIn = (language: Language) =>
  PHOTOGRAPHED.filter((_, index) => IS_FULL || PAGE_LANGUAGES[index % PAGE_LANGUAGES.length] === language);

/** Pages that differ in one sentence from the first page of their kind. The core run checks only whether the sentence fits. */
const ONE_SENTENCE = /^(?:refused|invalid|paid)-(?!for-good|long)/;
const kindOf = (name: string) => name.split('-')[0];
const isLikeAnother = (name: string) =>
  ONE_SENTENCE.test(name) &&
  PHOTOGRAPHED.find((other) => ONE_SENTENCE.test(other) && kindOf(other) === kindOf(name)) !== name;

/** Opens a page and returns its faults. */
async function lookAt(page: Page, name: string, language: Language): Promise<string[]> {
  await page.setViewportSize(SIZES.phone);
  await page.emulateMedia({ colorScheme: 'light' });
  // Leave the page: if it redirects, it could navigate away while the next page loads.
  await page.goto('about:blank');
  await page.goto(`${stage.server.origin}/page/${name}?lang=${language}`);
  const faults = await probe(page, "overflow('phone')");
  if (IS_FULL || !isLikeAnother(name)) faults.push(...(await lookClosely(page, `${name}.${language}`)));
  await page.setViewportSize(SIZES.desktop);
  faults.push(...(await probe(page, "overflow('desktop')")));
  return [...faults, ...(await findCramped(page))];
}

/** Checks the axe rules in each colour scheme, and the borders in forced colours. The full run also takes screenshots. */
async function lookClosely(page: Page, name: string): Promise<string[]> {
  const faults = [...(await findViolations(page)), ...(await probe(page, 'moving()'))];
  if (IS_FULL) await page.screenshot({ path: join(SCREENSHOTS, `${name}.phone.png`), fullPage: true });
  await page.emulateMedia({ colorScheme: 'dark' });
  faults.push(...(await findViolations(page, 'color-contrast')));
  await page.setViewportSize(SIZES.desktop);
  if (IS_FULL) await page.screenshot({ path: join(SCREENSHOTS, `${name}.desktop.png`), fullPage: true });
  await page.emulateMedia({ forcedColors: 'active' });
  faults.push(...(await probe(page, 'unframed()')));
  if (IS_FULL) await page.screenshot({ path: join(SCREENSHOTS, `${name}.forced.png`), fullPage: true });
  await page.emulateMedia({ forcedColors: 'none' });
  return faults;
}

/** Checks the narrowest phone, which is also a desktop at 400% zoom, and text at twice its size. */
async function findCramped(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height: 640 });
  const faults = [...(await probe(page, "overflow('320 px')")), ...(await probe(page, 'smallTargets()'))];
  await page.setViewportSize({ width: 640, height: 900 });
  await page.evaluate('probes.doubleText()');
  return [...faults, ...(await probe(page, "overflow('text of 200 %')"))];
}

function probe(page: Page, call: string): Promise<string[]> {
  return page.evaluate<string[]>(`probes.${call}`);
}

describe('the pages of the form in a browser', () => {
  for (const language of PAGE_LANGUAGES) {
    it(`the pages in ${language} are accessible, fit every screen and request nothing from other origins`, async () => {
      const { page, offences } = watched;
      const wrong: Record<string, string[]> = {};
      for (const name of pagesIn(language)) {
        const faults = [...(await lookAt(page, name, language)), ...offences.splice(0)];
        if (faults.length > 0) wrong[name] = faults;
      }
      assert.deepEqual(wrong, {});
    });
  }
});
