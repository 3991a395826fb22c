/**
 * The sandbox's rule takes the place of a wire format, because the sandbox is part of the gateway itself. Confirmed by the API
 * description (method 70): one card succeeds, and every other card is declined. The sandbox keeps no state: the same card
 * always has the same outcome.
 */
import type { RailAnswer } from '../../domain/payouts/payout-rail.ts';

export function decide(card: string, successCard: string): Extract<RailAnswer, { kind: 'executed' | 'declined' }> {
  return card === successCard
    ? { kind: 'executed' }
    : { kind: 'declined', blockedReason: 'bank_declined', reason: 'the sandbox declines every other card' };
}
