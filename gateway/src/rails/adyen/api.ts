/** Sends a request to Adyen, repeats it under its idempotency key, and classifies the response. */
import { afterDelay, type Clock, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import {
  isCredentialStatus,
  isIndefinite,
  type ProviderHttp,
  type ProviderReply,
  type ProviderRequest,
} from '../kit/provider-http.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { ADYEN, type AdyenConfiguration } from './configuration.ts';
import { isInProgress, requestHeaders } from './protocol.ts';

export interface AdyenParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
  readonly clock: Clock;
}

/** What the calls to Adyen need. Each function turns the responses of all its requests into one response. */
export interface AdyenCalls extends AdyenParts {
  readonly configuration: AdyenConfiguration;
}

/**
 * Posts a request until a response proves something or the time has passed. `write` builds the body again for each repeat.
 * `isOpen` returns true for a response that proves nothing.
 */
export async function post(
  { http, clock, hooks, configuration }: AdyenCalls,
  path: string,
  idempotencyKey: string,
  write: () => string,
  isOpen: (reply: ProviderReply) => boolean,
  deadline: Deadline,
) {
  const request = () => ({
    verb: 'POST' as const,
    path,
    headers: requestHeaders(configuration.apiKey, idempotencyKey),
    body: write(),
  });
  const repeated = await repeatUntilAnswered(request, { http, clock, isOpen }, deadline);
  if (isCredentialError(repeated.reply)) hooks.onCredentialRefused(ADYEN);
  return repeated;
}

/** Proves nothing: no response, a failure inside Adyen, or an equal request that Adyen still processes. */
export function isUnanswered(reply: ProviderReply): boolean {
  if (reply.kind !== 'answered') return true;
  if (reply.status < 400) return reply.status !== 200 && reply.status !== 201;
  return reply.status >= 500 || isIndefinite(reply.status) || isInProgress(reply.body);
}

export function isCredentialError(reply: ProviderReply): boolean {
  return reply.kind === 'answered' && isCredentialStatus(reply.status);
}

export function reasonOf(reply: ProviderReply): string {
  return reply.kind === 'answered' ? `HTTP ${reply.status}` : reply.reason;
}

/** The time limit of one request, and the pauses between requests. */
const ATTEMPT_MS = 20 * SECOND_MS;
const PAUSES_MS = [SECOND_MS, 2 * SECOND_MS] as const;

interface RepeatedReply {
  readonly reply: ProviderReply;
  /** True if an earlier request may have reached Adyen, whatever the result of this one. */
  readonly mayHaveBeenAccepted: boolean;
}

interface RepeatParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly clock: Clock;
  /** Returns true if the response proves nothing and the same request may be sent again. */
  readonly isOpen: (reply: ProviderReply) => boolean;
}

/**
 * Repeats one request with its idempotency key until Adyen responds or the time has passed. Adyen has no query by our
 * reference. Repeating is therefore the only way to learn the outcome of a request without a response, and only while its
 * content is in memory. Confirmed by Adyen's description of idempotency: Adyen executes a request with the same key once and
 * repeats the first response. Keys are valid for days, in one region. Not confirmed: the response to different content with
 * the same key. `write` builds the request again for each repeat, so that its secrets live no longer than one request.
 */
async function repeatUntilAnswered(
  write: () => ProviderRequest,
  { http, clock, isOpen }: RepeatParts,
  deadline: Deadline,
): Promise<RepeatedReply> {
  let mayHaveBeenAccepted = false;
  for (let attempts = 0; ; attempts++) {
    const { until, release } = attemptUntil(deadline, clock);
    const reply = await http.exchange(write(), until).finally(release);
    const pauseMs = PAUSES_MS[attempts];
    if (pauseMs === undefined || !isOpen(reply)) return { reply, mayHaveBeenAccepted };
    mayHaveBeenAccepted ||= reply.kind !== 'not_connected';
    await clock.sleep(pauseMs, deadline.signal);
    if (deadline.signal.aborted || deadline.isPast()) return { reply, mayHaveBeenAccepted };
  }
}

function attemptUntil(deadline: Deadline, clock: Clock): { readonly until: Deadline; readonly release: () => void } {
  const ended = new AbortController();
  const endsAt = clock.now() + ATTEMPT_MS;
  const release = afterDelay(clock, ATTEMPT_MS, () => ended.abort());
  const until: Deadline = {
    signal: AbortSignal.any([deadline.signal, ended.signal]),
    isPast: () => deadline.isPast() || clock.now() >= endsAt,
  };
  return { until, release };
}
