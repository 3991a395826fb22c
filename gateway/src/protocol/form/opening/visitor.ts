/**
 * The cookie that recognises a payer's browser. A payer who opens the link of an order again finds the payment that
 * they left. The cookie reveals nothing about the payer and opens nothing by itself. The form works without it: a
 * frame on another site keeps no cookie, and a form posted from there sends none.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createToken, hashOfToken, isToken } from '../../../domain/payments/form-session.ts';
import type { Random } from '../../../foundation/ids.ts';

const NAME = '__Host-visitor';

/** Only a space may precede the name. Browsers do not protect a name that begins with other white space. */
const IN_COOKIES = new RegExp(`(?:^|;) *${NAME}=([^;]*)`);

const MAX_AGE_SECONDS = 24 * 60 * 60;

/** Returns the visitor's hash. The reply sets the cookie for a new visitor. */
export function knowVisitor(request: FastifyRequest, reply: FastifyReply, random: Random): Buffer {
  const known = visitorOf(request.headers.cookie ?? '');
  const visitor = known ?? createToken(random);
  // Lax: browsers send it when a payer follows the shop's link, but with no other request from another site.
  const attributes = `Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; Secure; SameSite=Lax`;
  if (known === undefined) reply.header('set-cookie', `${NAME}=${visitor}; ${attributes}`);
  return hashOfToken(visitor);
}

function visitorOf(cookies: string): string | undefined {
  const [, value = ''] = IN_COOKIES.exec(cookies) ?? [];
  return isToken(value) ? value : undefined;
}
