/**
 * Puts Freedom Pay's simulator together and starts it: book, journal, callbacks, HTTP edge. The one thing that the process and
 * the tests start. No decision about money belongs here.
 */
import type { Server } from 'node:http';
import { type Clock, TimerSet } from '../clock.ts';
import { requestListener } from '../kernel/http-server.ts';
import { type BookTitle, openJournal } from '../kernel/journal.ts';
import { silenceOnBookFailure } from '../kernel/silence.ts';
import { type Furnished, type ProviderServer, startProvider } from '../kernel/start-provider.ts';
import { toText } from './amounts.ts';
import { Book, type BookEntry } from './book.ts';
import { Callbacks } from './callbacks.ts';
import { noFaults } from './faults.ts';
import { FreedomPay, type FreedomPayDelays, usualDelays } from './freedom-pay.ts';
import { apiRoutes, controlRoutes } from './routes.ts';

export interface FreedomPayOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Opens the control surface; a call is known by its merchant and its signature. */
  readonly secret: string;
  readonly merchantId: string;
  readonly payoutSecret: string;
  /** What the client has paid in for payouts, in tenge. */
  readonly float?: string;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which reads the book and switches faults on. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<FreedomPayDelays>;
  /** Takes one line per trouble; a payout that goes its way makes none. */
  readonly log: (line: string) => void;
}

const bookTitle: BookTitle = {
  name: "Freedom Pay's book",
  mark: 'freedom_pay_simulator_book',
  notice: 'A simulator of Freedom Pay for development: no money moved.',
};

const usualFloat = '1000000000.00';

/** Throws a StartupFault when the port or the book can't be had. */
export function startFreedomPay(options: FreedomPayOptions): Promise<ProviderServer> {
  const place = { ...options, name: "Freedom Pay's simulator", portVariable: 'FREEDOM_PAY_PORT' };
  return startProvider(place, (server) => furnish(server, options));
}

/** Opens the book, makes Freedom Pay and has it answer. */
function furnish(server: Server, options: FreedomPayOptions): Furnished {
  const { clock, secret, bookPath, log, merchantId, payoutSecret } = options;
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book(options.float ?? usualFloat);
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('Freedom Pay', log);
  const callbacks = new Callbacks({
    ...{ merchantId, payoutSecret, clock, faults, lateMs: delays.lateMs, log },
    balance: () => toText(book.float()),
    onAccepted: (entry) => freedomPay.accepted(entry),
  });
  const freedomPay = new FreedomPay({ book, journal, clock, delays, faults, callbacks, onBookFailure: onFailure });
  const served = { freedomPay, book, merchantId, payoutSecret, faults, clock };
  const control = options.control ? controlRoutes({ ...served, isInMemory: bookPath === undefined }) : [];
  const routes = [...apiRoutes(served), ...control];
  const edge = { secret, needsSecret: 'control', serverHeader: 'freedom-pay-simulator (no money moves)' } as const;
  const { holdMs } = delays;
  server.on('request', requestListener({ ...edge, routes, faults, timers, holdMs, isSilenced, onFailure }));
  freedomPay.resume();
  const stop = () => {
    timers.cancelAll();
    freedomPay.close();
  };
  return { journal, stop };
}
