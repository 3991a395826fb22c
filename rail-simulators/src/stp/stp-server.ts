/**
 * Puts STP's simulator together and starts it: book, journal, deliveries, HTTP edge. The one thing that the process, the
 * demonstration and the tests start. No decision about money belongs here.
 */
import type { KeyObject } from 'node:crypto';
import type { Server } from 'node:http';
import { type Clock, TimerSet } from '../clock.ts';
import { requestListener } from '../kernel/http-server.ts';
import { type BookTitle, openJournal } from '../kernel/journal.ts';
import { silenceOnBookFailure } from '../kernel/silence.ts';
import { type Furnished, type ProviderServer, startProvider } from '../kernel/start-provider.ts';
import { Book, type BookEntry } from './book.ts';
import { Deliveries } from './deliveries.ts';
import { type Faults, noFaults } from './faults.ts';
import type { Client } from './payment-order.ts';
import { controlRoutes, stpRoutes } from './routes.ts';
import { Stp, type StpDelays, usualDelays } from './stp.ts';

export interface StpOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Opens the control surface; STP's own addresses know the client by its signature. */
  readonly secret: string;
  /** The name under which STP knows the client. */
  readonly empresa: string;
  /** The client's CLABEs begin with it: 6 to 16 digits. */
  readonly clabePrefix: string;
  /** The key that the client has registered; it is asked for anew at every signature. */
  readonly findPublicKey: () => KeyObject | undefined;
  /** Where the client takes abonos and changes of state; without both STP tells nobody. */
  readonly notify?: { readonly abonoUrl: string; readonly stateUrl: string };
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which has payers pay, reads the book and switches faults on. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<StpDelays>;
  /** Rows of one page of the day's list; STP's is 1,000. */
  readonly rowsPerPage?: number;
  /** Takes one line per trouble; a transfer that goes its way makes none. */
  readonly log: (line: string) => void;
}

const bookTitle: BookTitle = {
  name: "STP's book",
  mark: 'stp_simulator_book',
  notice: 'A simulator of STP for development: no money moved.',
};

const usualRowsPerPage = 1_000;

/** Throws a StartupFault when the port or the book can't be had. */
export function startStp(options: StpOptions): Promise<ProviderServer> {
  const place = { ...options, name: "STP's simulator", portVariable: 'STP_PORT' };
  return startProvider(place, (server) => furnish(server, options));
}

/** Opens the book, makes STP and has it answer. */
function furnish(server: Server, options: StpOptions): Furnished {
  const { clock, secret, bookPath } = options;
  const { empresa, clabePrefix, findPublicKey } = options;
  const client: Client = { empresa, clabePrefix, findPublicKey };
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('STP', options.log);
  const deliveries = makeDeliveries(options, faults, delays, () => stp);
  const stp = new Stp({ book, journal, clock, delays, faults, deliveries, onBookFailure: onFailure });
  const served = { stp, client, rowsPerPage: options.rowsPerPage ?? usualRowsPerPage };
  const control = { ...served, book, faults, isInMemory: bookPath === undefined };
  const routes = [...stpRoutes(served), ...(options.control ? controlRoutes(control) : [])];
  const edge = { secret, needsSecret: 'control', serverHeader: 'stp-simulator (no money moves)' } as const;
  const { holdMs } = delays;
  server.on('request', requestListener({ ...edge, routes, faults, timers, holdMs, isSilenced, onFailure }));
  stp.resume();
  const stop = () => {
    timers.cancelAll();
    stp.close();
  };
  return { journal, stop };
}

function makeDeliveries(
  { notify, empresa, clock, log }: StpOptions,
  faults: Faults,
  { lateMs, longestPauseMs }: StpDelays,
  stp: () => Stp,
): Deliveries | undefined {
  if (notify === undefined) return undefined;
  return new Deliveries({
    ...notify,
    empresa,
    clock,
    faults,
    lateMs,
    longestPauseMs,
    log,
    onAbonoAnswered: (entry, answer) => stp().abonoAnswered(entry, answer),
    onStateAccepted: (entry) => stp().stateAccepted(entry),
  });
}
