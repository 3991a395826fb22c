/**
 * The admission of requests as hooks of the HTTP server. A route says in its `config` whose limit it shares. Who is
 * refused is answered as `Overloaded`, in the envelope of their wire.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Overloaded } from '../../foundation/commit-errors.ts';
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
  app.addHook('onRequest', (request, _reply, done) => {
    const isIn = request.is404 || admission.enter(request, request.routeOptions.config.lane ?? 'merchants');
    done(isIn ? undefined : TOO_MUCH);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    admission.arrived(request);
    done();
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    admission.leave(request);
    done();
  });
}
