/** The time until a user can use a page, as the page measures it. */
import type { Page } from 'playwright-core';
import { until } from '../../support/tools/until.ts';

export interface Usable {
  /** Since the URL was opened or the link was pressed. */
  readonly ms: number;
  /** The bytes that arrived in this time, including fonts. */
  readonly bytes: number;
}

/**
 * A script for the page. The page is usable when it shows its heading, or the password field, and loads nothing more. For a
 * new heading, the script presses a link.
 */
export const NOTE_USABLE = `
  let from = 0;
  let former = '';
  globalThis.usable = null;
  const heading = () => document.querySelector('#content h1, form:has([type=password])')?.textContent ?? '';
  addEventListener('click', ({ timeStamp }) => {
    [from, former, globalThis.usable] = [timeStamp, heading(), null];
  }, true);
  const isUsable = () =>
    !['', former].includes(heading()) && !document.querySelector('[role=status][aria-label]');
  const note = () => {
    if (globalThis.usable || !isUsable()) return;
    const loaded = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
    const bytes = loaded
      .filter(({ startTime }) => startTime >= from)
      .reduce((sum, { transferSize }) => sum + transferSize, 0);
    globalThis.usable = { ms: Math.round(performance.now() - from), bytes };
  };
  // Checking in each frame would force the browser to render each frame, which doubles the work on a slow processor.
  new MutationObserver(() => {
    if (!globalThis.usable && isUsable()) requestAnimationFrame(note);
  }).observe(document, { childList: true, characterData: true, subtree: true });
`;

/** The context of the page must contain the script. */
export function usableOf(page: Page): Promise<Usable> {
  return until(
    'the page is usable',
    async () => (await page.evaluate<Usable | null>('globalThis.usable')) ?? undefined,
  );
}
