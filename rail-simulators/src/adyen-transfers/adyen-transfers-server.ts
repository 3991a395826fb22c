/**
 * Puts the simulator of Adyen's Transfers API together and starts it: book, journal, webhooks, HTTP edge. The one thing that
 * the process, the demonstration and the tests start. No decision about money belongs here.
 */
import type { Server } from 'node:http';
import { type Clock, TimerSet } from '../clock.ts';
import { requestListener } from '../kernel/http-server.ts';
import { type BookTitle, openJournal } from '../kernel/journal.ts';
import { silenceOnBookFailure } from '../kernel/silence.ts';
import { type Furnished, type ProviderServer, startProvider } from '../kernel/start-provider.ts';
import { Book, type BookEntry } from './book.ts';
import { noFaults } from './faults.ts';
import { controlRoutes, transferRoutes } from './routes.ts';
import { type TransferDelays, Transfers, usualDelays } from './transfers.ts';
import { Webhooks } from './webhooks.ts';

export interface AdyenTransfersOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Opens the control surface. */
  readonly secret: string;
  readonly apiKey: string;
  readonly balanceAccount: string;
  /** Hexadecimal; signs the webhooks. */
  readonly hmacKey: string;
  readonly webhookUrl: string;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which reads the book, switches faults on and has banks send money back. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<TransferDelays>;
  /** Takes one line per trouble; a transfer that goes its way makes none. */
  readonly log: (line: string) => void;
}

const bookTitle: BookTitle = {
  name: "Adyen's book of transfers",
  mark: 'adyen_transfers_simulator_book',
  notice: 'A simulator of Adyen for development: no money moved.',
};

/** The client's base address is the server's and `/btl/v4`. Throws a StartupFault when the port or the book can't be had. */
export function startAdyenTransfers(options: AdyenTransfersOptions): Promise<ProviderServer> {
  const place = { ...options, name: "Adyen's simulator of transfers", portVariable: 'ADYEN_TRANSFERS_PORT' };
  return startProvider(place, (server) => furnish(server, options));
}

/** Opens the book, makes Adyen and has it answer. */
function furnish(server: Server, options: AdyenTransfersOptions): Furnished {
  const { clock, secret, bookPath, log, apiKey, balanceAccount, hmacKey, webhookUrl: url } = options;
  const delays = { ...usualDelays, ...options.delays };
  const { lateMs, holdMs } = delays;
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('Adyen', log);
  const webhooks = new Webhooks({ url, balanceAccount, hmacKey, clock, faults, lateMs, log });
  const transfers = new Transfers({ book, journal, clock, delays, faults, webhooks, onBookFailure: onFailure });
  const served = { transfers, book, account: { apiKey, balanceAccount }, faults };
  const routes = [
    ...transferRoutes(served),
    ...(options.control ? controlRoutes({ ...served, isInMemory: bookPath === undefined }) : []),
  ];
  const edge = { secret, needsSecret: 'control', serverHeader: 'adyen-transfers-simulator (no money moves)' } as const;
  server.on('request', requestListener({ ...edge, routes, faults, timers, holdMs, isSilenced, onFailure }));
  transfers.resume();
  const stop = () => {
    timers.cancelAll();
    transfers.close();
  };
  return { journal, stop };
}
