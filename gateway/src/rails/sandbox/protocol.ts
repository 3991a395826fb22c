/**
 * What the sandbox does, as a rule instead of bytes: it lives in the gateway itself. Confirmed by the interface (method
 * 70): one card succeeds, every other is declined. Nothing is kept: the same card has the same fate whenever it is asked
 * about.
 */
import type { RailAnswer } from '../../domain/payouts/payout-rail.ts';

export const SANDBOX_METHODS: ReadonlySet<number> = new Set([70]);

export function decide(card: string, successCard: string): Extract<RailAnswer, { kind: 'executed' | 'declined' }> {
  return card === successCard
    ? { kind: 'executed' }
    : { kind: 'declined', code: '51', reason: 'the sandbox declines every card but its own' };
}
