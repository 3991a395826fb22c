/**
 * Puts the simulator of Visa Direct together and starts it: certificates, book, journal, and two HTTP edges: Visa's own under
 * mutual TLS, and in the clear the control surface. The one thing that the process, the demonstration and the tests start. No
 * decision about money belongs here.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type Clock, TimerSet } from '../clock.ts';
import { openCertificateFolder } from '../kernel/certificate-folder.ts';
import { issue } from '../kernel/certificates.ts';
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
import { Book, type BookEntry } from './book.ts';
import { noFaults } from './faults.ts';
import { encryptedRoutes, type MessageKeys, openMessageKeys } from './message-encryption.ts';
import { controlRoutes, subjectHeader, visaRoutes } from './routes.ts';
import { usualDelays, VisaDirect, type VisaDirectDelays } from './visa-direct.ts';

export interface VisaDirectOptions {
  readonly host: string;
  /** Of Visa's own edge, and of the control surface. 0 takes a free one. */
  readonly port: number;
  readonly controlPort: number;
  /** Opens the control surface. */
  readonly secret: string;
  readonly userId: string;
  readonly password: string;
  readonly acquiringBin: string;
  /** Where Visa's root and the client's certificate and key are left. */
  readonly certificateFolder: string;
  /** Whether it can encrypt whole messages; the client's keys for that are then left in the same folder. */
  readonly encryption?: boolean;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which reads the book and switches faults on. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<VisaDirectDelays>;
  /** Takes one line per trouble; a transaction that goes its way makes none. */
  readonly log: (line: string) => void;
}

export interface VisaDirectServer {
  readonly url: string;
  /** The control surface. */
  readonly controlUrl: string;
  /** Ends every connection and timer, and returns once the book is written. */
  close(): Promise<void>;
}

const bookTitle: BookTitle = {
  name: "Visa Direct's book",
  mark: 'visa_direct_simulator_book',
  notice: 'A simulator of Visa Direct for development: no money moved.',
};

const hosts = ['localhost', '127.0.0.1'];

/** Throws a StartupFault when a port, the certificates or the book can't be had. */
export async function startVisaDirect(options: VisaDirectOptions): Promise<VisaDirectServer> {
  const authority = openCertificateFolder(options.certificateFolder, 'Visa Direct simulator', options.userId);
  const { certificate: cert, privateKey: key } = issue(authority, 'Visa Direct simulator', 'server', hosts);
  const api = createProviderServer({
    cert,
    key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  });
  const control = createProviderServer();
  const place = { host: options.host, name: "Visa Direct's simulator" };
  await listen(api, { ...place, port: options.port, portVariable: 'VISA_DIRECT_PORT' });
  try {
    await listen(control, { ...place, port: options.controlPort, portVariable: 'VISA_DIRECT_CONTROL_PORT' });
    // The ports before the book, and the listeners without a pause, for the reasons that start-provider.ts gives.
    const keys = options.encryption === true ? openMessageKeys(options.certificateFolder) : undefined;
    const close = furnish(api, control, options, keys);
    return { url: urlOf(api, 'https'), controlUrl: urlOf(control), close };
  } catch (error) {
    control.close();
    api.close();
    throw error;
  }
}

/** Opens the book, makes Visa and has it answer; returns what closes it all. */
function furnish(
  api: Server,
  control: Server,
  options: VisaDirectOptions,
  keys: MessageKeys | undefined,
): () => Promise<void> {
  const { clock, secret, bookPath, userId, password, acquiringBin } = options;
  const delays = { ...usualDelays, ...options.delays };
  const book = new Book();
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const journal = openJournal<BookEntry>(bookPath, bookTitle, (entry) => void book.add(entry));
  const { isSilenced, onFailure } = silenceOnBookFailure('Visa Direct', options.log);
  const visa = new VisaDirect({ book, journal, clock, delays, faults, onBookFailure: onFailure });
  const served = { visa, book, account: { userId, password, acquiringBin }, faults };
  const edge: Omit<EdgeParts, 'routes' | 'faults'> = {
    secret,
    needsSecret: 'control',
    serverHeader: 'visa-direct-simulator (no money moves)',
    timers,
    holdMs: delays.holdMs,
    isSilenced,
    onFailure,
  };
  const plain = visaRoutes(served);
  const routes = keys === undefined ? plain : encryptedRoutes(plain, keys, () => faults.encryption === 'required');
  const answer = requestListener({ ...edge, faults, routes });
  api.on('request', (request, response) => {
    request.headers[subjectHeader] = subjectOf(request);
    answer(request, response);
  });
  const open = options.control ? controlRoutes({ ...served, isInMemory: bookPath === undefined }) : [];
  control.on('request', requestListener({ ...edge, faults: { ...noEdgeFaults }, routes: open }));
  visa.resume();
  return async () => {
    timers.cancelAll();
    visa.stop();
    await Promise.all([closeServer(api), closeServer(control)]);
    await journal.close();
  };
}

/** Whom the client's certificate names. What the client wrote into that header itself is overwritten. */
function subjectOf({ socket }: IncomingMessage): string {
  const { subject } = (socket as TLSSocket).getPeerCertificate() as { readonly subject?: { readonly CN?: unknown } };
  return typeof subject?.CN === 'string' ? subject.CN : '';
}
