/**
 * Serves every sample page to a local browser with the gateway's headers. The path is `/page/<name>?lang=kk`. The response to
 * a POST shows the posted fields.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { onlyBlock, readPage } from '../../generators/pages.ts';
import { loadFormAssets } from '../../src/protocol/form/assets/page-assets.ts';
import { inEachLanguage, readLanguage } from '../../src/protocol/form/languages/languages.ts';
import type { PageContext } from '../../src/protocol/form/pages/page-context.ts';
import { pageHeaders, pageStatus } from '../../src/protocol/form/pages/page-headers.ts';
import { renderPage } from '../../src/protocol/form/pages/render-page.ts';
import { SAMPLES, SHOP_ORIGIN, sampleContext } from './page-samples.ts';

export interface PageServer {
  readonly origin: string;
  /** The bodies of posted forms, oldest first. */
  readonly posted: URLSearchParams[];
  /** Changes the version of the sample `name`, and notifies its open pages as soon as one listens. */
  announce(name: string, version: string): Promise<void>;
  /** Changes the version without a notification, as if an intermediary blocked server-sent events. */
  changeWithoutEvent(name: string, version: string): void;
  /** Delays the responses to all POSTs until the returned function is called. */
  holdPosts(): () => void;
  close(): Promise<void>;
}

const ASSETS = loadFormAssets();
const ASSET_URLS = Object.fromEntries(
  Object.entries(ASSETS).map(([key, { name }]) => [key, `/assets/${name}`]),
) as PageContext['assets'];

export async function startPageServer(): Promise<PageServer> {
  const posted: URLSearchParams[] = [];
  const listeners = new Map<ServerResponse, string>();
  const versions = new Map<string, string>();
  const withoutEvents = new Set<string>();
  let held = Promise.resolve();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, folder, name = ''] = url.pathname.split('/');
    if (request.method === 'POST') return void held.then(() => handlePost(request, response, posted));
    if (folder === 'assets') return sendAsset(name, response);
    if (folder === 'page' && name in SAMPLES) return sendPage(name, url, versions.get(name) ?? '1', response);
    if (folder === 'shop')
      return sendShop(name, `http://${request.headers.host}`, url.searchParams.get('origin') ?? '', response);
    if (folder === 'version') return void response.end(versions.get(name) ?? '1');
    if (folder !== 'events' || withoutEvents.has(name)) return void response.writeHead(404).end();
    listeners.set(response, name);
    response.on('close', () => listeners.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posted,
    holdPosts() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    changeWithoutEvent(name, version) {
      withoutEvents.add(name);
      versions.set(name, version);
    },
    async announce(name, version) {
      while (![...listeners.values()].includes(name)) await setTimeout(20);
      versions.set(name, version);
      for (const [response, listening] of listeners) if (listening === name) response.write(`data: ${version}\n\n`);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendPage(name: string, url: URL, version: string, response: ServerResponse): void {
  const view = SAMPLES[name];
  if (!view) return;
  const embeddingOrigins = url.searchParams.getAll('embedded_by');
  const context = sampleContext({
    language: readLanguage(url.searchParams.get('lang') ?? '') ?? 'en',
    pageUrl: `/page/${name}`,
    languageUrls: inEachLanguage((language) => `/page/${name}?lang=${language}`),
    assets: ASSET_URLS,
    version,
    embeddingOrigins,
    live: isWaiting(name) ? { eventsUrl: `/events/${name}`, versionUrl: `/version/${name}` } : null,
  });
  const headers = pageHeaders(view, context, { embeddingOrigins, returnOrigins: [SHOP_ORIGIN] });
  response.writeHead(pageStatus(view), headers).end(renderPage(view, context));
}

/** Sends a shop page that embeds a sample as the docs describe, and records every message that it receives. */
function sendShop(name: string, origin: string, embeddedBy: string, response: ServerResponse): void {
  const frame = onlyBlock(readPage('docs/merchant/hosted-form.md'), 'html')
    .replace('https://pay.example/payment/form?…', `/page/${name}?embedded_by=${embeddedBy}`)
    .replaceAll('https://pay.example', origin);
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><html lang="en"><title>Shop</title>
<script>window.messages = []; addEventListener('message', ({ origin, data }) => messages.push({ origin, data }));</script>
${frame}`);
}

function isWaiting(name: string): boolean {
  return /^(?:waiting|message|code)/.test(name);
}

function sendAsset(name: string, response: ServerResponse): void {
  const asset = Object.values(ASSETS).find((one) => one.name === name);
  if (!asset) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': asset.contentType, 'content-encoding': 'gzip' }).end(asset.gzipped);
}

async function handlePost(
  request: IncomingMessage,
  response: ServerResponse,
  posted: URLSearchParams[],
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  posted.push(new URLSearchParams(Buffer.concat(parts).toString()));
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>taken</title>');
}
