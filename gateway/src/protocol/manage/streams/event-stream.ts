/**
 * Sends the events of a caller as server-sent events. A stream polls the same pages as `events.list`, so that it can skip none.
 * It ends when its credential ends, when its client reads too slowly, and when the server closes. Their number is limited, and
 * no stream holds more than one page.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ActorNames } from '../../../domain/audit/actor.ts';
import type { EventPlace, EventStore } from '../../../domain/events/event-store.ts';
import type { Caller } from '../../../domain/people/caller.ts';
import { type Clock, SECOND_MS } from '../../../foundation/clock.ts';
import { actorsShownTo } from '../views/mask.ts';
import { placeText, readEventPage, viewEvent } from './read-events.ts';

interface StreamParts {
  readonly events: EventStore;
  readonly actorNames: ActorNames;
  readonly clock: Clock;
  readonly onFailed: (error: unknown) => void;
}

interface StreamOrder {
  readonly caller: Caller;
  readonly merchantId: string | null;
  readonly after: EventPlace;
  /** Resolves to the caller of the same credential now, or undefined if the credential has ended. */
  readonly authenticate: () => Promise<Caller | undefined>;
}

const POLL_MS = 1 * SECOND_MS;
const HEARTBEAT_MS = 15 * SECOND_MS;
/** A client that reads nothing for this long has left or is too slow. */
const SLOW_MS = 30 * SECOND_MS;
const PAGE = 100;
const MOST_STREAMS = 100;
const MOST_OF_CALLER = 5;

export function createEventStreams({ events, actorNames, clock, onFailed }: StreamParts) {
  const open = new Map<ServerResponse, { readonly caller: string; readonly end: AbortController }>();

  const isFull = ({ actor }: Caller) => {
    const name = `${actor.kind}:${actor.id}`;
    return (
      open.size >= MOST_STREAMS || [...open.values()].filter(({ caller }) => caller === name).length >= MOST_OF_CALLER
    );
  };

  async function serve(response: ServerResponse, order: StreamOrder): Promise<void> {
    const end = new AbortController();
    const { actor } = order.caller;
    open.set(response, { caller: `${actor.kind}:${actor.id}`, end });
    response.once('close', () => end.abort());
    try {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      await send(response, `retry: ${POLL_MS}\n\n`, end.signal);
      await follow(response, order, end.signal);
    } catch (error) {
      // A client that left or is too slow is not a failure. It reconnects and continues where it stopped.
      if (!(error instanceof DOMException)) onFailed(error);
      response.destroy();
    } finally {
      open.delete(response);
      response.end();
    }
  }

  async function follow(response: ServerResponse, order: StreamOrder, signal: AbortSignal): Promise<void> {
    let { caller, after } = order;
    let provedAt = clock.now();
    while (!signal.aborted) {
      if (clock.now() - provedAt >= HEARTBEAT_MS) {
        const proved = await order.authenticate();
        if (!proved) return;
        caller = proved;
        provedAt = clock.now();
        await send(response, ': still here\n\n', signal);
      }
      const page = await readEventPage(events, caller, { merchantId: order.merchantId, after, limit: PAGE });
      const show = await actorsShownTo(caller, actorNames, page.events.length === 0);
      const lines = page.events.map(
        (event) => `id: ${placeText(event.place)}\ndata: ${JSON.stringify(viewEvent(event, show))}\n\n`,
      );
      // A page without events still advances the position, so that a reconnecting client need not check the same rows again.
      const moved = lines.length === 0 && page.hasMore ? `id: ${placeText(page.next)}\n\n` : '';
      if (lines.length > 0 || moved !== '') await send(response, lines.join('') + moved, signal);
      after = page.next;
      if (!page.hasMore) await clock.sleep(POLL_MS, signal).catch(() => {});
    }
  }

  return {
    isFull,
    serve,
    /** Ends every stream. Their clients connect again, to another process. */
    close: () => {
      for (const { end } of open.values()) end.abort();
    },
  };
}

/** Waits until the client has read, so that a stream holds one page at most. */
async function send(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (response.write(text)) return;
  await once(response, 'drain', { signal: AbortSignal.any([signal, AbortSignal.timeout(SLOW_MS)]) });
}
