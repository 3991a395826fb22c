/**
 * Sends one signed call to Trustly, authenticates its response, and decides what a call without a result proves. Every port
 * of the rail calls through this file.
 */
import type { Deadline } from '../../foundation/deadline.ts';
import { unreachable } from '../../foundation/invariant.ts';
import type { ProviderHttp, Unanswered } from '../kit/provider-http.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { TRUSTLY, type TrustlyConfiguration } from './configuration.ts';
import { type CallAnswer, JSON_HEADERS, readAnswer, writeCall } from './json-rpc.ts';
import { keepKeys } from './key-files.ts';
import type { ErrorMeaning, Refused } from './refusals.ts';
import type { Signed } from './signature.ts';

/** The result of a call. */
export type Called = CallAnswer | Unanswered;
export type Call = (call: Signed, deadline: Deadline) => Promise<Called>;

export function createTrustlyCall(configuration: TrustlyConfiguration, http: Pick<ProviderHttp, 'exchange'>): Call {
  const keys = keepKeys(configuration);
  return async (call, deadline) => {
    const opened = keys();
    if (!opened.ok) return { kind: 'not_connected', reason: opened.error };
    const { ours, theirs } = opened.value;
    const request = { verb: 'POST', path: '', headers: JSON_HEADERS, body: writeCall(call, ours) } as const;
    const reply = await http.exchange(request, deadline);
    return reply.kind === 'answered' ? readAnswer(call, reply.status, reply.body, theirs) : reply;
  };
}

/** Returns true if no response of Trustly to this call was authenticated. */
export function isOpen({ kind }: Called): boolean {
  return kind === 'no_answer' || kind === 'unreadable';
}

type Unproved = { readonly kind: 'not_accepted' | 'unknown'; readonly reason: string };

/** Returns the proof in a call without a result. Only a signed error, or a refused connection, proves anything. */
export function failure<Refusal>(
  called: Exclude<Called, { kind: 'result' }>,
  meaningOfError: (code: string) => ErrorMeaning,
  hooks: RailHooks,
  refuse: (refused: Refused, detail: string) => Refusal,
): Refusal | Unproved {
  const reason = whyNot(called);
  if (called.kind === 'not_connected') return { kind: 'not_accepted', reason };
  if (called.kind !== 'error') return { kind: 'unknown', reason };
  const meaning = meaningOfError(called.code);
  // A false alarm is harmless.
  if (meaning.kind === 'credentials') hooks.onCredentialRefused(TRUSTLY);
  if (!called.isSigned) return { kind: 'unknown', reason };
  switch (meaning.kind) {
    case 'credentials':
      return { kind: 'not_accepted', reason };
    case 'refused':
      return refuse(meaning, reason);
    case 'duplicate':
    case 'unknown':
      return { kind: 'unknown', reason };
    default:
      return unreachable(meaning);
  }
}

export function whyNot(called: Exclude<Called, { kind: 'result' }>): string {
  return called.kind === 'error' ? `Trustly reports ${called.code} ${called.message}`.trim() : called.reason;
}
