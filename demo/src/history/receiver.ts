/** The servers of the history's merchants. One server fails from a certain day on. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HistoryReceiver {
  readonly url: string;
  /** Makes the server below this path return 502. */
  fail(path: string): void;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<HistoryReceiver> {
  const failing = new Set<string>();
  const server = createServer((request, response) => {
    request.resume();
    const isFailing = failing.has(request.url ?? '');
    response.writeHead(isFailing ? 502 : 200, { 'content-type': 'text/plain' }).end(isFailing ? 'Bad Gateway' : 'OK');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (path) => void failing.add(path),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
