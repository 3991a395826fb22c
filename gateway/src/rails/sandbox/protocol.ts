/**
 * The sandbox's rule, in place of a wire format, because the sandbox lives in the gateway itself. Confirmed by the
 * interface (method 70): one card succeeds, and every other is declined. The sandbox does not keep any state: the same card
 * always has the same outcome.
 */
import type { RailAnswer } from '../../domain/payouts/payout-rail.ts';

export function decide(card: string, successCard: string): Extract<RailAnswer, { kind: 'executed' | 'declined' }> {
  return card === successCard
    ? { kind: 'executed' }
    : { kind: 'declined', blockedReason: 'bank_declined', reason: 'the sandbox declines every other card' };
}
