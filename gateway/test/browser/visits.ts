/** Payer visits to the sample pages, for tests of the pages' behaviour. */
import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { PageStage, WatchedPage } from './page-stage.ts';

export function visitsOf(stage: () => PageStage) {
  /** Opens a page, performs the payer's actions and asserts that the page did nothing forbidden. */
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

  /** Returns the fields of the latest posted form once there are more than `before` POSTs. */
  async function lastPosted(page: Page, before: number): Promise<Record<string, string>> {
    await page.waitForURL((url) => stage().server.posted.length > before && url.pathname.length > 0);
    const posted = stage().server.posted.at(-1);
    assert.ok(posted);
    return Object.fromEntries(posted);
  }

  return { visit, lastPosted };
}
