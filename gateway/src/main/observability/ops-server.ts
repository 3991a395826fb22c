/** The operator's listener, apart from the public one: `/metrics`, `/healthz`, `/readyz`. It has no effect. */
import Fastify, { type FastifyInstance } from 'fastify';
import { registerHealth } from './health.ts';
import type { Metrics } from './metrics.ts';

interface OpsServerParts {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  readonly readiness: Parameters<typeof registerHealth>[1];
}

/** The caller listens and closes. */
export function createOpsServer(parts: OpsServerParts): FastifyInstance {
  const app = Fastify({ bodyLimit: 1_024, requestTimeout: 10_000, forceCloseConnections: 'idle' });
  app.get('/metrics', async (_request, reply) =>
    reply.type(parts.metrics.contentType).send(await parts.metrics.text()),
  );
  registerHealth(app, parts.readiness);
  return app;
}
