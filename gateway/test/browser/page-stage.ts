/** Runs a browser on the sample pages. While a page is open, it records everything that no payment page may do. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { addProbes, addProbesWithoutAxe, findViolationsOf, WCAG_2_2_AA } from './axe.ts';
import { launchChromium, openContext } from './chromium.ts';
import { ACS_ORIGIN, BANK_ORIGIN, SHOP_ORIGIN } from './page-samples.ts';
import { type PageServer, startPageServer } from './page-server.ts';

export interface PageStage {
  readonly server: PageServer;
  readonly browser: Browser;
  /** Opens a page and watches it and every page that it opens. */
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Opens a page that findViolations can check. */
  openWithAxe(options?: BrowserContextOptions): Promise<WatchedPage>;
  close(): Promise<void>;
}

export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, CSP violations, and requests to an origin that belongs neither to the gateway nor to the payment step. */
  readonly offences: string[];
}

const FRAME_PAGE = `<!doctype html><html lang="en"><title>Bank</title><body style="font:16px sans-serif;padding:1rem">
<main><h1>The bank’s page</h1><p>Stands in a frame of ours.</p></main>`;

/** The test answers requests to these origins, so that no request leaves the machine. */
const THIRD_PARTIES = [BANK_ORIGIN, ACS_ORIGIN, SHOP_ORIGIN];

export async function openPageStage(): Promise<PageStage> {
  const server = await startPageServer();
  const browser = await launchChromium();
  return {
    server,
    browser,
    open: (options) => openWatched(browser, server, addProbesWithoutAxe, options),
    openWithAxe: (options) => openWatched(browser, server, addProbes, options),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

async function openWatched(
  browser: Browser,
  server: PageServer,
  addScripts: typeof addProbes,
  options?: BrowserContextOptions,
): Promise<WatchedPage> {
  const context = await openContext(browser, options);
  await context.route(
    (url) => url.origin !== server.origin,
    (route) => {
      const request = route.request();
      const { origin } = new URL(request.url());
      // A 204 keeps the browser on the redirecting page, so that the test can inspect it.
      if (request.frame() === page.mainFrame() && THIRD_PARTIES.includes(origin)) return route.fulfill({ status: 204 });
      return THIRD_PARTIES.includes(origin)
        ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: FRAME_PAGE })
        : route.abort();
    },
  );
  await addScripts(context);
  const page = await context.newPage();
  const offences: string[] = [];
  page.on('console', (message) => {
    // The browser logs the 4xx status of a page on the console.
    const isOwnStatus = message.text().startsWith('Failed to load resource') && message.location().url === page.url();
    if (['error', 'warning'].includes(message.type()) && !isOwnStatus) offences.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => offences.push(`script: ${error.message}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    // True if the payer leaves the page, as its text announces.
    const isLeaving = request.isNavigationRequest() && request.frame() === page.mainFrame();
    const isStep =
      isLeaving ||
      ([BANK_ORIGIN, ACS_ORIGIN].includes(origin) && /\/page\/(?:frame|fingerprint|challenge)\b/.test(page.url()));
    if (protocol.startsWith('http') && origin !== server.origin && !isStep) offences.push(`request: ${request.url()}`);
  });
  return { page, context, offences };
}

/** Returns one line per axe violation on the page, excluding third-party frames. `only` selects a single rule. */
export function findViolations(page: Page, only?: string): Promise<string[]> {
  return findViolationsOf(
    page,
    only === undefined ? { type: 'tag', values: WCAG_2_2_AA } : { type: 'rule', values: [only] },
  );
}
