/**
 * Puts Epoint's simulator together and starts it: book, journal, callbacks, HTTP edge. The one thing that the process, the
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
import { Epoint, type EpointDelays, usualDelays } from './epoint.ts';
import { noFaults } from './faults.ts';
import { apiRoutes, controlRoutes } from './routes.ts';

export interface EpointOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Opens the control surface; a client is known by its signature. */
  readonly secret: string;
  readonly publicKey: string;
  readonly privateKey: string;
  /** Where the client is told, as its cabinet has it. */
  readonly resultUrl: string;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which has holders type their cards, reads the book and switches faults on. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<EpointDelays>;
  /** Takes one line per trouble; a payout that goes its way makes none. */
  readonly log: (line: string) => void;
}

const bookTitle: BookTitle = {
  name: "Epoint's book",
  mark: 'epoint_simulator_book',
  notice: 'A simulator of Epoint for development: no money moved.',
};

/** Its calls go to the server's address and `/api/1`. Throws a StartupFault when the port or the book can't be had. */
export function startEpoint(options: EpointOptions): Promise<ProviderServer> {
  const place = { ...options, name: "Epoint's simulator", portVariable: 'EPOINT_PORT' };
  return startProvider(place, (server) => furnish(server, options));
}

/** Opens the book, makes Epoint and has it answer. */
function furnish(server: Server, options: EpointOptions): Furnished {
  const { clock, secret, bookPath, log, publicKey, privateKey, resultUrl } = options;
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => book.take(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('Epoint', log);
  const callbacks = createCallbacks({ url: resultUrl, privateKey, clock, faults, lateMs: delays.lateMs, log });
  const epoint = new Epoint({ book, journal, clock, delays, faults, callbacks, onBookFailure: onFailure });
  const served = { epoint, book, faults, publicKey, privateKey, isInMemory: bookPath === undefined };
  const routes = [...apiRoutes(served), ...(options.control ? controlRoutes(served) : [])];
  const edge = { secret, needsSecret: 'control', serverHeader: 'epoint-simulator (no money moves)' } as const;
  const { holdMs } = delays;
  server.on('request', requestListener({ ...edge, routes, faults, timers, holdMs, isSilenced, onFailure }));
  epoint.resume();
  const stop = () => {
    timers.cancelAll();
    epoint.close();
  };
  return { journal, stop };
}
