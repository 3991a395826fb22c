/** Free ports of this machine, for the listeners of a demo or a sandbox. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The ports below the system's ephemeral ports, so that no other process gets one before its listener opens. */
const FREE_PORTS = { first: 20_000, end: 32_000 };

let lastTried = randomInt(FREE_PORTS.first, FREE_PORTS.end);

/** Returns a free port on 127.0.0.1 that it did not return before, because earlier ports may have no listener yet. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    lastTried = lastTried + 1 < FREE_PORTS.end ? lastTried + 1 : FREE_PORTS.first;
    const port = lastTried;
    if (!(await isTaken({ host: '127.0.0.1', port }))) return port;
  }
}

export async function isTaken({ host, port }: { host: string; port: number }): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    // Ignore other errors here: the process that listens later reports them.
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}
