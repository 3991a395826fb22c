/**
 * What a payer's browser is known by, so that who opens the link of an order again finds the payment that they left. It says
 * nothing about the payer, opens nothing by itself, and is not missed: a frame on another site keeps none, nor does a form
 * that was posted from there.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createToken, hashOfToken, isToken } from '../../../domain/payments/form-session.ts';
import type { Random } from '../../../foundation/ids.ts';

const NAME = '__Host-visitor';

/** After a space and no other blank: a name with one of those before it is not the name that browsers protect. */
const IN_COOKIES = new RegExp(`(?:^|;) *${NAME}=([^;]*)`);

const MAX_AGE_SECONDS = 24 * 60 * 60;

/** The visitor's hash; one who has none yet is given it with this reply. */
export function knowVisitor(request: FastifyRequest, reply: FastifyReply, random: Random): Buffer {
  const known = visitorOf(request.headers.cookie ?? '');
  const visitor = known ?? createToken(random);
  // Lax: it comes along with a link of the shop's, and with nothing else that another site does.
  const attributes = `Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; Secure; SameSite=Lax`;
  if (known === undefined) reply.header('set-cookie', `${NAME}=${visitor}; ${attributes}`);
  return hashOfToken(visitor);
}

function visitorOf(cookies: string): string | undefined {
  const [, value = ''] = IN_COOKIES.exec(cookies) ?? [];
  return isToken(value) ? value : undefined;
}
