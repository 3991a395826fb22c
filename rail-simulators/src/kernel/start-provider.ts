/**
 * Starts and closes any simulator: ports, book, faults, control surface and HTTP edge. Each simulator's folder provides the
 * rest.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type Clock, TimerSet } from '../clock.ts';
import { openBookFile, type Placed } from './book-file.ts';
import type { PagedBook } from './book-page.ts';
import { openCertificateFolder } from './certificate-folder.ts';
import { type Authority, issue } from './certificates.ts';
import { controlSurface } from './control-surface.ts';
import { type EdgeFaults, type FaultTable, NO_EDGE_FAULTS } from './fault-table.ts';
import { closeServer, createProviderServer, listen, type Route, requestListener, urlOf } from './http-server.ts';
import type { Works } from './provider.ts';
import { silenceOnBookFailure } from './silence.ts';

/** The options of every simulator. */
export interface SimulatorOptions<Delays> {
  readonly host: string;
  /** The port. 0 selects a free port. */
  readonly port: number;
  /** The bearer token of the control surface. */
  readonly secret: string;
  /** The file of the book. If undefined, the book is in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is enabled. It reads the book, performs actions and sets faults. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<Delays>;
  /** Called with one line per problem. Normal events log nothing. */
  readonly log: (line: string) => void;
}

interface ServedBook extends PagedBook {
  add(entry: never): unknown;
  summary(): object;
  clear(): void;
}

interface Held {
  /** How long a connection without a response stays open. */
  readonly holdMs: number;
}

interface Design<Book, Faults, Delays> {
  /** The name for readers, such as `Acme Bank`. */
  readonly name: string;
  /** The name in folders, headers and variables, such as `acme-bank`. */
  readonly slug: string;
  readonly book: Book;
  readonly faults: FaultTable<Faults>;
  readonly usualDelays: Delays;
}

interface Furnished {
  readonly provider: { resume(): void; close(): void; stop(): void };
  /** The endpoints for the client. */
  readonly routes: readonly Route[];
  /** The pages for a payer's browser. */
  readonly pages?: readonly Route[];
  /** The endpoints in addition to those of every control surface. */
  readonly control?: readonly Route[];
  /** Clears further state at a reset, in addition to the book and the pending events. */
  readonly forget?: () => void;
  /** Values that the control surface shows in addition to the book's own summary. */
  readonly moreSummary?: () => object;
}

export interface ProviderServer {
  readonly url: string;
  /** Closes every connection and timer. Resolves once the book is written. */
  close(): Promise<void>;
}

/** Throws a StartupFault if the port is in use or the book cannot be opened. */
export async function startProvider<Book extends ServedBook, Faults extends EdgeFaults, Delays extends Held>(
  design: Design<Book, Faults, Delays>,
  options: SimulatorOptions<Delays>,
  furnish: (works: Works<Book, Faults, Delays>) => Furnished,
): Promise<ProviderServer> {
  const server = createProviderServer();
  const ports = [{ server, port: options.port, variable: 'PORT' }];
  const close = await serve(design, options, ports, furnish);
  return { url: urlOf(server), close };
}

interface SecuredOptions<Delays> extends SimulatorOptions<Delays> {
  /** The port without TLS, for pages and the control surface. 0 selects a free port. */
  readonly openPort: number;
  /** The variable that sets it, without the simulator's prefix. */
  readonly openPortVariable: string;
  /** The folder for the provider's root certificate and the client's certificate and key. */
  readonly certificateFolder: string;
  /** The subject of the client's certificate. */
  readonly certifiedClient: string;
}

interface SecuredServer extends ProviderServer {
  readonly openUrl: string;
}

/** The header in which the server forwards the subject of the client's certificate, like a proxy that terminates TLS. */
export const SUBJECT_HEADER = 'x-simulated-client-subject';

const HOSTS = ['localhost', '127.0.0.1'];

/** Starts a simulator whose client must use mutual TLS. Browsers and tests use a second port without TLS. */
export async function startUnderMutualTls<Book extends ServedBook, Faults extends EdgeFaults, Delays extends Held>(
  design: Design<Book, Faults, Delays>,
  options: SecuredOptions<Delays>,
  furnish: (works: Works<Book, Faults, Delays>, authority: Authority) => Furnished,
): Promise<SecuredServer> {
  const owner = `${design.name} simulator`;
  const authority = openCertificateFolder(options.certificateFolder, owner, options.certifiedClient);
  const { certificate: cert, privateKey: key } = issue(authority, owner, 'server', HOSTS);
  const server = createProviderServer({
    cert,
    key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  });
  // Overwrites any value that the client sent in that header.
  server.on('request', (request) => {
    request.headers[SUBJECT_HEADER] = subjectOf(request);
  });
  const open = createProviderServer();
  const ports = [
    { server, port: options.port, variable: 'PORT' },
    { server: open, port: options.openPort, variable: options.openPortVariable },
  ];
  const close = await serve(design, options, ports, (works) => furnish(works, authority));
  return { url: urlOf(server, 'https'), openUrl: urlOf(open), close };
}

function subjectOf({ socket }: IncomingMessage): string {
  const { subject } = (socket as TLSSocket).getPeerCertificate() as { readonly subject?: { readonly CN?: unknown } };
  return typeof subject?.CN === 'string' ? subject.CN : '';
}

interface Port {
  readonly server: Server;
  readonly port: number;
  readonly variable: string;
}

/** Returns a function that closes everything. The last port is for payers and tests. */
async function serve<Book extends ServedBook, Faults extends EdgeFaults, Delays extends Held>(
  design: Design<Book, Faults, Delays>,
  options: SimulatorOptions<Delays>,
  ports: readonly Port[],
  furnish: (works: Works<Book, Faults, Delays>) => Furnished,
): Promise<() => Promise<void>> {
  const prefix = design.slug.toUpperCase().replaceAll('-', '_');
  const owner = possessive(design.name);
  const servers = ports.map(({ server }) => server);
  try {
    for (const { server, port, variable } of ports) {
      const place = { host: options.host, port, name: `${owner} simulator`, portVariable: `${prefix}_${variable}` };
      await listen(server, place);
    }
    // Open the ports first: if two simulators share a book by mistake, the second must not touch it. Attach the listener
    // without a pause, so that an immediate request finds it.
    return answer(design, options, servers, furnish);
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  }
}

function answer<Book extends ServedBook, Faults extends EdgeFaults, Delays extends Held>(
  { name, slug, book, faults: { noFaults, parse }, usualDelays }: Design<Book, Faults, Delays>,
  { clock, log, secret, bookPath, ...options }: SimulatorOptions<Delays>,
  servers: readonly Server[],
  furnish: (works: Works<Book, Faults, Delays>) => Furnished,
): () => Promise<void> {
  const [api, open] = [servers[0] as Server, servers.at(-1) as Server];
  const delays = { ...usualDelays, ...options.delays };
  const faults = { ...noFaults };
  const timers = new TimerSet(clock);
  const title = {
    name: `${possessive(name)} book`,
    mark: `${slug.replaceAll('-', '_')}_simulator_book`,
    notice: `A simulator of ${name} for development: no money moved.`,
  };
  const bookFile = openBookFile<Placed>(bookPath, title, (entry) => void book.add(entry as never));
  const { isSilenced, onFailure } = silenceOnBookFailure(name, log);
  const works = { book, faults, delays, clock, log, bookFile, onBookFailure: onFailure, openUrl: () => urlOf(open) };
  const { provider, routes, pages = [], control = [], forget, moreSummary } = furnish(works as never);
  const stop = () => {
    provider.stop();
    forget?.();
  };
  const surface = { book, faults, noFaults, parseFaults: parse, isInMemory: bookPath === undefined, stop, moreSummary };
  const beside = [...pages, ...(options.control ? [...control, ...controlSurface(surface)] : [])];
  const serverHeader = `${slug}-simulator (no money moves)`;
  const edge = {
    secret,
    needsSecret: 'control' as const,
    serverHeader,
    timers,
    holdMs: delays.holdMs,
    isSilenced,
    onFailure,
  };
  const ofApi = { ...edge, faults, routes: api === open ? [...routes, ...beside] : routes };
  api.on('request', requestListener(ofApi));
  if (open !== api) open.on('request', requestListener({ ...edge, faults: { ...NO_EDGE_FAULTS }, routes: beside }));
  provider.resume();
  return async () => {
    timers.cancelAll();
    provider.close();
    await Promise.all(servers.map(closeServer));
    await bookFile.close();
  };
}

function possessive(name: string): string {
  return name.endsWith('s') ? `${name}'` : `${name}'s`;
}
