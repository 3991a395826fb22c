/**
 * Counts the HTTP requests of this process, in both directions, so that a world knows whether its gateway, its banks and its
 * callbacks are idle.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { EventEmitter } from 'node:events';

export interface Activity {
  /** Requests without a response so far. */
  open(): number;
  /** Grows with each request and each response. */
  events(): number;
  close(): void;
}

/**
 * Two kinds of requests do not count: the sandbox's own order, which waits for everything else, and the stream of a payer's
 * page, which stays open with the page.
 */
const WAITS_FOR_OTHERS = /\/(?:sandbox|events)(?:\?|$)/;

export function watchActivity(): Activity {
  const open = new Set<object>();
  let events = 0;
  const begin = (request: object, path = '') => {
    if (WAITS_FOR_OTHERS.test(path)) return;
    events += 1;
    open.add(request);
  };
  const end = (request: object) => {
    if (open.delete(request)) events += 1;
  };
  const listeners: Readonly<Record<string, (message: never) => void>> = {
    'http.server.request.start': ({ request, response }: { request: { url: string }; response: EventEmitter }) => {
      begin(request, request.url);
      response.once('close', () => end(request));
    },
    'http.client.request.start': ({ request }: { request: EventEmitter & { path: string } }) => {
      begin(request, request.path);
      request.once('close', () => end(request));
    },
    'undici:request:create': ({ request }: { request: { path: string } }) => begin(request, request.path),
    // A reader may leave the body of a response unread, so nothing reports the end of every body.
    'undici:request:headers': ({ request }: { request: object }) => end(request),
    'undici:request:error': ({ request }: { request: object }) => end(request),
  };
  for (const [channel, listener] of Object.entries(listeners)) subscribe(channel, listener as () => void);
  return {
    open: () => open.size,
    events: () => events,
    close() {
      for (const [channel, listener] of Object.entries(listeners)) unsubscribe(channel, listener as () => void);
    },
  };
}
