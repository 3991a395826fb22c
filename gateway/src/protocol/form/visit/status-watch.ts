/**
 * Watches the payments of open pages and sends each page its current version. This process's writes notify it
 * immediately. For other processes' writes it polls, once per payment for all its pages. Streams are few and short-lived: a
 * page whose stream ends opens another, and a page without a stream polls.
 */
import type { DepositKey } from '../../../domain/deposits/deposit.ts';
import { type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../../../foundation/clock.ts';
import { createTurns } from '../../../foundation/turns.ts';

export interface Watched {
  readonly version: string;
  /** False if the state can no longer change without the payer. */
  readonly isLive: boolean;
  readonly payment: DepositKey | null;
}

interface StatusListener {
  send(version: string): void;
  /** A heartbeat that keeps the connection open. */
  beat(): void;
  end(): void;
}

export interface StatusWatch {
  /**
   * Returns a function that stops the watch, or undefined above the limit. `listener` receives the first version immediately.
   */
  watch(token: string, listener: StatusListener): (() => void) | undefined;
  changed(payment: DepositKey): void;
  /** Ends all streams and accepts no more. */
  close(): void;
}

export interface WatchParts {
  readonly clock: Clock;
  /** Returns undefined if no such page exists. */
  readonly look: (token: string) => Promise<Watched | undefined>;
  /** Receives the error of a failed lookup. The next lookup runs nevertheless. */
  readonly onLookFailed: (error: unknown) => void;
}

const LOOK_EVERY_MS = 2 * SECOND_MS;
const BEAT_EVERY_MS = 15 * SECOND_MS;
const LONGEST_STREAM_MS = 10 * MINUTE_MS;
const MOST_STREAMS = 1_000;
const MOST_PER_TOKEN = 5;

/** However many pages are open, payers' actions wait behind at most this many queries. */
const LOOKS_AT_ONCE = 2;

interface Stream {
  readonly listener: StatusListener;
  readonly endsAt: Instant;
  version: string;
  sentAt: Instant;
}

class WatchedPage {
  readonly streams = new Set<Stream>();
  payment: DepositKey | null = null;
  /** Ends the sleep between two lookups. */
  wake = () => {};
}

export function createStatusWatch(parts: WatchParts): StatusWatch {
  const { clock } = parts;
  const pages = new Map<string, WatchedPage>();
  const inTurn = createTurns(LOOKS_AT_ONCE);
  let streams = 0;
  let isClosed = false;

  function drop(page: WatchedPage, stream: Stream): void {
    if (!page.streams.delete(stream)) return;
    streams -= 1;
    if (page.streams.size === 0) page.wake();
  }

  async function follow(token: string, page: WatchedPage): Promise<void> {
    while (page.streams.size > 0) {
      // Created before the lookup, so that a change during it immediately causes another lookup.
      const pause = new AbortController();
      page.wake = () => pause.abort();
      const found = await inTurn(() => parts.look(token)).catch((error: unknown) => {
        parts.onLookFailed(error);
        return null;
      });
      if (found !== null) page.payment = found?.payment ?? null;
      for (const stream of [...page.streams]) if (!sendVersion(stream, found, clock.now())) drop(page, stream);
      if (page.streams.size > 0) await clock.sleep(LOOK_EVERY_MS, pause.signal);
    }
    pages.delete(token);
  }

  return {
    watch(token, listener) {
      const known = pages.get(token);
      if (isClosed || streams >= MOST_STREAMS || (known?.streams.size ?? 0) >= MOST_PER_TOKEN) return undefined;
      const page = known ?? new WatchedPage();
      const now = clock.now();
      const stream: Stream = { listener, endsAt: now + LONGEST_STREAM_MS, version: '', sentAt: now };
      page.streams.add(stream);
      streams += 1;
      pages.set(token, page);
      if (known) page.wake();
      else void follow(token, page);
      return () => drop(page, stream);
    },
    changed(payment) {
      for (const page of pages.values()) if (isSame(page.payment, payment)) page.wake();
    },
    close() {
      isClosed = true;
      for (const page of pages.values()) {
        for (const stream of [...page.streams]) {
          stream.listener.end();
          drop(page, stream);
        }
      }
    },
  };
}

/** `found` is null if the lookup failed. Returns false when the stream has ended. */
function sendVersion(stream: Stream, found: Watched | undefined | null, now: Instant): boolean {
  const { listener } = stream;
  if (found && found.version !== stream.version) {
    stream.version = found.version;
    stream.sentAt = now;
    listener.send(found.version);
  } else if (now - stream.sentAt >= BEAT_EVERY_MS) {
    stream.sentAt = now;
    listener.beat();
  }
  const isOver = found === undefined || found?.isLive === false || now >= stream.endsAt;
  if (isOver) listener.end();
  return !isOver;
}

function isSame(one: DepositKey | null, other: DepositKey): boolean {
  return one?.merchantId === other.merchantId && one.transactionId === other.transactionId;
}
