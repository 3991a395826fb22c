/**
 * Puts the simulator of Mastercard Send together and starts it: book, journal, HTTP edge. The one thing that the process, the
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
import { noFaults } from './faults.ts';
import { MastercardSend, type MastercardSendDelays, usualDelays } from './mastercard-send.ts';
import { OAuthGuard } from './oauth.ts';
import { controlRoutes, mastercardRoutes } from './routes.ts';

export interface MastercardSendOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Opens the control surface. */
  readonly secret: string;
  readonly partnerId: string;
  readonly consumerKey: string;
  /** The client's key; undefined as long as it has shown none. */
  readonly findPublicKey: () => KeyObject | undefined;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which reads the book and switches faults on. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<MastercardSendDelays>;
  /** Takes one line per trouble; a disbursement that goes its way makes none. */
  readonly log: (line: string) => void;
}

const bookTitle: BookTitle = {
  name: "Mastercard Send's book",
  mark: 'mastercard_send_simulator_book',
  notice: 'A simulator of Mastercard Send for development: no money moved.',
};

/** The client's base address is the server's and `/send`. Throws a StartupFault when the port or the book can't be had. */
export function startMastercardSend(options: MastercardSendOptions): Promise<ProviderServer> {
  const place = { ...options, name: "Mastercard Send's simulator", portVariable: 'MASTERCARD_SEND_PORT' };
  return startProvider(place, (server) => furnish(server, options));
}

/** Opens the book, makes Mastercard and has it answer. */
function furnish(server: Server, options: MastercardSendOptions): Furnished {
  const { clock, secret, bookPath, log, partnerId, consumerKey, findPublicKey } = options;
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('Mastercard', log);
  const mastercard = new MastercardSend({ book, journal, clock, delays, faults, onBookFailure: onFailure });
  const account = { partnerId, consumerKey };
  const guard = new OAuthGuard();
  const served = { mastercard, book, guard, account, findPublicKey, faults, clock };
  const routes = [
    ...mastercardRoutes(served),
    ...(options.control ? controlRoutes({ ...served, isInMemory: bookPath === undefined }) : []),
  ];
  const edge = { secret, needsSecret: 'control', serverHeader: 'mastercard-send-simulator (no money moves)' } as const;
  const { holdMs } = delays;
  server.on('request', requestListener({ ...edge, routes, faults, timers, holdMs, isSilenced, onFailure }));
  mastercard.resume();
  const stop = () => {
    timers.cancelAll();
    mastercard.stop();
  };
  return { journal, stop };
}
