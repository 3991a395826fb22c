/** Starts the simulator of Token.io: its API, the banks' page and the control surface on one port, with its book. */
import type { KeyObject } from 'node:crypto';
import type { Server } from 'node:http';
import { type Clock, TimerSet } from '../clock.ts';
import { requestListener, urlOf } from '../kernel/http-server.ts';
import { type BookTitle, openJournal } from '../kernel/journal.ts';
import { silenceOnBookFailure } from '../kernel/silence.ts';
import { type Furnished, type ProviderServer, startProvider } from '../kernel/start-provider.ts';
import { apiRoutes } from './api-routes.ts';
import { bankRoutes } from './bank-routes.ts';
import { Book, type BookEntry } from './book.ts';
import { controlRoutes } from './control-routes.ts';
import { noFaults } from './faults.ts';
import { namesOf } from './key-files.ts';
import type { Client } from './request-token.ts';
import type { SettlementAccount } from './requests.ts';
import { TokenIo, type TokenIoDelays, usualDelays } from './token-io.ts';
import { Webhooks } from './webhooks.ts';

export interface TokenIoOptions extends Client {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Opens the control surface, as a bearer token. */
  readonly secret: string;
  readonly account: SettlementAccount;
  /** Signs what Token.io tells. */
  readonly privateKey: KeyObject;
  readonly webhookUrl: string;
  readonly control: boolean;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** Where payers reach the banks' page; absent: where this server listens. */
  readonly publicUrl?: string;
  /** Absent: the book is kept in memory only. */
  readonly bookPath?: string;
  readonly delays?: Partial<TokenIoDelays>;
}

const bookTitle: BookTitle = {
  name: "Token.io's book",
  mark: 'token_io_simulator_book',
  notice: 'A simulator of Token.io for development: no money moved.',
};

/** Throws a StartupFault when the port or the book can't be had. */
export function startTokenIo(options: TokenIoOptions): Promise<ProviderServer> {
  const place = { ...options, name: "Token.io's simulator", portVariable: 'TOKEN_IO_PORT' };
  return startProvider(place, (server) => furnish(server, options));
}

/** Opens the book, makes Token.io and has it answer. */
function furnish(server: Server, options: TokenIoOptions): Furnished {
  const { clock, secret, bookPath, privateKey, log, memberId, keyId, findPublicKey, account } = options;
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('Token.io', log);
  const shown = { memberId, account, publicUrl: () => options.publicUrl ?? urlOf(server) };
  const { lateMs, holdMs } = delays;
  const onAccepted = (entry: BookEntry) => tokenIo.accepted(entry);
  const told = { url: options.webhookUrl, clock, faults, privateKey, lateMs, log, onAccepted };
  const webhooks = new Webhooks({ ...shown, ...told });
  const nameOf = namesOf(privateKey);
  const tokenIo = new TokenIo({ book, journal, clock, delays, faults, webhooks, nameOf, onBookFailure: onFailure });
  const client = { memberId, keyId, findPublicKey };
  const api = apiRoutes({ ...shown, tokenIo, book, client, faults, now: () => clock.now() });
  const isInMemory = bookPath === undefined;
  const control = options.control ? controlRoutes({ tokenIo, book, faults, memberId, isInMemory }) : [];
  const routes = [...api, ...bankRoutes({ tokenIo, book, memberId }), ...control];
  const edge = { secret, needsSecret: 'control', serverHeader: 'token-io-simulator (no money moves)' } as const;
  server.on('request', requestListener({ ...edge, routes, faults, timers, holdMs, isSilenced, onFailure }));
  tokenIo.resume();
  const stop = () => {
    timers.cancelAll();
    tokenIo.close();
  };
  return { journal, stop };
}
