/**
 * How a simulator starts and ends, whoever it stands for: ports, book, faults, control surface, HTTP edges. What it is made of
 * besides is its own folder's.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type Clock, TimerSet } from '../clock.ts';
import type { PagedBook } from './book-page.ts';
import { openCertificateFolder } from './certificate-folder.ts';
import { type Authority, issue } from './certificates.ts';
import { controlSurface } from './control-surface.ts';
import { type EdgeFaults, type FaultTable, noEdgeFaults } from './fault-table.ts';
import { closeServer, createProviderServer, listen, type Route, requestListener, urlOf } from './http-server.ts';
import { openJournal, type Placed } from './journal.ts';
import type { Works } from './provider.ts';
import { silenceOnBookFailure } from './silence.ts';

/** What every simulator is started with. */
export interface SimulatorOptions<Delays> {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Opens the control surface, as a bearer token. */
  readonly secret: string;
  /** The file of the book; without it the book lives in memory. */
  readonly bookPath?: string;
  /** Whether the control surface is there, which reads the book, has people act and switches faults on. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly delays?: Partial<Delays>;
  /** Takes one line per trouble; what goes its way makes none. */
  readonly log: (line: string) => void;
}

interface ServedBook extends PagedBook {
  add(entry: never): unknown;
  summary(): object;
  clear(): void;
}

interface Held {
  /** How long a connection that will never be answered is held. */
  readonly holdMs: number;
}

export interface Design<Book, Faults, Delays> {
  /** `Acme Bank`, as people call it. */
  readonly name: string;
  /** `acme-bank`, as its folder, its headers and its variables have it. */
  readonly slug: string;
  readonly book: Book;
  readonly faults: FaultTable<Faults>;
  readonly usualDelays: Delays;
}

export interface Furnished {
  readonly provider: { resume(): void; close(): void; stop(): void };
  /** What the client asks. */
  readonly routes: readonly Route[];
  /** What a payer's browser opens. */
  readonly pages?: readonly Route[];
  /** Beside what every control surface has. */
  readonly control?: readonly Route[];
  /** What a reset forgets beside the book and all that waits. */
  readonly forget?: () => void;
  /** What the control surface shows beside the book's own summary. */
  readonly moreSummary?: () => object;
}

export interface ProviderServer {
  readonly url: string;
  /** Ends every connection and timer, and returns once the book is written. */
  close(): Promise<void>;
}

/** Throws a StartupFault when the port or the book can't be had. */
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

export interface SecuredOptions<Delays> extends SimulatorOptions<Delays> {
  /** Of what is open in the clear: pages and the control surface. 0 takes a free one. */
  readonly openPort: number;
  /** The variable that sets it, behind the simulator's own prefix. */
  readonly openPortVariable: string;
  /** Where the provider's root and the client's certificate and key are left. */
  readonly certificateFolder: string;
  /** Whom the client's certificate names. */
  readonly certifiedClient: string;
}

export interface SecuredServer extends ProviderServer {
  readonly openUrl: string;
}

/** In which the server hands over whom the client's certificate names, as a proxy that ends TLS does. */
export const subjectHeader = 'x-simulated-client-subject';

const hosts = ['localhost', '127.0.0.1'];

/** The same with the client's calls under mutual TLS, and what browsers and tests open in the clear beside it. */
export async function startUnderMutualTls<Book extends ServedBook, Faults extends EdgeFaults, Delays extends Held>(
  design: Design<Book, Faults, Delays>,
  options: SecuredOptions<Delays>,
  furnish: (works: Works<Book, Faults, Delays>, authority: Authority) => Furnished,
): Promise<SecuredServer> {
  const owner = `${design.name} simulator`;
  const authority = openCertificateFolder(options.certificateFolder, owner, options.certifiedClient);
  const { certificate: cert, privateKey: key } = issue(authority, owner, 'server', hosts);
  const server = createProviderServer({
    ...{ cert, key, ca: authority.certificate },
    ...{ requestCert: true, rejectUnauthorized: true },
  });
  // What the client wrote into that header itself is overwritten.
  server.on('request', (request) => {
    request.headers[subjectHeader] = subjectOf(request);
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

/** Returns what ends it all. The last of the ports is open to payers and tests. */
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
    // The ports first: of two simulators that share a book by mistake, the one that comes second must not touch it. And
    // without a pause until the listener is there, or a request that comes at once would find nobody.
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
  const journal = openJournal<Placed>(bookPath, title, (entry) => void book.add(entry as never));
  const { isSilenced, onFailure } = silenceOnBookFailure(name, log);
  const works = { book, faults, delays, clock, log, journal, onBookFailure: onFailure, openUrl: () => urlOf(open) };
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
  if (open !== api) open.on('request', requestListener({ ...edge, faults: { ...noEdgeFaults }, routes: beside }));
  provider.resume();
  return async () => {
    timers.cancelAll();
    provider.close();
    await Promise.all(servers.map(closeServer));
    await journal.close();
  };
}

function possessive(name: string): string {
  return name.endsWith('s') ? `${name}'` : `${name}'s`;
}
