/**
 * Repeats one request under its idempotency key until Adyen answers or the time ends. Adyen has no query by our
 * reference. A repetition is therefore the only way to learn the outcome of an unanswered request, and only while its
 * content is in memory.
 *
 * Confirmed by Adyen's description of idempotency: Adyen executes a repetition under the same key once and repeats the
 * first answer. Keys live for days, in one region. Not confirmed: the answer to other content under the same key.
 */
import { afterDelay, type Clock, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { ProviderHttp, ProviderReply, ProviderRequest } from '../kit/provider-http.ts';

/** The time limit of one request, and the pauses between requests. */
const TRY_MS = 20 * SECOND_MS;
const PAUSES_MS = [SECOND_MS, 2 * SECOND_MS] as const;

export interface RepeatedReply {
  readonly reply: ProviderReply;
  /** True if an earlier request may have reached Adyen, whatever the result of this one. */
  readonly mayHaveBeenTaken: boolean;
}

export interface RepeatParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly clock: Clock;
  /** True if the reply proves nothing and the same request may be sent again. */
  readonly isOpen: (reply: ProviderReply) => boolean;
}

/** `write` builds the request again for each repetition, so that its secrets live no longer than one request. */
export async function repeatUntilAnswered(
  write: () => ProviderRequest,
  { http, clock, isOpen }: RepeatParts,
  deadline: Deadline,
): Promise<RepeatedReply> {
  let mayHaveBeenTaken = false;
  for (let tries = 0; ; tries++) {
    const { until, release } = tryUntil(deadline, clock);
    const reply = await http.exchange(write(), until).finally(release);
    const pauseMs = PAUSES_MS[tries];
    if (pauseMs === undefined || !isOpen(reply)) return { reply, mayHaveBeenTaken };
    mayHaveBeenTaken ||= reply.kind !== 'not_connected';
    await clock.sleep(pauseMs, deadline.signal);
    if (deadline.signal.aborted || deadline.isPast()) return { reply, mayHaveBeenTaken };
  }
}

function tryUntil(deadline: Deadline, clock: Clock): { readonly until: Deadline; readonly release: () => void } {
  const ended = new AbortController();
  const endsAt = clock.now() + TRY_MS;
  const release = afterDelay(clock, TRY_MS, () => ended.abort());
  const until: Deadline = {
    signal: AbortSignal.any([deadline.signal, ended.signal]),
    isPast: () => deadline.isPast() || clock.now() >= endsAt,
  };
  return { until, release };
}
