/** Whether a response may be compressed, and the compressed response. */
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Fast, and within 5% of the smallest size for a page. */
const LEVEL = 6;

export function acceptsGzip({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s|,|$))/.test(String(headers['accept-encoding'] ?? ''));
}

/**
 * Sends a page. Compression of many responses with one secret and texts that an attacker chooses could reveal the secret.
 * Here each opening of a link has an address and secrets of its own, and anyone who knows an address can open the page itself.
 */
export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip(reply.request)) return reply.send(page);
  return reply.header('content-encoding', 'gzip').send(gzipSync(page, { level: LEVEL }));
}
