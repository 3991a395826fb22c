/** Opens a listener, and explains why it failed to open. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Returns the listener's URL. Throws ListenError. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await app.listen({ host, port });
    return urlOf(app);
  } catch (error) {
    throw new ListenError(host, port, error as NodeJS.ErrnoException);
  }
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use: stop the program that listens there, or choose another port',
  EACCES: 'this user may not listen there: choose a port from 1024 up',
  EADDRNOTAVAIL: 'no network interface of this machine has this address',
};

/** The message is one sentence for the user who started the process. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    super(`Cannot listen on ${host}:${port}: ${LISTEN_FAULTS[cause.code ?? ''] ?? cause.message}`, { cause });
  }
}

/** Returns the listener's URL, once it listens. */
export function urlOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
