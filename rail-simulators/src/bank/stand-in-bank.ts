/**
 * Puts the stand-in bank together and starts it: book, journal, notifier, HTTP edge. The one thing that the process,
 * the demonstration and the tests start. No decision about a payout belongs here.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, TimerSet } from '../clock.ts';
import { StartupFault } from '../startup-fault.ts';
import { Bank } from './bank.ts';
import { Book } from './book.ts';
import { type Faults, noFaults } from './faults.ts';
import { createBankServer, requestListener } from './http-server.ts';
import { BookFailure, type Journal, noJournal, openJournal } from './journal.ts';
import { type BankDelays, usualDelays } from './magic-amounts.ts';
import { Notifier } from './notifier.ts';
import { controlRoutes, payoutRoutes } from './routes.ts';

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

export interface StandInBank {
  readonly url: string;
  /** Ends every connection and timer, and returns once the book is written. */
  close(): Promise<void>;
}

/** Throws a StartupFault when the port or the book can't be had. */
export async function startStandInBank(options: StandInBankOptions): Promise<StandInBank> {
  const server = createBankServer();
  await listen(server, options);
  try {
    // The port first: of two banks that share a book by mistake, the one that comes second must not touch it. And
    // without a pause until the listener is there, or a request that comes at once would find nobody.
    const close = furnish(server, options);
    return { url: urlOf(server), close };
  } catch (error) {
    server.close();
    throw error;
  }
}

/** Opens the book, makes the bank and has it answer; returns what closes it all. */
function furnish(server: Server, options: StandInBankOptions): () => Promise<void> {
  const { clock, secret, bookPath } = options;
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = bookPath === undefined ? noJournal : openJournal(bookPath, (entry) => book.add(entry));
  const failure = oneFailure(options);
  const notifier = makeNotifier(options, faults, (notification) => bank.notificationAccepted(notification));
  const bank = new Bank({ book, journal, clock, delays, faults, notifier, onBookFailure: failure.report });
  const control = { bank, book, faults, isInMemory: bookPath === undefined };
  const routes = [...payoutRoutes(bank), ...(options.control ? controlRoutes(control) : [])];
  const { holdMs } = delays;
  const { isReported: isSilenced, report: onFailure } = failure;
  server.on('request', requestListener({ secret, routes, faults, timers, holdMs, isSilenced, onFailure }));
  bank.resume();
  return () => closeAll(server, bank, timers, journal);
}

async function closeAll(server: Server, bank: Bank, timers: TimerSet, journal: Journal): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  timers.cancelAll();
  bank.close();
  await closed;
  await journal.close();
}

function makeNotifier(
  { notifyUrl, secret, clock, log }: StandInBankOptions,
  faults: Faults,
  onAccepted: (notification: Parameters<Bank['notificationAccepted']>[0]) => void,
): Notifier | undefined {
  if (notifyUrl === undefined) return undefined;
  return new Notifier({ url: notifyUrl, secret, clock, faults, log, onAccepted });
}

// A bank whose book fails knows executions that a restart would forget, so it says nothing more and tells why once.
// Anything else that fails is a bug, and thrown on.
function oneFailure({ log }: StandInBankOptions): { isReported: () => boolean; report: (error: unknown) => void } {
  let reported = false;
  const report = (error: unknown) => {
    if (!(error instanceof BookFailure)) throw error;
    if (!reported) log(`stand-in bank: stopped answering, because its book can't be written: ${error.message}`);
    reported = true;
  };
  return { isReported: () => reported, report };
}

async function listen(server: Server, { host, port }: StandInBankOptions): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartupFault(listenFault(error, host, port));
  }
}

function listenFault(error: unknown, host: string, port: number): string {
  const where = `${host}:${port}`;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return `The stand-in bank can't listen on ${where}: the port is in use; stop what uses it or set STAND_IN_BANK_PORT.`;
  }
  return `The stand-in bank can't listen on ${where}: ${error instanceof Error ? error.message : String(error)}.`;
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
