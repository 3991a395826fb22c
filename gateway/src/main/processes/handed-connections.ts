/**
 * Connections on their way from the supervisor to one of its processes. node:cluster forgets those that a process had not
 * taken when it died, and keeps them open: their clients would wait for nothing. With the process they are closed.
 */
import type { ChildProcess } from 'node:child_process';

/** As node:cluster hands a connection over; the supervisor's own end is closed once the process has taken it. */
interface Connection {
  /** -1: closed. */
  readonly fd: number;
  close(): void;
}

/** So many may be remembered after they were taken. */
const REMEMBERED = 256;

/** Connections that came back from one process and went to another are the other's. */
const handedTo = new Map<Connection, ChildProcess>();
let forgetAt = REMEMBERED;

export function closeWhatDiesWith(child: ChildProcess): void {
  const send = child.send as (...values: unknown[]) => boolean;
  child.send = (...values: unknown[]) => {
    const connection = values.find(isConnection);
    if (connection) {
      if (handedTo.size >= forgetAt) forgetTaken();
      handedTo.set(connection, child);
    }
    return send.apply(child, values);
  };
  child.once('exit', () => {
    for (const [connection, taker] of handedTo) {
      if (taker !== child) continue;
      handedTo.delete(connection);
      if (connection.fd !== -1) connection.close();
    }
  });
}

function isConnection(value: unknown): value is Connection {
  return typeof value === 'object' && value !== null && 'fd' in value && 'close' in value;
}

function forgetTaken(): void {
  for (const connection of handedTo.keys()) if (connection.fd === -1) handedTo.delete(connection);
  forgetAt = Math.max(REMEMBERED, 2 * handedTo.size);
}
