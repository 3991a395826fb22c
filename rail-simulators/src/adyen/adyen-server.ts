/**
 * Puts Adyen's simulator together and starts it: book, journal, webhooks, the banks' pages, HTTP edge. The one thing that the
 * process, the demonstration and the tests start. No decision about money belongs here.
 */
import type { Server } from 'node:http';
import { type Clock, TimerSet } from '../clock.ts';
import { closeServer, createProviderServer, listen, requestListener, urlOf } from '../provider-server/http-server.ts';
import { type BookTitle, type Journal, noJournal, openJournal } from '../provider-server/journal.ts';
import { silenceOnBookFailure } from '../provider-server/silence.ts';
import { Adyen, type AdyenDelays, usualDelays } from './adyen.ts';
import { bankRoutes } from './bank-routes.ts';
import { Book, type BookEntry } from './book.ts';
import { type Faults, noFaults } from './faults.ts';
import { IdempotentRequests } from './idempotency.ts';
import { Ids } from './ids.ts';
import { checkoutRoutes, controlRoutes } from './routes.ts';
import { Webhooks } from './webhooks.ts';

export interface AdyenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Opens the control surface. */
  readonly secret: string;
  readonly merchantAccount: string;
  readonly apiKey: string;
  /** Hexadecimal; signs the webhooks. */
  readonly hmacKey: string;
  /** Where the client takes webhooks; without it Adyen tells nobody. */
  readonly webhookUrl?: string;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which reads the book, switches faults on and has banks take money back. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<AdyenDelays>;
  /** Takes one line per trouble; a payment that goes its way makes none. */
  readonly log: (line: string) => void;
}

export interface AdyenServer {
  /** The client's base address is this and `/v72`. */
  readonly url: string;
  /** Ends every connection and timer, and returns once the book is written. */
  close(): Promise<void>;
}

const bookTitle: BookTitle = {
  name: "Adyen's book",
  mark: 'adyen_simulator_book',
  notice: 'A simulator of Adyen for development: no money moved.',
};

/** Throws a StartupFault when the port or the book can't be had. */
export async function startAdyen(options: AdyenOptions): Promise<AdyenServer> {
  const server = createProviderServer();
  await listen(server, { ...options, name: "Adyen's simulator", portVariable: 'ADYEN_PORT' });
  try {
    // The port before the book, and the listener without a pause, for the reasons that the stand-in bank gives.
    const close = furnish(server, options);
    return { url: urlOf(server), close };
  } catch (error) {
    server.close();
    throw error;
  }
}

/** Opens the book, makes Adyen and has it answer; returns what closes it all. */
function furnish(server: Server, options: AdyenOptions): () => Promise<void> {
  const { clock, secret, bookPath, merchantAccount, apiKey } = options;
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal: Journal<BookEntry> =
    bookPath === undefined ? noJournal : openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('Adyen', options.log);
  const webhooks = makeWebhooks(options, faults, delays, (entry) => adyen.webhookAccepted(entry));
  const ids = new Ids(String(clock.now()), book.size);
  const adyen = new Adyen({ book, journal, clock, delays, faults, ids, webhooks, onBookFailure: onFailure });
  const served = {
    adyen,
    book,
    account: { merchantAccount, apiKey },
    requests: new IdempotentRequests(),
    faults,
    now: () => clock.now(),
    pages: () => urlOf(server),
  };
  const routes = [
    ...checkoutRoutes(served),
    ...bankRoutes({ adyen, book }),
    ...(options.control ? controlRoutes({ ...served, isInMemory: bookPath === undefined }) : []),
  ];
  const edge = { secret, needsSecret: 'control', serverHeader: 'adyen-simulator (no money moves)' } as const;
  const { holdMs } = delays;
  server.on('request', requestListener({ ...edge, routes, faults, timers, holdMs, isSilenced, onFailure }));
  adyen.resume(book.pending());
  return async () => {
    timers.cancelAll();
    adyen.stop();
    await closeServer(server);
    await journal.close();
  };
}

function makeWebhooks(
  { webhookUrl, merchantAccount, hmacKey, clock, log }: AdyenOptions,
  faults: Faults,
  { lateMs }: AdyenDelays,
  onAccepted: (entry: BookEntry) => void,
): Webhooks | undefined {
  if (webhookUrl === undefined) return undefined;
  return new Webhooks({ url: webhookUrl, merchantAccount, hmacKey, clock, faults, lateMs, log, onAccepted });
}
