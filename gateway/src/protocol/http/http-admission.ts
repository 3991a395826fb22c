/**
 * Request admission as hooks of the HTTP server. A route names its traffic class in its `config`. A rejected request
 * is answered as `Overloaded`, in the envelope of its wire. The server then stops reading that connection until there
 * is room. A rejection costs a fifth of an acceptance, so immediate retries could otherwise use up the whole process.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Overloaded } from '../../foundation/commit-errors.ts';
import { type Admission, type AdmissionLimits, createAdmission, type TrafficClass } from './admission.ts';
import { createUnreadConnections } from './unread-connections.ts';

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
