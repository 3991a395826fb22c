/**
 * Decides what a found money request means for the payer's attempt. Pure. While VoPay has not decided, elapsed time
 * must never become a refusal.
 */
import type { PaymentOrder, PaymentStatus } from '../../domain/payments/payment-rail.ts';
import { unreachable } from '../../foundation/invariant.ts';
import type { FoundRequest } from './protocol.ts';
import { requestEndingOf } from './vocabulary.ts';

/**
 * The state of VoPay's flag, which is kept with the attempt.
 * - `clear`: not flagged, or confirmed.
 * - `flagged`: flagged as a duplicate, and not yet confirmed.
 * - `held`: flagged for another reason, which the operator must check.
 * - empty: unknown, because the response was lost.
 */
export type Flag = 'clear' | 'flagged' | 'held' | '';

export function flagOf({ kept }: PaymentOrder): Flag {
  return kept === 'clear' || kept === 'flagged' || kept === 'held' ? kept : '';
}

type FoundStatus = Exclude<PaymentStatus, { readonly kind: 'not_found' | 'unknown' }>;

export function meaningOf(found: FoundRequest, flag: Flag, isLate: boolean): FoundStatus {
  const { transactionId: providerReference, stage, status, failureReason, money, payerEmail } = found;
  switch (stage) {
    case 'unsent':
    case 'waiting':
      return messageStep(providerReference, flag);
    case 'agreed':
    case 'cancelling':
      return { kind: 'pending', isAuthorised: stage === 'agreed', keep: flag, providerReference };
    case 'succeeded':
      return { kind: 'paid', money, payerAccount: payerEmail, providerReference };
    case 'ended': {
      const detail = `${status} ${failureReason}`.trim();
      return { kind: 'refused', ...requestEndingOf(status, failureReason, isLate), detail, providerReference };
    }
    default:
      return unreachable(stage);
  }
}

export function messageStep(providerReference: string, flag: Flag): Extract<FoundStatus, { kind: 'step' }> {
  return { kind: 'step', step: { kind: 'elsewhere', at: 'bank_message' }, keep: flag, providerReference };
}
