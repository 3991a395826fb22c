/**
 * Puts the Pix simulator together and starts it: certificates, book, journal, callbacks, and two HTTP edges: the bank's API
 * under mutual TLS, and in the clear what a browser or a test opens, the payer's pages and the control surface. The one
 * thing that the process, the demonstration and the tests start. No decision about money belongs here.
 */
import type { Server } from 'node:http';
import { type Clock, TimerSet } from '../clock.ts';
import { openCertificateFolder } from '../kernel/certificate-folder.ts';
import { type Authority, issue } from '../kernel/certificates.ts';
import { noEdgeFaults } from '../kernel/edge-faults.ts';
import {
  closeServer,
  createProviderServer,
  type EdgeParts,
  listen,
  requestListener,
  urlOf,
} from '../kernel/http-server.ts';
import { type BookTitle, openJournal } from '../kernel/journal.ts';
import { silenceOnBookFailure } from '../kernel/silence.ts';
import { AccessTokens } from './access-tokens.ts';
import { apiRoutes, type Webhook } from './api-routes.ts';
import { Book, type BookEntry } from './book.ts';
import { Callbacks } from './callbacks.ts';
import { controlRoutes } from './control-routes.ts';
import { type Faults, noFaults } from './faults.ts';
import { payerRoutes } from './payer-pages.ts';
import { PixBank, type PixDelays, usualDelays } from './pix-bank.ts';
import { pixView, type ViewParts } from './views.ts';

export interface PixOptions {
  readonly host: string;
  /** Of the API, and of the payer's pages and the control surface. 0 takes a free one. */
  readonly port: number;
  readonly pagesPort: number;
  /** Opens the control surface. */
  readonly secret: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The client's Pix key. */
  readonly chave: string;
  /** Whom a payer sees as the receiver: ASCII, at most 25 and 15 characters. */
  readonly receiver: { readonly name: string; readonly city: string };
  /** Where the bank's root and the client's certificate and key are left. */
  readonly certificateFolder: string;
  /** What `/pix` is appended to. The client can change it; without one the bank tells nobody. */
  readonly webhookUrl?: string;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which has payers pay, reads the book and switches faults on. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<PixDelays>;
  /** How long an access token lives. */
  readonly tokenSeconds?: number;
  /** Takes one line per trouble; a payment that goes its way makes none. */
  readonly log: (line: string) => void;
}

export interface PixServer {
  /** The API, without its version. */
  readonly url: string;
  /** The payer's pages and the control surface. */
  readonly pagesUrl: string;
  /** Ends every connection and timer, and returns once the book is written. */
  close(): Promise<void>;
}

const bookTitle: BookTitle = {
  name: "The Pix simulator's book",
  mark: 'pix_simulator_book',
  notice: 'A simulator of a bank that receives Pix, for development: no money moved.',
};

const usualTokenSeconds = 600;
const hosts = ['localhost', '127.0.0.1'];

/** Throws a StartupFault when a port, the certificates or the book can't be had. */
export async function startPix(options: PixOptions): Promise<PixServer> {
  const authority = openCertificateFolder(options.certificateFolder, 'Pix simulator', options.clientId);
  const own = issue(authority, 'Pix simulator', 'server', hosts);
  const api = createProviderServer({
    cert: own.certificate,
    key: own.privateKey,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  });
  const pages = createProviderServer();
  const place = { host: options.host, name: 'The Pix simulator' };
  await listen(api, { ...place, port: options.port, portVariable: 'PIX_PORT' });
  try {
    await listen(pages, { ...place, port: options.pagesPort, portVariable: 'PIX_PAGES_PORT' });
    // The ports before the book, and the listeners without a pause, for the reasons that start-provider.ts gives.
    const close = furnish(api, pages, authority, options);
    return { url: urlOf(api, 'https'), pagesUrl: urlOf(pages), close };
  } catch (error) {
    pages.close();
    api.close();
    throw error;
  }
}

/** Opens the book, makes the bank and has it answer; returns what closes it all. */
function furnish(api: Server, pages: Server, authority: Authority, options: PixOptions): () => Promise<void> {
  const { clock, secret, bookPath, chave, receiver } = options;
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('Pix', options.log);
  const view: ViewParts = { faults, locations: () => new URL(urlOf(pages)).host, receiver, now: () => clock.now() };
  const webhook: Webhook = { url: options.webhookUrl, registeredAt: clock.now() };
  const callbacks = makeCallbacks(
    options,
    { authority, book, faults, view, webhook, lateMs: delays.lateMs },
    () => bank,
  );
  const bank = new PixBank({ book, journal, clock, delays, faults, callbacks, secret, onBookFailure: onFailure });
  const tokens = new AccessTokens({ ...options, tokenSeconds: options.tokenSeconds ?? usualTokenSeconds });
  const control = { bank, book, faults, tokens, callbacks, lateMs: delays.lateMs, isInMemory: bookPath === undefined };
  const edge: Omit<EdgeParts, 'routes' | 'faults'> = {
    secret,
    needsSecret: 'control',
    serverHeader: 'pix-simulator (no money moves)',
    timers,
    holdMs: delays.holdMs,
    isSilenced,
    onFailure,
  };
  api.on(
    'request',
    requestListener({ ...edge, faults, routes: apiRoutes({ bank, book, tokens, chave, view, webhook }) }),
  );
  const open = [...payerRoutes({ bank, book, view }), ...(options.control ? controlRoutes(control) : [])];
  pages.on('request', requestListener({ ...edge, faults: { ...noEdgeFaults }, routes: open }));
  bank.resume();
  return async () => {
    timers.cancelAll();
    bank.close();
    await Promise.all([closeServer(api), closeServer(pages)]);
    await journal.close();
  };
}

interface CallbackParts {
  readonly authority: Authority;
  readonly book: Book;
  readonly faults: Faults;
  readonly view: ViewParts;
  readonly webhook: Webhook;
  readonly lateMs: number;
}

function makeCallbacks({ clock, log }: PixOptions, parts: CallbackParts, bank: () => PixBank): Callbacks {
  const { authority, book, faults, view, webhook, lateMs } = parts;
  return new Callbacks({
    webhookUrl: () => webhook.url,
    caller: { ...issue(authority, 'Pix simulator callbacks', 'client'), ca: authority.certificate },
    view: ({ txid, endToEndId }) => {
      const charge = book.charge(txid);
      const pix = charge?.pix.find((one) => one.endToEndId === endToEndId);
      return charge && pix && pixView(pix, charge, view);
    },
    onAccepted: (told) => {
      for (const { txid, seq } of told) bank().callbackAccepted(txid, seq);
    },
    faults,
    clock,
    lateMs,
    log,
  });
}
