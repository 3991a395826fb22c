/**
 * Sends one request to VoPay and classifies the response. It signs for today, and once more for the neighbouring day if VoPay
 * rejects the signature. No other response may cause a second request: only this one proves that VoPay did not take the first,
 * and that it may take the next.
 *
 * Confirmed by VoPay's documents: form fields by POST, the same in the query by GET, a JSON response, HTTP 200 for success and
 * failure. Any other status proves nothing. The URL of a GET contains our credentials, so it must never be logged.
 */
import { type Clock, utcDayOf } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { ProviderHttp, Unanswered } from '../kit/provider-http.ts';
import { type JsonObject, readObject, shownTextOf } from '../kit/provider-json.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { credentialFields, neighbouringDayOf, type VoPayAccount } from './authentication.ts';
import { VOPAY } from './configuration.ts';
import { textOf } from './read-fields.ts';
import { type ErrorMeaning, meaningOf } from './refusals.ts';

export interface VoPayRequest {
  readonly verb: 'GET' | 'POST';
  /** The path after the version, for example `/interac/money-request`. */
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * - `done`: VoPay reported success.
 * - `failed`: VoPay reported a failure.
 * - otherwise: VoPay never received the request, or may have executed it.
 */
export type VoPayAnswer =
  | { readonly kind: 'done'; readonly fields: JsonObject }
  | { readonly kind: 'failed'; readonly meaning: ErrorMeaning; readonly reason: string }
  | Unanswered;

export interface VoPayApi {
  /** Never throws. */
  call(request: VoPayRequest, deadline: Deadline): Promise<VoPayAnswer>;
}

interface VoPayApiParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
  readonly clock: Clock;
}

export function createVoPayApi(account: VoPayAccount, { http, hooks, clock }: VoPayApiParts): VoPayApi {
  async function callAs(day: string, request: VoPayRequest, deadline: Deadline): Promise<VoPayAnswer> {
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

function isRefusedFor(why: ErrorMeaning['kind'], called: VoPayAnswer): boolean {
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

export function readAnswer(status: number, body: Buffer): VoPayAnswer {
  if (status !== 200) return { kind: 'no_answer', reason: `HTTP ${status}` };
  const fields = readObject(body);
  const success = fields && textOf(fields, 'Success').toLowerCase();
  if (fields && success === 'true') return { kind: 'done', fields };
  if (!fields || success !== 'false') return { kind: 'no_answer', reason: 'HTTP 200 without the field Success' };
  const code = shownTextOf(fields, 'ErrorCode');
  const message = shownTextOf(fields, 'ErrorMessage') || shownTextOf(fields, 'Message');
  const reason = `VoPay reports ${`${code} ${message}`.trim() || 'an error'}`.slice(0, MOST_REASON).toWellFormed();
  return { kind: 'failed', meaning: meaningOf(code, message), reason };
}
