/**
 * Puts Trustly's simulator together and starts it: book, journal, deliveries, checkout, HTTP edge. The one thing that the
 * process, the demonstration and the tests start. No decision about money belongs here.
 */
import type { KeyObject } from 'node:crypto';
import type { Server } from 'node:http';
import { type Clock, TimerSet } from '../clock.ts';
import { requestListener, urlOf } from '../kernel/http-server.ts';
import { type BookTitle, openJournal } from '../kernel/journal.ts';
import { silenceOnBookFailure } from '../kernel/silence.ts';
import { type Furnished, type ProviderServer, startProvider } from '../kernel/start-provider.ts';
import { Book, type BookEntry } from './book.ts';
import { checkoutRoutes } from './checkout.ts';
import { Deliveries } from './deliveries.ts';
import { noFaults } from './faults.ts';
import { uuidsOf } from './key-files.ts';
import { apiRoutes, controlRoutes } from './routes.ts';
import { Trustly, type TrustlyDelays, usualDelays } from './trustly.ts';

export interface TrustlyOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Opens the control surface; a call is known by its credentials and its signature. */
  readonly secret: string;
  readonly username: string;
  readonly password: string;
  /** The key that the client has registered; it is asked for anew at every call. */
  readonly findPublicKey: () => KeyObject | undefined;
  /** Signs for Trustly. */
  readonly privateKey: KeyObject;
  /** The origin under which payers reach the checkout; its own address where it is left out. */
  readonly publicUrl?: string;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which has payers act, reads the book and switches faults on. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<TrustlyDelays>;
  /** Takes one line per trouble; a payment that goes its way makes none. */
  readonly log: (line: string) => void;
}

const bookTitle: BookTitle = {
  name: "Trustly's book",
  mark: 'trustly_simulator_book',
  notice: 'A simulator of Trustly for development: no money moved.',
};

/** Its calls go to the server's address and `/api/1`. Throws a StartupFault when the port or the book can't be had. */
export function startTrustly(options: TrustlyOptions): Promise<ProviderServer> {
  const place = { ...options, name: "Trustly's simulator", portVariable: 'TRUSTLY_PORT' };
  return startProvider(place, (server) => furnish(server, options));
}

/** Opens the book, makes Trustly and has it answer. */
function furnish(server: Server, options: TrustlyOptions): Furnished {
  const { clock, secret, bookPath, privateKey, log } = options;
  const { username, password, findPublicKey } = options;
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('Trustly', log);
  const onAcknowledged = (entry: BookEntry) => trustly.acknowledged(entry);
  const { lateMs, holdMs } = delays;
  const deliveries = new Deliveries({ clock, faults, privateKey, findPublicKey, lateMs, log, onAcknowledged });
  const uuidOf = uuidsOf(privateKey);
  const trustly = new Trustly({ book, journal, clock, delays, faults, deliveries, uuidOf, onBookFailure: onFailure });
  const client = { username, password, findPublicKey };
  const served = { trustly, book, client, faults, privateKey, publicUrl: () => options.publicUrl ?? urlOf(server) };
  const control = options.control ? controlRoutes({ ...served, isInMemory: bookPath === undefined }) : [];
  const routes = [...apiRoutes(served), ...checkoutRoutes(served), ...control];
  const edge = { secret, needsSecret: 'control', serverHeader: 'trustly-simulator (no money moves)' } as const;
  server.on('request', requestListener({ ...edge, routes, faults, timers, holdMs, isSilenced, onFailure }));
  trustly.resume();
  const stop = () => {
    timers.cancelAll();
    trustly.close();
  };
  return { journal, stop };
}
