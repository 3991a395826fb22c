/**
 * Connections that are left unread for a while, so that whoever asks again at once costs nothing meanwhile. It pauses
 * sockets and resumes them, and knows nothing of why.
 */
import type { Socket } from 'node:net';
import { SECOND_MS, systemClock } from '../../foundation/clock.ts';
import { createTimeouts } from '../../foundation/timeouts.ts';

export interface UnreadConnections {
  leaveUnread(socket: Socket): void;
  /** Who has waited longest comes first. Who has left meanwhile is among them: of a connection that nobody reads that is not heard. */
  readSome(most: number): void;
  /** From now on none is left unread. */
  readAll(): void;
}

/** Then they are read at any rate, and perhaps refused again. */
const LONGEST_UNREAD_MS = 5 * SECOND_MS;

export function createUnreadConnections(): UnreadConnections {
  const timeouts = createTimeouts(systemClock, LONGEST_UNREAD_MS);
  /** With what calls off each one's time-out. */
  const unread = new Map<Socket, () => void>();
  let isOver = false;
  const read = (socket: Socket) => {
    unread.get(socket)?.();
    unread.delete(socket);
    socket.resume();
  };
  return {
    leaveUnread(socket) {
      if (isOver || socket.destroyed || unread.has(socket)) return;
      socket.pause();
      unread.set(
        socket,
        timeouts.start(() => read(socket)),
      );
    },
    readSome(most) {
      for (const socket of unread.keys()) {
        if (most-- <= 0) return;
        read(socket);
      }
    },
    readAll() {
      isOver = true;
      for (const socket of unread.keys()) read(socket);
    },
  };
}
