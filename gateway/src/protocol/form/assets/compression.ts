/** Whether a response may be compressed, and the compressed response. */
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Fast, and within 5% of the smallest size for a page. */
const LEVEL = 6;

export function acceptsGzip({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s|,|$))/.test(String(headers['accept-encoding'] ?? ''));
}

/**
 * Sends a page. Compressing many responses with one secret and text that an attacker chooses could reveal the secret. Here
 * each opening of a link has a new URL and new secrets, and anyone who knows the URL can open the page anyway.
 */
export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip(reply.request)) return reply.send(page);
  return reply.header('content-encoding', 'gzip').send(gzipSync(page, { level: LEVEL }));
}
