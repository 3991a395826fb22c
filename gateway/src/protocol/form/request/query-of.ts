/** Returns the raw query of a request's URL. */
import type { FastifyRequest } from 'fastify';

export function queryOf({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}
