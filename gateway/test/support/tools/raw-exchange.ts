/** Sends raw bytes over a separate socket, as no HTTP client would, and returns the response before the close. */
import { connect } from 'node:net';

export interface RawAnswer {
  /** The status of the first response. Undefined if the connection was closed without a response. */
  readonly status: number | undefined;
  readonly head: string;
  /** All bytes received so far. */
  readonly rest: string;
}

/** A time far longer than the server waits for a request. */
const LONGEST_MS = 60_000;

interface Drip {
  readonly drip: string;
  readonly everyMs: number;
}

/**
 * Resolves when the server closes the connection, or one second after a complete response. Rejects after a minute without
 * either.
 */
export function rawExchange(url: string, bytes: string | Buffer, slowly?: Drip): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let received = '';
    let quiet: NodeJS.Timeout | undefined;
    let dripping: NodeJS.Timeout | undefined;
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection stayed open for ${LONGEST_MS} ms without an answer`));
    }, LONGEST_MS);
    const finish = () => {
      clearTimeout(late);
      clearTimeout(quiet);
      clearInterval(dripping);
      socket.destroy();
      const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
      const [head = ''] = received.split('\r\n\r\n', 1);
      resolve({ status: status === undefined ? undefined : Number(status), head, rest: received });
    };
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      clearTimeout(quiet);
      quiet = setTimeout(finish, 1_000);
    });
    socket.on('error', () => {});
    socket.on('close', finish);
    socket.write(bytes);
    if (slowly) {
      let sent = 0;
      dripping = setInterval(() => socket.write(slowly.drip[sent++] ?? ' '), slowly.everyMs);
    }
  });
}
