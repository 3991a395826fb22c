/**
 * The log of a process's provider exchanges: a bounded queue in memory, written in batches. Logging never delays a call or
 * makes it fail. It records unusual calls up to a limit, and a sample of normal calls: the log explains outcomes but proves
 * nothing (decision 73).
 */
import { type Clock, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/random.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { ExchangeStore, ProviderExchange, WireExchange } from './exchange-store.ts';
import { redactExchange } from './redact-exchange.ts';

/** One call of a port, together with the requests and responses of its connector. */
interface ProviderCall extends Pick<ProviderExchange, 'rail' | 'reference' | 'call' | 'answer' | 'at' | 'durationMs'> {
  readonly exchanges: readonly WireExchange[];
}

export interface ExchangeLog {
  record(call: ProviderCall): void;
  /** Writes the queued exchanges. */
  close(): Promise<void>;
}

interface ExchangeLogParts {
  readonly store: Pick<ExchangeStore, 'append'>;
  readonly clock: Clock;
  readonly random: Random;
  /** The credentials of all rails. */
  readonly secrets: readonly Secret[];
}

/** Responses that need no explanation. */
const USUAL: ReadonlySet<string> = new Set(['executed', 'pending', 'paid', 'step', 'refunded']);
/** The maximum number of recorded calls per rail and process in a minute. */
const PER_MINUTE = { usual: 10, unusual: 60 } as const;
const QUEUED_CALLS = 300;
export const EXCHANGES_PER_CALL = 4;
/** The number of calls per write. The process does other work between two writes. */
const WRITTEN_CALLS = 10;
const WRITE_EVERY_MS = 1 * SECOND_MS;
const SHOWN_BYTES = 4 * 1024;
/** The number of bytes to read, which exceeds the stored part, so that a secret that crosses its end is found completely. */
const READ_BYTES = 2 * SHOWN_BYTES;

export function createExchangeLog({ store, clock, random, secrets }: ExchangeLogParts): ExchangeLog {
  let minute = 0;
  const counts = new Map<string, number>();
  const queue: ProviderCall[] = [];
  let isScheduled = false;
  let written = Promise.resolve();

  function isWanted({ rail, answer, exchanges }: ProviderCall): boolean {
    if (exchanges.length === 0 || queue.length >= QUEUED_CALLS) return false;
    const now = Math.floor(clock.now() / MINUTE_MS);
    if (now !== minute) counts.clear();
    minute = now;
    const kind = USUAL.has(answer) ? 'usual' : 'unusual';
    const count = (counts.get(`${kind} ${rail}`) ?? 0) + 1;
    counts.set(`${kind} ${rail}`, count);
    return count <= PER_MINUTE[kind];
  }

  function writeAll(): Promise<void> {
    written = written.then(async () => {
      while (queue.length > 0) {
        const calls = queue.splice(0, WRITTEN_CALLS);
        try {
          await store.append(calls.flatMap((call) => rowsOf(call, random, secrets)));
        } catch {
          // The database is unavailable, so these exchanges are lost. Other code reports the outage.
        }
      }
    });
    return written;
  }

  return {
    record(call) {
      if (!isWanted(call)) return;
      queue.push({ ...call, exchanges: call.exchanges.slice(0, EXCHANGES_PER_CALL).map(cut) });
      if (isScheduled) return;
      isScheduled = true;
      void clock.sleep(WRITE_EVERY_MS).then(() => {
        isScheduled = false;
        return writeAll();
      });
    },
    close: writeAll,
  };
}

/** Returns a copy, because a slice would keep the entire response in memory. */
function cut(exchange: WireExchange): WireExchange {
  const { request, reply } = exchange;
  return { ...exchange, request: request.slice(0, READ_BYTES), reply: Buffer.from(reply.subarray(0, READ_BYTES)) };
}

function rowsOf({ exchanges, ...call }: ProviderCall, random: Random, secrets: readonly Secret[]): ProviderExchange[] {
  const shown = (bytes: Buffer) => redactExchange(bytes, secrets).subarray(0, SHOWN_BYTES);
  const text = (written: string) => shown(Buffer.from(written)).toString();
  return exchanges.map(({ method, path, request, status, reply, failure }, place) => ({
    ...call,
    exchangeId: `${place}-${random.uuid()}`,
    method,
    path: text(path),
    request: shown(Buffer.from(request)),
    status,
    reply: shown(reply),
    failure: text(failure),
  }));
}
