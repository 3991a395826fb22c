/**
 * One request to VoPay and what its answer is worth, for whatever is asked: signed for today, and once more for the
 * neighbouring day where VoPay refuses the signature. That alone is ever sent twice: it is the one answer that proves that a
 * request was not taken and that the next may be.
 *
 * Confirmed by VoPay's documents: form fields by POST, the same in the query by GET, JSON back, HTTP 200 either way. An
 * answer of any other status proves nothing. A question carries its credentials in its address, which is for nobody to log.
 */
import { type Clock, utcDayOf } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { ProviderHttp, Unanswered } from '../kit/provider-http.ts';
import { type JsonObject, readObject, shownTextOf } from '../kit/provider-json.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { credentialFields, neighbouringDayOf, type VoPayAccount } from './authentication.ts';
import { VOPAY } from './configuration.ts';
import { type ErrorMeaning, meaningOf } from './errors.ts';
import { textOf } from './read-json.ts';

export interface VoPayRequest {
  readonly verb: 'GET' | 'POST';
  /** After the version: `/interac/money-request`. */
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * - `done`: Success.
 * - `failed`: VoPay's own word that it is none.
 * - otherwise: VoPay never got it, or may have done it.
 */
export type Called =
  | { readonly kind: 'done'; readonly fields: JsonObject }
  | { readonly kind: 'failed'; readonly meaning: ErrorMeaning; readonly reason: string }
  | Unanswered;

export interface VoPayApi {
  /** Never throws. */
  call(request: VoPayRequest, deadline: Deadline): Promise<Called>;
}

export interface VoPayApiParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
  readonly clock: Clock;
}

export function createVoPayApi(account: VoPayAccount, { http, hooks, clock }: VoPayApiParts): VoPayApi {
  async function callAs(day: string, request: VoPayRequest, deadline: Deadline): Promise<Called> {
    const reply = await http.exchange(written(request, credentialFields(account, day)), deadline);
    return reply.kind === 'answered' ? readAnswer(reply.status, reply.body) : reply;
  }

  return {
    async call(request, deadline) {
      const now = clock.now();
      const first = await callAs(utcDayOf(now), request, deadline);
      const called = isRefusedFor('credentials', first)
        ? await callAs(neighbouringDayOf(now), request, deadline)
        : first;
      if (isRefusedFor('credentials', called) || isRefusedFor('account', called)) hooks.onCredentialRefused(VOPAY);
      return called;
    },
  };
}

function isRefusedFor(why: ErrorMeaning['kind'], called: Called): boolean {
  return called.kind === 'failed' && called.meaning.kind === why;
}

function written({ verb, path, fields }: VoPayRequest, credentials: Readonly<Record<string, string>>) {
  const form = new URLSearchParams({ ...credentials, ...fields }).toString();
  return verb === 'GET'
    ? { verb, path: `${path}?${form}`, headers: { accept: 'application/json' } }
    : {
        verb,
        path,
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: form,
      };
}

const MOST_REASON = 200;

export function readAnswer(status: number, body: Buffer): Called {
  if (status !== 200) return { kind: 'no_answer', reason: `HTTP ${status}` };
  const fields = readObject(body);
  const success = fields && textOf(fields, 'Success').toLowerCase();
  if (fields && success === 'true') return { kind: 'done', fields };
  if (!fields || success !== 'false') return { kind: 'no_answer', reason: 'HTTP 200 that says nothing of success' };
  const code = shownTextOf(fields, 'ErrorCode');
  const message = shownTextOf(fields, 'ErrorMessage') || shownTextOf(fields, 'Message');
  const reason = `VoPay says ${`${code} ${message}`.trim() || 'no'}`.slice(0, MOST_REASON).toWellFormed();
  return { kind: 'failed', meaning: meaningOf(code, message), reason };
}
