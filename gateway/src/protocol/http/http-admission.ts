/**
 * The admission of requests as hooks of the HTTP server. A route says in its `config` whose limit it shares. Who is
 * refused is answered as `Overloaded`, in the envelope of their wire, and their connection is left unread until
 * there is room again: a refusal costs a fifth of what an acceptance does, so that refusing everybody who asks again at
 * once would leave no time for anything else.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SECOND_MS, systemClock } from '../../foundation/clock.ts';
import { Overloaded } from '../../foundation/commit-errors.ts';
import { createTimeouts } from '../../foundation/timeouts.ts';
import { type Admission, type AdmissionLimits, createAdmission, type Lane } from './admission.ts';

export type HttpAdmission = Admission<FastifyRequest>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: `merchants`. */
    readonly lane?: Lane;
  }
}

/** A connection that is given up is not answered: nothing was done of a request that was not all here. */
export function createHttpAdmission(limits?: AdmissionLimits): HttpAdmission {
  return createAdmission((request) => request.socket.destroy(), limits);
}

/** Made once: it is needed when there is no time to make it. */
const TOO_MUCH = new Overloaded('as many requests are under way as this process takes on');

/** To be called before other hooks are added, so that a refusal costs nothing else. */
export function registerAdmission(app: FastifyInstance, admission: HttpAdmission): void {
  const rests = createRests();
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || admission.enter(request, request.routeOptions.config.lane ?? 'merchants')) return done();
    // Not with the answer: Node reads on then, for what is left of the body.
    request.raw.once('close', () => rests.begin(request.socket));
    done(TOO_MUCH);
  });
  // What they have asked meanwhile is still answered.
  app.addHook('preClose', async () => rests.endAll());
  app.addHook('preValidation', (request, _reply, done) => {
    admission.arrived(request);
    done();
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    admission.leave(request);
    rests.endSome(admission.letIn());
    done();
  });
}

/** Connections that are left unread, the longest resting first. */
interface Rests {
  begin(socket: Socket): void;
  /** Whoever has left meanwhile is among them: that is not heard of a connection that nobody reads. */
  endSome(most: number): void;
  /** None begins any more. */
  endAll(): void;
}

/** Then they are read at any rate, and perhaps refused again. */
const LONGEST_REST_MS = 5 * SECOND_MS;

function createRests(): Rests {
  const timeouts = createTimeouts(systemClock, LONGEST_REST_MS);
  const resting = new Map<Socket, () => void>();
  let isOver = false;
  const end = (socket: Socket) => {
    resting.get(socket)?.();
    resting.delete(socket);
    socket.resume();
  };
  return {
    begin(socket) {
      if (isOver || socket.destroyed || resting.has(socket)) return;
      socket.pause();
      resting.set(
        socket,
        timeouts.start(() => end(socket)),
      );
    },
    endSome(most) {
      for (const socket of resting.keys()) {
        if (most-- <= 0) return;
        end(socket);
      }
    },
    endAll() {
      isOver = true;
      for (const socket of resting.keys()) end(socket);
    },
  };
}
