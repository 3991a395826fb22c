/** Writes a value as a JSON answer, spelled the same on every wire. */
import type { FastifyReply } from 'fastify';

export function sendJson(reply: FastifyReply, status: number, value: object): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(value));
}
