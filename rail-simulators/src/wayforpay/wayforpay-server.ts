/**
 * Puts WayForPay's simulator together and starts it: book, journal, callbacks, HTTP edge. The one thing that the process, the
 * demonstration and the tests start. No decision about money belongs here.
 */
import type { Server } from 'node:http';
import { type Clock, TimerSet } from '../clock.ts';
import { requestListener } from '../kernel/http-server.ts';
import { type BookTitle, openJournal } from '../kernel/journal.ts';
import { silenceOnBookFailure } from '../kernel/silence.ts';
import { type Furnished, type ProviderServer, startProvider } from '../kernel/start-provider.ts';
import { Book, type BookEntry } from './book.ts';
import { createCallbacks } from './callbacks.ts';
import { noFaults } from './faults.ts';
import { apiRoutes, controlRoutes } from './routes.ts';
import { usualDelays, WayForPay, type WayForPayDelays } from './wayforpay.ts';

export interface WayForPayOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Opens the control surface; a client is known by its signature. */
  readonly secret: string;
  readonly merchantAccount: string;
  readonly secretKey: string;
  /** What the client has there at the beginning, in kopecks; ten million hryvnias where it is not said. */
  readonly opening?: bigint;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which reads the book and switches faults on. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<WayForPayDelays>;
  /** Takes one line per trouble; a payout that goes its way makes none. */
  readonly log: (line: string) => void;
}

const bookTitle: BookTitle = {
  name: "WayForPay's book",
  mark: 'wayforpay_simulator_book',
  notice: 'A simulator of WayForPay for development: no money moved.',
};

const usualOpening = 1_000_000_000n;

/** Throws a StartupFault when the port or the book can't be had. */
export function startWayForPay(options: WayForPayOptions): Promise<ProviderServer> {
  const place = { ...options, name: "WayForPay's simulator", portVariable: 'WAYFORPAY_PORT' };
  return startProvider(place, (server) => furnish(server, options));
}

/** Opens the book, makes WayForPay and has it answer. */
function furnish(server: Server, options: WayForPayOptions): Furnished {
  const { clock, secret, bookPath, log, merchantAccount, secretKey, opening = usualOpening } = options;
  const account = { merchantAccount, secretKey };
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('WayForPay', log);
  const onAccepted = (entry: BookEntry) => wayforpay.accepted(entry);
  const callbacks = createCallbacks({ account, clock, faults, lateMs: delays.lateMs, log, onAccepted });
  const onBookFailure = onFailure;
  const wayforpay = new WayForPay({ book, journal, clock, delays, faults, callbacks, opening, onBookFailure });
  const served = { wayforpay, account, faults };
  const controlled = { ...served, book, isInMemory: bookPath === undefined };
  const routes = [...apiRoutes(served), ...(options.control ? controlRoutes(controlled) : [])];
  const edge = { secret, needsSecret: 'control', serverHeader: 'wayforpay-simulator (no money moves)' } as const;
  const { holdMs } = delays;
  server.on('request', requestListener({ ...edge, routes, faults, timers, holdMs, isSilenced, onFailure }));
  wayforpay.resume();
  const stop = () => {
    timers.cancelAll();
    wayforpay.close();
  };
  return { journal, stop };
}
