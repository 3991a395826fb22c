/**
 * The admission of requests as hooks of the HTTP server. A route says in its `config` whose limit it shares. Who is
 * refused is answered as `Overloaded`, in the envelope of their wire, and their connection is left unread until
 * there is room again: a refusal costs a fifth of what an acceptance does, so that refusing everybody who asks again at
 * once would leave no time for anything else.
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

/** A connection that is given up is not answered: nothing was done of a request that was not all here. */
export function createHttpAdmission(limits?: AdmissionLimits): HttpAdmission {
  return createAdmission((request) => request.socket.destroy(), limits);
}

/** Made once: it is needed when there is no time to make it. */
const TOO_MUCH = new Overloaded('as many requests are under way as this process takes on');

/** To be called before other hooks are added, so that a refusal costs nothing else. */
export function registerAdmission(app: FastifyInstance, admission: HttpAdmission): void {
  const connections = createUnreadConnections();
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || admission.enter(request, request.routeOptions.config.trafficClass ?? 'merchants'))
      return done();
    // Not with the answer: Node reads on then, for what is left of the body. Nor where nobody is left to be answered.
    request.raw.once('close', () => {
      if (Number.isFinite(admission.letIn())) connections.leaveUnread(request.socket);
    });
    done(TOO_MUCH);
  });
  // What they have asked meanwhile is still answered.
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
