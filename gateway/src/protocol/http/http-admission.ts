/**
 * Request admission as hooks of the HTTP server. A route names its traffic class in its `config`. A rejected request
 * is answered as `Overloaded`, in the envelope of its wire. The server then stops reading that connection until there
 * is room. A rejection costs a fifth of an acceptance, so immediate retries could otherwise use up the whole process.
 */

import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SECOND_MS, systemClock } from '../../foundation/clock.ts';
import { Overloaded } from '../../foundation/commit-errors.ts';
import { createTimeouts } from '../../foundation/timeouts.ts';
import { type Admission, type AdmissionLimits, createAdmission, type TrafficClass } from './admission.ts';

export type HttpAdmission = Admission<FastifyRequest>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: `merchants`. */
    readonly trafficClass?: TrafficClass;
  }
}

/** Closes a connection without an answer. The gateway has done nothing for an incomplete request. */
export function createHttpAdmission(limits?: AdmissionLimits): HttpAdmission {
  return createAdmission((request) => request.socket.destroy(), limits);
}

/** Created once, because a full process has no time to create it. */
const TOO_MUCH = new Overloaded('this process already handles its maximum number of requests');

/** Call it before adding other hooks, so that a rejection runs no other hook. */
export function registerAdmission(app: FastifyInstance, admission: HttpAdmission): void {
  const connections = createUnreadConnections();
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || admission.enter(request, request.routeOptions.config.trafficClass ?? 'merchants'))
      return done();
    // Pause after the response closes: before that, Node resumes the socket to drain the body. Do not pause if no
    // request is in flight, because no answer would resume it.
    request.raw.once('close', () => {
      if (Number.isFinite(admission.letIn())) connections.leaveUnread(request.socket);
    });
    done(TOO_MUCH);
  });
  // Requests that already arrived on paused connections still get an answer.
  app.addHook('preClose', async () => connections.readAll());
  app.addHook('preValidation', (request, _reply, done) => {
    admission.arrived(request);
    done();
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    admission.leave(request);
    connections.readSome(admission.letIn());
    done();
  });
}

/** Pauses connections for a while, so that clients that retry at once cost nothing. It must not decide when. */
interface UnreadConnections {
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

function createUnreadConnections(): UnreadConnections {
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
