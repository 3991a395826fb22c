/**
 * Sends one signed request to Freedom Pay, verifies the response's signature for the same script, and classifies the response.
 *
 * Confirmed by Freedom Pay's pages: POST of a form, flat XML in responses, HTTP 200 for successes and errors, signed. 9998
 * comes without a signature, and so does 11068 in its example. An error about our signature is signed with their secret, which
 * then differs from ours. The rail therefore reads errors with any signature, and reports whether it is valid. A response with
 * any other status proves nothing.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { ProviderHttp, Unanswered } from '../kit/provider-http.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { FREEDOM_PAY, type FreedomPayConfiguration } from './configuration.ts';
import { readFields } from './read-xml.ts';
import { errorCodeOf, meaningOf } from './refusals.ts';
import { isSigned, type PgFields, scriptOf, signedForm } from './signature.ts';

export interface FreedomPayRequest {
  readonly path: string;
  /** The fields without merchant, salt and signature. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * - `said`: signed by Freedom Pay, and not an error.
 * - `error`: `code` has up to six digits, or is empty.
 * - Otherwise Freedom Pay never received the request, or may have executed it.
 */
export type FreedomPayAnswer =
  | { readonly kind: 'said'; readonly fields: PgFields }
  | { readonly kind: 'error'; readonly code: string; readonly isSigned: boolean }
  | Unanswered;

export interface FreedomPayApi {
  /** Never throws. */
  call(request: FreedomPayRequest, deadline: Deadline): Promise<FreedomPayAnswer>;
}

interface FreedomPayApiParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
  readonly clock: Clock;
}

const HEADERS = { accept: 'application/xml', 'content-type': 'application/x-www-form-urlencoded' };

export function createFreedomPayApi(
  { merchantId, payoutSecret }: Pick<FreedomPayConfiguration, 'merchantId' | 'payoutSecret'>,
  { http, hooks, clock }: FreedomPayApiParts,
): FreedomPayApi {
  return {
    async call({ path, fields }, deadline) {
      const script = scriptOf(path);
      const all = new Map(Object.entries({ pg_merchant_id: merchantId, ...fields }));
      const salt = saltOf(script, all, clock.now());
      const body = signedForm(script, all, salt, payoutSecret);
      const reply = await http.exchange({ verb: 'POST', path, headers: HEADERS, body }, deadline);
      if (reply.kind !== 'answered') return reply;
      const called = readAnswer(reply, (answer) => isSigned(script, answer, payoutSecret));
      if (needsAPerson(called)) hooks.onCredentialRefused(FREEDOM_PAY);
      return called;
    },
  };
}

/** Returns a salt, which differs for each call and need not be secret. */
function saltOf(script: string, fields: PgFields, now: number): string {
  const orderId = fields.get('pg_order_id') ?? '';
  return createHash('sha256').update(`${script} ${orderId} ${now}`).digest('hex').slice(0, 16);
}

export function readAnswer(
  { status, body }: { readonly status: number; readonly body: Buffer },
  isTheirs: (fields: PgFields) => boolean,
): FreedomPayAnswer {
  if (status !== 200) return { kind: 'no_answer', reason: `HTTP ${status}` };
  const fields = readFields(body);
  const word = fields?.get('pg_status');
  if (!fields || word === undefined) return { kind: 'no_answer', reason: 'HTTP 200 without a readable status' };
  if (word === 'error') return { kind: 'error', code: errorCodeOf(fields), isSigned: isTheirs(fields) };
  return isTheirs(fields)
    ? { kind: 'said', fields }
    : { kind: 'no_answer', reason: 'the response is not signed by Freedom Pay' };
}

function needsAPerson(called: FreedomPayAnswer): boolean {
  if (called.kind !== 'error') return false;
  const { kind } = meaningOf(called.code);
  return kind === 'credentials' || (kind === 'closed' && called.isSigned);
}
