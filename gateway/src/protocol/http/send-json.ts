/** Writes a value as a JSON response, in the same format for every endpoint. */
import type { FastifyReply } from 'fastify';
import type { Secret } from '../../foundation/secret.ts';
import { xSign } from '../signatures/merchant-signature.ts';

export function sendJson(reply: FastifyReply, status: number, value: object): FastifyReply {
  return sendText(reply, status, JSON.stringify(value));
}

/** Returns 200 with `X-Sign` over the bytes, for responses without a signature field. `key` signed the request. */
export function sendSignedJson(reply: FastifyReply, value: object, key: Secret): FastifyReply {
  const text = JSON.stringify(value);
  return sendText(reply.header('x-sign', xSign(Buffer.from(text, 'utf8'), key)), 200, text);
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text);
}
