/**
 * One request that is repeated under its own idempotency key until it is answered or the time is over. Adyen can't be asked
 * for a payment by its reference, so this is the only way to learn what became of a request whose answer did not come,
 * and only while its content is still in memory.
 *
 * Confirmed by Adyen's description of idempotency: a repetition under the same key is carried out once and answered as the
 * first was; the keys hold for days, for one region. Not confirmed: what is answered to another content under the same key.
 */
import { afterDelay, type Clock, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { ProviderHttp, ProviderReply, ProviderRequest } from '../kit/provider-http.ts';

/** How long one try may take, and what is waited before the next. */
const TRY_MS = 20 * SECOND_MS;
const PAUSES_MS = [SECOND_MS, 2 * SECOND_MS] as const;

export interface RepeatedReply {
  readonly reply: ProviderReply;
  /** True when an earlier try may have reached Adyen, whatever came of this one. */
  readonly mayHaveBeenTaken: boolean;
}

export interface RepeatParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly clock: Clock;
  /** True when nothing is proved and the same request may be sent again. */
  readonly isOpen: (reply: ProviderReply) => boolean;
}

/** `write`: makes the request anew for each try, so that what it holds lives no longer than a try. */
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
