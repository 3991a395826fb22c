/**
 * Tells the bank where to call us. The bank appends `/pix` to the address, so the one to register ends before that.
 *
 * Confirmed by the OpenAPI document 2.9.0: the address, `webhookUrl`, 200. By a bank's page: it first tries whether our
 * address turns a caller without a certificate away.
 */
import type { Deadline } from '../../foundation/deadline.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { PixBank } from './bank.ts';
import { readProblem } from './problem.ts';

/** Fails with the bank's reason. */
export async function registerPixWebhook(
  bank: PixBank,
  chave: string,
  webhookUrl: string,
  deadline: Deadline,
): Promise<Result<void, string>> {
  const path = `/webhook/${encodeURIComponent(chave)}`;
  const reply = await bank.exchange({ verb: 'PUT', path, body: JSON.stringify({ webhookUrl }) }, deadline);
  if (reply.kind !== 'answered') return fail(reply.reason);
  if (reply.status >= 200 && reply.status < 300) return ok(undefined);
  return fail(readProblem(reply.status, reply.body).reason);
}
