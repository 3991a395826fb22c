/** Compresses responses for clients that accept brotli, because users read long lists over slow networks. */
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(brotliCompress);
/** Higher qualities take many times as long for a tenth of the size. */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
/** Below this size the headers weigh more than the body. */
const WORTH_CHARACTERS = 1_024;

export function acceptsBrotli({ headers: { 'accept-encoding': accepted = '' } }: FastifyRequest): boolean {
  return /\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:\s|,|$))/.test(String(accepted));
}

/**
 * An `onSend` hook. It skips streams and short responses. Only reads are compressed: keys, tokens and links are in the
 * responses to other methods, and the compressed size of a secret together with a caller's own text reveals the secret
 * (BREACH).
 */
export async function compressAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (request.method !== 'GET' || typeof payload !== 'string' || payload.length < WORTH_CHARACTERS) return payload;
  if (!acceptsBrotli(request)) return payload;
  reply.headers({ 'content-encoding': 'br', vary: 'accept-encoding' });
  return compress(payload, QUICK);
}
