/**
 * Puts DT One's simulator together and starts it: book, journal, callbacks, HTTP edge. The one thing that the process, the
 * demonstration and the tests start. No decision about money belongs here.
 */
import type { Server } from 'node:http';
import { type Clock, TimerSet } from '../clock.ts';
import { requestListener } from '../kernel/http-server.ts';
import { type BookTitle, openJournal } from '../kernel/journal.ts';
import { silenceOnBookFailure } from '../kernel/silence.ts';
import { type Furnished, type ProviderServer, startProvider } from '../kernel/start-provider.ts';
import type { Account } from './authentication.ts';
import { Book, type BookEntry } from './book.ts';
import { Callbacks } from './callbacks.ts';
import { controlRoutes } from './control-routes.ts';
import { DtOne, type DtOneDelays, usualDelays } from './dt-one.ts';
import { noFaults } from './faults.ts';
import { apiRoutes } from './routes.ts';

export interface DtOneOptions extends Account {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Opens the control surface; a call is known by its key. */
  readonly secret: string;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which reads the book and switches faults on. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<DtOneDelays>;
  /** Takes one line per trouble; a transaction that goes its way makes none. */
  readonly log: (line: string) => void;
}

const bookTitle: BookTitle = {
  name: "DT One's book",
  mark: 'dt_one_simulator_book',
  notice: 'A simulator of DT One for development: no money moved.',
};

/** Its calls go to the server's address and `/v1`. Throws a StartupFault when the port or the book can't be had. */
export function startDtOne(options: DtOneOptions): Promise<ProviderServer> {
  const place = { ...options, name: "DT One's simulator", portVariable: 'DT_ONE_PORT' };
  return startProvider(place, (server) => furnish(server, options));
}

/** Opens the book, makes DT One and has it answer. */
function furnish(server: Server, options: DtOneOptions): Furnished {
  const { clock, secret, bookPath, log, apiKey, apiSecret, callbackUsername, callbackPassword } = options;
  const account = { apiKey, apiSecret, callbackUsername, callbackPassword };
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('DT One', log);
  const callbacks = new Callbacks({ account, clock, faults, lateMs: delays.lateMs, log });
  const dtOne = new DtOne({ book, journal, clock, delays, faults, callbacks, onBookFailure: onFailure });
  const control = { dtOne, book, faults, isInMemory: bookPath === undefined };
  const routes = [
    ...apiRoutes({ dtOne, book, account, faults, clock }),
    ...(options.control ? controlRoutes(control) : []),
  ];
  const edge = { secret, needsSecret: 'control', serverHeader: 'dt-one-simulator (no money moves)' } as const;
  server.on(
    'request',
    requestListener({ ...edge, routes, faults, timers, holdMs: delays.holdMs, isSilenced, onFailure }),
  );
  dtOne.resume();
  const stop = () => {
    timers.cancelAll();
    dtOne.close();
  };
  return { journal, stop };
}
