/**
 * One keep-alive connection of a load generator, with as little overhead as Node allows. It sends prepared bytes and reads
 * responses into one buffer. It parses only the status, the end and the body of a response. It requires a Content-Length,
 * which the measured servers always send.
 */
import { connect, type Socket } from 'node:net';

export interface Connection {
  /** Sends one request; `onAnswer` receives the response. Call it again only after that. */
  send(request: Buffer): void;
  close(): void;
}

interface ConnectionEvents {
  /** `text` is the complete response. */
  readonly onAnswer: (status: number, text: string, connection: Connection) => void;
  /** Called when the connection is unusable. It makes no further calls. */
  readonly onBroken: (connection: Connection) => void;
}

const READ_BYTES = 16_384;

export function openConnection(url: URL, events: ConnectionEvents): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let received = '';
    let isClosed = false;
    const socket: Socket = connect({
      host: url.hostname,
      port: Number(url.port),
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(READ_BYTES),
        callback(length: number, buffer: Uint8Array) {
          received += (buffer as Buffer).toString('latin1', 0, length);
          if (!isWhole(received)) return true;
          const text = received;
          received = '';
          events.onAnswer(Number(text.slice(9, 12)), text, connection);
          return true;
        },
      },
    });
    const connection: Connection = {
      send: (request) => void socket.write(request),
      close() {
        isClosed = true;
        socket.destroy();
      },
    };
    socket.once('connect', () => resolve(connection));
    socket.on('error', reject);
    socket.on('close', () => {
      if (isClosed) return;
      isClosed = true;
      events.onBroken(connection);
    });
  });
}

const LENGTH = /\r\ncontent-length: (\d+)/i;

function isWhole(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  return text.length >= headEnd + 4 + Number(LENGTH.exec(text)?.[1] ?? 0);
}

/** Sends one request on a new connection. */
export async function exchangeOnce(url: URL, request: Buffer): Promise<{ status: number; text: string }> {
  const answered = Promise.withResolvers<{ status: number; text: string }>();
  const connection = await openConnection(url, {
    onAnswer: (status, text) => answered.resolve({ status, text }),
    onBroken: () => answered.reject(new Error(`${url} broke the connection`)),
  });
  connection.send(request);
  try {
    return await answered.promise;
  } finally {
    connection.close();
  }
}
