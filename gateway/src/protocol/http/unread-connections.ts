/**
 * Pauses connections for a while, so that clients that retry at once cost nothing. This file pauses and resumes
 * sockets; it must not decide when.
 */
import type { Socket } from 'node:net';
import { SECOND_MS, systemClock } from '../../foundation/clock.ts';
import { createTimeouts } from '../../foundation/timeouts.ts';

export interface UnreadConnections {
  leaveUnread(socket: Socket): void;
  /**
   * Resumes at most `most` sockets, longest paused first. This includes sockets whose client has left: a paused
   * socket does not report that the peer closed it.
   */
  readSome(most: number): void;
  /** Resumes all sockets and pauses no more from then on. */
  readAll(): void;
}

/** After this time the server reads the connection in any case, and may reject its request again. */
const LONGEST_UNREAD_MS = 5 * SECOND_MS;

export function createUnreadConnections(): UnreadConnections {
  const timeouts = createTimeouts(systemClock, LONGEST_UNREAD_MS);
  /** Each paused socket with the function that cancels its timeout. */
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
