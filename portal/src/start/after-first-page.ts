/** Loads the files that the first page does not need once that page is shown, so that it does not share a slow network. */
import type { AnyRouter } from '@tanstack/react-router';

const LOOKS_EVERY_MS = 250;
/** A marker in this browser's storage that the font is cached, which is a third as large as the scripts. */
const FONT_KEY = 'has-font';
/** The pages to which the rows of the most used lists link. */
const BEHIND_LISTS = ['/payouts/$merchantId/$payoutId', '/deposits/$merchantId/$orderId'];

/** Resolves once the page shows its heading and loads nothing more. */
export async function firstPageShown(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
  while (!document.querySelector('h1') || document.querySelector('.loading'));
}

export async function loadFont(): Promise<void> {
  if (localStorage.getItem(FONT_KEY) === null) await firstPageShown();
  await import('@fontsource-variable/inter');
  localStorage.setItem(FONT_KEY, 'yes');
}

/** Loads the pages one after another. */
export async function loadPagesAhead(router: AnyRouter, paths: readonly string[]): Promise<void> {
  await firstPageShown();
  for (const path of new Set([...paths, ...BEHIND_LISTS])) await router.loadRouteChunk(router.routesByPath[path]);
}
