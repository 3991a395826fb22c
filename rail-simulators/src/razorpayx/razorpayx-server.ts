/**
 * Puts RazorpayX's simulator together and starts it: book, journal, webhooks, HTTP edge. The one thing that the process, the
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
import { controlRoutes } from './control-routes.ts';
import { noFaults } from './faults.ts';
import { RazorpayX, type RazorpayXDelays, usualDelays } from './razorpayx.ts';
import { apiRoutes } from './routes.ts';
import { Webhooks } from './webhooks.ts';

export interface RazorpayXOptions extends Account {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Opens the control surface; a call is known by its key. */
  readonly secret: string;
  readonly webhookUrl: string;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which reads the book and switches faults on. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<RazorpayXDelays>;
  /** Takes one line per trouble; a payout that goes its way makes none. */
  readonly log: (line: string) => void;
}

const bookTitle: BookTitle = {
  name: "RazorpayX's book",
  mark: 'razorpayx_simulator_book',
  notice: 'A simulator of RazorpayX for development: no money moved.',
};

/** Its calls go to the server's address and `/v1`. Throws a StartupFault when the port or the book can't be had. */
export function startRazorpayX(options: RazorpayXOptions): Promise<ProviderServer> {
  const place = { ...options, name: "RazorpayX's simulator", portVariable: 'RAZORPAYX_PORT' };
  return startProvider(place, (server) => furnish(server, options));
}

/** Opens the book, makes RazorpayX and has it answer. */
function furnish(server: Server, options: RazorpayXOptions): Furnished {
  const { clock, secret, bookPath, log, keyId, keySecret, accountNumber, webhookSecret, webhookUrl: url } = options;
  const account = { keyId, keySecret, accountNumber, webhookSecret };
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('RazorpayX', log);
  const webhooks = new Webhooks({ url, account, clock, faults, lateMs: delays.lateMs, log });
  const razorpayx = new RazorpayX({ book, journal, clock, delays, faults, webhooks, onBookFailure: onFailure });
  const control = { razorpayx, book, faults, isInMemory: bookPath === undefined };
  const routes = [
    ...apiRoutes({ razorpayx, book, account, faults, clock }),
    ...(options.control ? controlRoutes(control) : []),
  ];
  const edge = { secret, needsSecret: 'control', serverHeader: 'razorpayx-simulator (no money moves)' } as const;
  server.on(
    'request',
    requestListener({ ...edge, routes, faults, timers, holdMs: delays.holdMs, isSilenced, onFailure }),
  );
  razorpayx.resume();
  const stop = () => {
    timers.cancelAll();
    razorpayx.close();
  };
  return { journal, stop };
}
