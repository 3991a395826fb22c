/** Visits of a payer to the sample pages, for the tests of what the pages do. */
import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { PageStage, WatchedPage } from './page-stage.ts';

export function visitsOf(stage: () => PageStage) {
  /** Opens a page, lets a payer act on it, and asserts that the page committed no offence. */
  async function visit(
    name: string,
    act: (page: Page, watched: WatchedPage) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const watched = await stage().open({ viewport: { width: 360, height: 740 }, ...options });
    await watched.page.goto(`${stage().server.origin}/page/${name}?lang=en`);
    await act(watched.page, watched);
    assert.deepEqual(watched.offences, []);
    await watched.context.close();
  }

  /** The fields of the latest posted form, once there are more posts than before. */
  async function lastPosted(page: Page, before: number): Promise<Record<string, string>> {
    await page.waitForURL((url) => stage().server.posted.length > before && url.pathname.length > 0);
    const posted = stage().server.posted.at(-1);
    assert.ok(posted);
    return Object.fromEntries(posted);
  }

  return { visit, lastPosted };
}
