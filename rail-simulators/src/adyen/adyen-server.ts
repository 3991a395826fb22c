/**
 * Puts Adyen's simulator together and starts it: book, journal, webhooks, the banks' pages, HTTP edge. The one thing that the
 * process, the demonstration and the tests start. No decision about money belongs here.
 */
import type { Server } from 'node:http';
import { type Clock, TimerSet } from '../clock.ts';
import { requestListener, urlOf } from '../kernel/http-server.ts';
import { type BookTitle, openJournal } from '../kernel/journal.ts';
import { silenceOnBookFailure } from '../kernel/silence.ts';
import { type Furnished, type ProviderServer, startProvider } from '../kernel/start-provider.ts';
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

const bookTitle: BookTitle = {
  name: "Adyen's book",
  mark: 'adyen_simulator_book',
  notice: 'A simulator of Adyen for development: no money moved.',
};

/** The client's base address is the server's and `/v72`. Throws a StartupFault when the port or the book can't be had. */
export function startAdyen(options: AdyenOptions): Promise<ProviderServer> {
  const place = { ...options, name: "Adyen's simulator", portVariable: 'ADYEN_PORT' };
  return startProvider(place, (server) => furnish(server, options));
}

/** Opens the book, makes Adyen and has it answer. */
function furnish(server: Server, options: AdyenOptions): Furnished {
  const { clock, secret, bookPath, merchantAccount, apiKey } = options;
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
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
  const stop = () => {
    timers.cancelAll();
    adyen.stop();
  };
  return { journal, stop };
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
