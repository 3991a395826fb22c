/** Loads the files that the first page does not need once it is shown, so that the first page has a slow network to itself. */
import type { AnyRouter } from '@tanstack/react-router';

const LOOKS_EVERY_MS = 250;
/** In this browser's storage: the browser has the font, which weighs as much as a third of the scripts. */
const FONT_KEY = 'has-font';
/** The pages of the rows of the most read lists. */
const BEHIND_LISTS = ['/payouts/$merchantId/$payoutId', '/deposits/$merchantId/$orderId'];

/** Resolves once the page has its heading, and nothing on it is being loaded. */
export async function firstPageShown(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
  while (!document.querySelector('h1') || document.querySelector('.loading'));
}

export async function loadFont(): Promise<void> {
  if (localStorage.getItem(FONT_KEY) === null) await firstPageShown();
  await import('@fontsource-variable/inter');
  localStorage.setItem(FONT_KEY, 'yes');
}

/** Loads one page after the other. */
export async function loadPagesAhead(router: AnyRouter, paths: readonly string[]): Promise<void> {
  await firstPageShown();
  for (const path of new Set([...paths, ...BEHIND_LISTS])) await router.loadRouteChunk(router.routesByPath[path]);
}
