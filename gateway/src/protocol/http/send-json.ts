/** Writes a value as a JSON answer, spelled the same on every wire. */
import type { FastifyReply } from 'fastify';
import type { Secret } from '../../foundation/secret.ts';
import { xSign } from '../signatures/x-sign.ts';

export function sendJson(reply: FastifyReply, status: number, value: object): FastifyReply {
  return sendText(reply, status, JSON.stringify(value));
}

/**
 * Answers 200 with `X-Sign` over the bytes of the answer, for replies that carry no signature among their fields. `key`: the one
 * that the request was signed with.
 */
export function sendSignedJson(reply: FastifyReply, value: object, key: Secret): FastifyReply {
  const text = JSON.stringify(value);
  return sendText(reply.header('x-sign', xSign(Buffer.from(text, 'utf8'), key)), 200, text);
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text);
}
