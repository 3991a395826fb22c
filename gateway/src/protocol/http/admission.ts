/**
 * The limit on requests that this process handles concurrently. The gateway rejects more requests before it reads their
 * bodies or computes a signature. A rejection is therefore cheap, and admitted requests keep their latency under any
 * load. The hooks at the end of this file connect the count to the HTTP server.
 */

import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Clock, SECOND_MS, systemClock } from '../../foundation/clock.ts';
import { Overloaded } from '../../foundation/commit-errors.ts';
import { createTimeouts } from '../../foundation/timeouts.ts';

/**
 * The requests that share a limit. Merchants' servers can retry. Payers wait in front of a page, so merchants must
 * not use up their places. `unlimited` requests are neither counted nor rejected: health checks, open streams, and
 * banks' notifications. Notifications have their own limit and finish payments that already began.
 */
export type TrafficClass = 'merchants' | 'payers' | 'unlimited';

type Limited = Exclude<TrafficClass, 'unlimited'>;

interface AdmissionLimits {
  /** Requests that were received completely and have no response yet. */
  readonly inFlight: Readonly<Record<Limited, number>>;
  /** Requests whose bytes are still arriving. */
  readonly arriving: number;
}

/**
 * Merchants: one process accepts at most five thousand requests per second. A response under full load may take a tenth of a
 * second. The product is four full batches of the group commit, so the database never waits for the next batch. A higher limit
 * would only make every response later.
 *
 * Payers: most requests wait seconds for a provider and use no CPU time. This limit bounds memory.
 *
 * Arriving: a body may have 64 KiB, so all arriving bodies together have at most 64 MiB.
 */
const ADMISSION_LIMITS: AdmissionLimits = { inFlight: { merchants: 512, payers: 2_048 }, arriving: 1_024 };

/**
 * The share of places below which the server reads rejected connections again. A client that got its response sends its next
 * request a moment later. Filling the last places would cause one rejection for each admitted request.
 */
const EASE = 3 / 4;

interface Admission<Request extends object> {
  /** Returns false if the request is rejected. Otherwise the request is treated as arriving. */
  enter(request: Request, trafficClass: TrafficClass): boolean;
  /** The complete request was received. */
  arrived(request: Request): void;
  /** The request got its response, or will never get it. */
  leave(request: Request): void;
  /** Returns the number of rejected connections to read again after a response: one, all (if no request is in flight), or none. */
  letIn(): number;
  /** Runs an external wait inside a merchant's request. The request does not count during the wait. */
  aside<Value>(wait: () => Promise<Value>): Promise<Value>;
  /** Returns the same clock for handlers of merchants' requests. A request does not count while the clock sleeps. */
  sleepingAside(clock: Clock): Clock;
}

/**
 * `reject` receives the request that has been arriving longest, if too many are arriving. Rejecting the newest one
 * instead would let a few hundred silent connections lock out all clients. Honest requests arrive fast.
 */
export function createAdmission<Request extends object>(
  reject: (request: Request) => void,
  limits: AdmissionLimits = ADMISSION_LIMITS,
): Admission<Request> {
  /** The requests that are arriving, the oldest first. */
  const arriving = new Map<Request, Limited>();
  const inFlight = { merchants: new Set<Request>(), payers: new Set<Request>() };
  let waitingAside = 0;

  function isFull(trafficClass: Limited): boolean {
    const aside = trafficClass === 'merchants' ? waitingAside : 0;
    return inFlight[trafficClass].size - aside >= limits.inFlight[trafficClass];
  }

  const admission: Admission<Request> = {
    enter(request, trafficClass) {
      if (trafficClass === 'unlimited') return true;
      if (isFull(trafficClass)) return false;
      arriving.set(request, trafficClass);
      if (arriving.size > limits.arriving) {
        const [slowest] = arriving.keys();
        if (slowest) {
          arriving.delete(slowest);
          reject(slowest);
        }
      }
      return true;
    },
    arrived(request) {
      const trafficClass = arriving.get(request);
      if (trafficClass === undefined) return;
      arriving.delete(request);
      inFlight[trafficClass].add(request);
    },
    leave(request) {
      if (!inFlight.merchants.delete(request) && !inFlight.payers.delete(request)) arriving.delete(request);
    },
    letIn() {
      const busy = inFlight.merchants.size - waitingAside;
      if (busy <= 0) return Number.POSITIVE_INFINITY;
      return busy < limits.inFlight.merchants * EASE ? 1 : 0;
    },
    async aside(wait) {
      waitingAside += 1;
      try {
        return await wait();
      } finally {
        waitingAside -= 1;
      }
    },
    sleepingAside: (clock) => ({
      now: () => clock.now(),
      sleep: (ms, signal) => admission.aside(() => clock.sleep(ms, signal)),
    }),
  };
  return admission;
}

export type HttpAdmission = Admission<FastifyRequest>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Defaults to `merchants`. */
    readonly trafficClass?: TrafficClass;
  }
}

/** Closes a connection without a response. The gateway has done nothing for an incomplete request. */
export function createHttpAdmission(limits?: AdmissionLimits): HttpAdmission {
  return createAdmission((request) => request.socket.destroy(), limits);
}

/** Created once, because a full process has no time to create it. */
const TOO_MUCH = new Overloaded('this process already handles its maximum number of requests');

/**
 * Request admission as hooks of the HTTP server. A route sets its traffic class in its `config`. A rejected request gets its
 * response as `Overloaded`, in the envelope of its endpoint. The server then stops reading that connection until it has
 * capacity. A rejection costs a fifth of an acceptance, so immediate retries could otherwise use up the entire process. Call
 * it before adding other hooks, so that a rejection runs no other hook.
 */
export function registerAdmission(app: FastifyInstance, admission: HttpAdmission): void {
  const connections = createUnreadConnections();
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || admission.enter(request, request.routeOptions.config.trafficClass ?? 'merchants'))
      return done();
    // Pause after the response closes: before that, Node resumes the socket to drain the body. Do not pause if no
    // request is in flight, because no response would resume it.
    request.raw.once('close', () => {
      if (Number.isFinite(admission.letIn())) connections.leaveUnread(request.socket);
    });
    done(TOO_MUCH);
  });
  // Requests that already arrived on paused connections still get a response.
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

/** Pauses connections for a while, so that clients that retry immediately cost nothing. It must not decide when. */
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
  /** The paused sockets, each with the function that cancels its timeout. */
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
