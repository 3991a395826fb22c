/**
 * Everything that a payer's browser does while it is watched: what it asks and whom, what it is answered, what it complains
 * of. A page of the form may never complain, and asks nobody but us and whom the current attempt needs.
 */
import type { BrowserContext } from 'playwright-core';

export interface BrowserWatch {
  /** Complaints on the console (violations of the policy among them), errors of scripts, requests to strangers. */
  readonly offences: string[];
  /** Of each request. */
  readonly urls: readonly string[];
  /** Which origins the attempt may need, from now on; before that none. */
  expect(...origins: readonly string[]): void;
  /** What our own pages said, each as it came over the wire; read once they are all there. */
  pages(): Promise<readonly string[]>;
}

/** `own`: origins of the gateway and of the shop. */
export function watchBrowser(context: BrowserContext, own: readonly string[]): BrowserWatch {
  const offences: string[] = [];
  const urls: string[] = [];
  const bodies: Promise<string>[] = [];
  let expected: readonly string[] = [];
  context.on('console', (message) => {
    const { url } = message.location();
    // A page that answers 4xx is said so on the console by the browser itself.
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
    if (referrer.includes('/payment/form/')) offences.push(`${request.url()} is told of ${referrer}`);
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
