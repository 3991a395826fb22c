/** How a simulator of one port starts and ends, whoever it stands for. What it is made of is its own folder's. */
import type { Server } from 'node:http';
import { closeServer, createProviderServer, listen, type Place, urlOf } from './http-server.ts';
import type { Journal } from './journal.ts';

export interface ProviderServer {
  readonly url: string;
  /** Ends every connection and timer, and returns once the book is written. */
  close(): Promise<void>;
}

export interface Furnished {
  readonly journal: Pick<Journal<never>, 'close'>;
  /** Ends every timer. */
  stop(): void;
}

/** `furnish` opens the book and has the server answer. Throws a StartupFault when the port or the book can't be had. */
export async function startProvider(place: Place, furnish: (server: Server) => Furnished): Promise<ProviderServer> {
  const server = createProviderServer();
  await listen(server, place);
  try {
    // The port first: of two simulators that share a book by mistake, the one that comes second must not touch it. And
    // without a pause until the listener is there, or a request that comes at once would find nobody.
    const { journal, stop } = furnish(server);
    return { url: urlOf(server), close: () => closeAll(server, journal, stop) };
  } catch (error) {
    server.close();
    throw error;
  }
}

async function closeAll(server: Server, journal: Furnished['journal'], stop: () => void): Promise<void> {
  stop();
  await closeServer(server);
  await journal.close();
}
