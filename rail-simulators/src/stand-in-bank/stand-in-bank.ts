/**
 * Puts the stand-in bank together and starts it: book, journal, notifier, HTTP edge. The one thing that the process,
 * the demonstration and the tests start. No decision about a payout belongs here.
 */
import type { Server } from 'node:http';
import { type Clock, TimerSet } from '../clock.ts';
import { requestListener } from '../provider-server/http-server.ts';
import { type BookTitle, openJournal } from '../provider-server/journal.ts';
import { silenceOnBookFailure } from '../provider-server/silence.ts';
import { type Furnished, type ProviderServer, startProvider } from '../provider-server/start-provider.ts';
import { Bank } from './bank.ts';
import { Book, type BookEntry } from './book.ts';
import { type Faults, noFaults } from './faults.ts';
import { type BankDelays, usualDelays } from './magic-amounts.ts';
import { Notifier } from './notifier.ts';
import { controlRoutes, payoutRoutes } from './routes.ts';

const bookTitle: BookTitle = {
  name: "The stand-in bank's book",
  mark: 'stand_in_bank_book',
  notice: 'A stand-in bank for development: no money moved.',
};

export interface StandInBankOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Authorizes requests and signs notifications. */
  readonly secret: string;
  /** Where the gateway takes notifications; without it none are sent. */
  readonly notifyUrl?: string;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which reads the book and switches faults on. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<BankDelays>;
  /** Takes one line per trouble; a payout that goes its way makes none. */
  readonly log: (line: string) => void;
}

/** Throws a StartupFault when the port or the book can't be had. */
export function startStandInBank(options: StandInBankOptions): Promise<ProviderServer> {
  const place = { ...options, name: 'The stand-in bank', portVariable: 'STAND_IN_BANK_PORT' };
  return startProvider(place, (server) => furnish(server, options));
}

/** Opens the book, makes the bank and has it answer. */
function furnish(server: Server, options: StandInBankOptions): Furnished {
  const { clock, secret, bookPath } = options;
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('stand-in bank', options.log);
  const notifier = makeNotifier(options, faults, (notification) => bank.notificationAccepted(notification));
  const bank = new Bank({ book, journal, clock, delays, faults, notifier, onBookFailure: onFailure });
  const control = { bank, book, faults, isInMemory: bookPath === undefined };
  const routes = [...payoutRoutes(bank), ...(options.control ? controlRoutes(control) : [])];
  const edge = { secret, needsSecret: 'everything', serverHeader: 'stand-in-bank (no money moves)' } as const;
  const { holdMs } = delays;
  server.on('request', requestListener({ ...edge, routes, faults, timers, holdMs, isSilenced, onFailure }));
  bank.resume();
  const stop = () => {
    timers.cancelAll();
    bank.close();
  };
  return { journal, stop };
}

function makeNotifier(
  { notifyUrl, secret, clock, log }: StandInBankOptions,
  faults: Faults,
  onAccepted: (notification: Parameters<Bank['notificationAccepted']>[0]) => void,
): Notifier | undefined {
  if (notifyUrl === undefined) return undefined;
  return new Notifier({ url: notifyUrl, secret, clock, faults, log, onAccepted });
}
