/**
 * Closes the connections that a process had not accepted from its supervisor before it died. node:cluster loses track of them
 * and keeps them open, so their clients would wait forever.
 */
import type { ChildProcess } from 'node:child_process';

/** The handle that node:cluster passes to the process. The supervisor's copy closes once the process has accepted it. */
interface Connection {
  /** The file descriptor. -1 means closed. */
  readonly fd: number;
  close(): void;
}

/** Removes accepted connections from the map when it reaches this size. */
const REMEMBERED = 256;

/** Maps each connection to the latest process that received it. */
const handedTo = new Map<Connection, ChildProcess>();
let forgetAt = REMEMBERED;

export function closeWhatDiesWith(child: ChildProcess): void {
  const send = child.send as (...values: unknown[]) => boolean;
  child.send = (...values: unknown[]) => {
    const connection = values.find(isConnection);
    if (connection) {
      if (handedTo.size >= forgetAt) forgetAccepted();
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

function forgetAccepted(): void {
  for (const connection of handedTo.keys()) if (connection.fd === -1) handedTo.delete(connection);
  forgetAt = Math.max(REMEMBERED, 2 * handedTo.size);
}
