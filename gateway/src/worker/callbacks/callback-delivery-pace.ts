/**
 * How fast one merchant's lane may go within a turn: the breaker's word, and a width that doubles with each success, so
 * that a server that hangs holds one socket and not all of its share.
 */
import type { DeliveryOutcome } from '../../domain/callbacks/callback.ts';
import type { CallbackEventSink } from '../../domain/callbacks/callback-events.ts';
import { afterAttempt, type Breaker, isOpen } from '../../domain/callbacks/delivery-breaker.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

export interface LanePace {
  breaker(): Breaker;
  isPaused(): boolean;
  hasRoom(): boolean;
  /** One more waits for its place on the wire, or is on it. */
  begin(): void;
  end(): void;
  /** To be called right before sending; what it gives takes the outcome. */
  sending(): (outcome: DeliveryOutcome) => void;
}

/** `widest`: attempts under way at once for one merchant, at most. */
export function createLanePace(
  merchantId: MerchantId,
  start: Breaker,
  widest: number,
  clock: Clock,
  onEvent: CallbackEventSink,
): LanePace {
  let breaker = start;
  let width = 1;
  let underWay = 0;

  function note(outcome: DeliveryOutcome, wasProbe: boolean): void {
    const before = breaker;
    breaker = afterAttempt(before, outcome, wasProbe, clock.now());
    width = outcome === 'accepted' ? Math.min(width * 2, widest) : 1;
    if (isOpen(before) && !isOpen(breaker)) onEvent({ kind: 'lane_resumed', merchantId });
    if (breaker.pausedUntil !== null && breaker !== before) {
      onEvent({ kind: 'lane_paused', merchantId, failures: breaker.failures, until: breaker.pausedUntil });
    }
  }

  return {
    breaker: () => breaker,
    isPaused: () => breaker.pausedUntil !== null,
    hasRoom: () => underWay < width,
    begin() {
      underWay++;
    },
    end() {
      underWay--;
    },
    sending() {
      const wasProbe = isOpen(breaker);
      return (outcome) => note(outcome, wasProbe);
    },
  };
}
