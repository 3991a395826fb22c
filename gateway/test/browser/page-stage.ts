/**
 * A browser over the sample pages. It collects each page's offences, which no payment page may commit, while the page
 * is open.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { addProbes, addProbesWithoutAxe, findViolationsOf, WCAG_2_2_AA } from './axe.ts';
import { launchChromium, openContext } from './chromium.ts';
import { ACS_ORIGIN, BANK_ORIGIN, SHOP_ORIGIN } from './page-samples.ts';
import { type PageServer, startPageServer } from './page-server.ts';

export interface PageStage {
  readonly server: PageServer;
  readonly browser: Browser;
  /** A page, and the offences of everything that it opens. */
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
  /** A page that findViolations can check. */
  openWithAxe(options?: BrowserContextOptions): Promise<WatchedPage>;
  close(): Promise<void>;
}

export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Errors on the console, violations of the content security policy, requests to an origin that is neither ours nor
   * the step's.
   */
  readonly offences: string[];
}

const FRAME_PAGE = `<!doctype html><html lang="en"><title>Bank</title><body style="font:16px sans-serif;padding:1rem">
<main><h1>The bank’s page</h1><p>Stands in a frame of ours.</p></main>`;

/** The browser responds for these origins: no request leaves this machine. */
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
      // A 204 keeps the browser on the page that redirects, so that the test can inspect it.
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
    // The browser itself logs a page's own 4xx status on the console.
    const isOwnStatus = message.text().startsWith('Failed to load resource') && message.location().url === page.url();
    if (['error', 'warning'].includes(message.type()) && !isOwnStatus) offences.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => offences.push(`script: ${error.message}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    // The payer leaves the page, as its text announces.
    const isLeaving = request.isNavigationRequest() && request.frame() === page.mainFrame();
    const isStep =
      isLeaving ||
      ([BANK_ORIGIN, ACS_ORIGIN].includes(origin) && /\/page\/(?:frame|fingerprint|challenge)\b/.test(page.url()));
    if (protocol.startsWith('http') && origin !== server.origin && !isStep) offences.push(`request: ${request.url()}`);
  });
  return { page, context, offences };
}

/**
 * One line per violation that axe finds on the page, without the frames of third parties. `only` selects a single
 * rule.
 */
export function findViolations(page: Page, only?: string): Promise<string[]> {
  return findViolationsOf(
    page,
    only === undefined ? { type: 'tag', values: WCAG_2_2_AA } : { type: 'rule', values: [only] },
  );
}
