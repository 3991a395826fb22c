/**
 * Puts VoPay's simulator together and starts it: book, journal, webhooks, inbox, HTTP edge. The one thing that the process,
 * the demonstration and the tests start. No decision about money belongs here.
 */
import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import { type Clock, TimerSet } from '../clock.ts';
import { requestListener } from '../kernel/http-server.ts';
import { type BookTitle, openJournal } from '../kernel/journal.ts';
import { silenceOnBookFailure } from '../kernel/silence.ts';
import { type Furnished, type ProviderServer, startProvider } from '../kernel/start-provider.ts';
import { Book, type BookEntry } from './book.ts';
import { controlRoutes } from './control-routes.ts';
import { noFaults } from './faults.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { apiRoutes } from './routes.ts';
import { usualDelays, VoPay, type VoPayDelays } from './vopay.ts';
import { Webhooks } from './webhooks.ts';

export interface VoPayOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Opens the control surface; a call is known by its credentials and its signature. */
  readonly secret: string;
  readonly accountId: string;
  readonly key: string;
  readonly sharedSecret: string;
  readonly webhookUrl: string;
  /** What the client has put in for payouts, in dollars. */
  readonly float?: string;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which has payers act, reads the book and switches faults on. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<VoPayDelays>;
  /** Takes one line per trouble; a payment that goes its way makes none. */
  readonly log: (line: string) => void;
}

const bookTitle: BookTitle = {
  name: "VoPay's book",
  mark: 'vopay_simulator_book',
  notice: 'A simulator of VoPay for development: no money moved.',
};

const usualFloat = '1000000.00';

/**
 * Its calls go to the server's address and `/api/v2`, its payers to `/inbox`. Throws a StartupFault when the port or the book
 * can't be had.
 */
export function startVoPay(options: VoPayOptions): Promise<ProviderServer> {
  const place = { ...options, name: "VoPay's simulator", portVariable: 'VOPAY_PORT' };
  return startProvider(place, (server) => furnish(server, options));
}

/** Opens the book, makes VoPay and has it answer. */
function furnish(server: Server, options: VoPayOptions): Furnished {
  const { clock, secret, bookPath, log, accountId, key, sharedSecret } = options;
  const account = { accountId, key, sharedSecret };
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book(options.float ?? usualFloat);
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('VoPay', log);
  const pace = { lateMs: delays.lateMs, pauseMs: delays.webhookPauseMs };
  const webhooks = new Webhooks({ url: options.webhookUrl, account, clock, faults, ...pace, log });
  const answerOf = (id: number) => createHash('sha256').update(`${sharedSecret} ${id}`).digest('hex').slice(0, 10);
  const vopay = new VoPay({ book, journal, clock, delays, faults, webhooks, answerOf, onBookFailure: onFailure });
  const control = { vopay, book, faults, account, webhooks, isInMemory: bookPath === undefined };
  const routes = [
    ...apiRoutes({ vopay, book, account, faults, clock }),
    ...inboxRoutes({ vopay, book, client: accountId }),
    ...(options.control ? controlRoutes(control) : []),
  ];
  const edge = { secret, needsSecret: 'control', serverHeader: 'vopay-simulator (no money moves)' } as const;
  server.on(
    'request',
    requestListener({ ...edge, routes, faults, timers, holdMs: delays.holdMs, isSilenced, onFailure }),
  );
  vopay.resume();
  const stop = () => {
    timers.cancelAll();
    vopay.close();
  };
  return { journal, stop };
}
