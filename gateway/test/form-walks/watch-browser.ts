/**
 * Watches a payer's browser: requests, responses, console and script errors. A form page must cause no error, and may send
 * requests only to the gateway's origins and those of the current attempt.
 */
import type { BrowserContext } from 'playwright-core';

export interface BrowserWatch {
  /** The console errors (including CSP violations), script errors, and requests to unexpected origins. */
  readonly offences: string[];
  /** The URL of each request. */
  readonly urls: readonly string[];
  /** Allows these origins for the current attempt from now on. Initially, none is allowed. */
  expect(...origins: readonly string[]): void;
  /** Resolves to the bodies of the gateway's pages, as received, once all have arrived. */
  pages(): Promise<readonly string[]>;
}

/** `own` contains the origins of the gateway and the shop. */
export function watchBrowser(context: BrowserContext, own: readonly string[]): BrowserWatch {
  const offences: string[] = [];
  const urls: string[] = [];
  const bodies: Promise<string>[] = [];
  let expected: readonly string[] = [];
  context.on('console', (message) => {
    const { url } = message.location();
    // The browser logs the 4xx status of a page on the console.
    const isOwnStatus = message.text().startsWith('Failed to load resource') && urls.includes(url);
    if (['error', 'warning'].includes(message.type()) && !isOwnStatus)
      offences.push(`console: ${message.text()} (${url})`);
  });
  context.on('weberror', (error) => offences.push(`script: ${error.error().message}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    urls.push(request.url());
    const isKnown = [...own, ...expected].includes(url.origin) || !url.protocol.startsWith('http');
    if (!isKnown) offences.push(`request: ${request.url()}`);
    const referrer = request.headers()['referer'] ?? '';
    if (referrer.includes('/payment/form/')) offences.push(`${request.url()} received the referrer ${referrer}`);
  });
  context.on('response', (response) => {
    if (!response.url().startsWith(own[0] ?? '') || response.status() >= 300) return;
    if (!response.headers()['content-type']?.startsWith('text/html')) return;
    bodies.push(response.text().catch(() => ''));
  });
  return {
    offences,
    urls,
    expect: (...origins) => {
      expected = origins;
    },
    pages: () => Promise.all(bodies),
  };
}
