/**
 * Tables of Token.io's statuses of payments and refunds, with the conclusion from each. Pure.
 *
 * Confirmed by Token.io's OpenAPI document: every status here and its meaning. Confirmed by its documents: a payer who never
 * logs in leaves INITIATION_PENDING_REDIRECT_AUTH, which becomes INITIATION_EXPIRED after 40 minutes. **The same happens to a
 * payer who agreed and whose bank never answered.** INITIATION_EXPIRED also ends an INITIATION_PROCESSING that Token.io has
 * polled for too long. INITIATION_COMPLETED does not guarantee a settlement. Only SETTLEMENT_COMPLETED says that the money is
 * on the account, within 45 minutes for instant transfers, and within 15 days at the latest. SETTLEMENT_INCOMPLETE says that
 * Token.io did not find it automatically. Not confirmed: whether a final status can change, apart from the settlement's (the
 * code assumes that it can).
 */
import type { PaymentRefusal } from '../../domain/payments/payment-rail.ts';

type PaymentMeaning =
  /** Token.io waits for the bank, and the payer cannot act yet. */
  | 'preparing'
  /** The payer must go to Token.io's address. */
  | 'redirect'
  /** The payer is on Token.io's own page, or may return there. */
  | 'on_their_page'
  /** The payer confirms in the bank's own app. */
  | 'in_bank_app'
  /** The payer has acted, and there is no decision. */
  | 'deciding'
  /** The payer's bank has agreed, and the money has not arrived. */
  | 'authorised'
  | 'paid'
  /** No money, unless the payer's bank has shown that it knows the payment. */
  | 'expired'
  /** The status is final and undecided, so that only the account shows the outcome. */
  | 'open_end'
  | { readonly refusal: PaymentRefusal };

const MEANINGS: Readonly<Record<string, PaymentMeaning>> = {
  INITIATION_PENDING: 'preparing',
  INITIATION_PENDING_REDIRECT_AUTH: 'redirect',
  INITIATION_PENDING_REDIRECT_HP: 'redirect',
  INITIATION_PENDING_REDIRECT_AUTH_VERIFICATION: 'deciding',
  INITIATION_PENDING_EMBEDDED_AUTH: 'on_their_page',
  INITIATION_PENDING_EMBEDDED_AUTH_VERIFICATION: 'on_their_page',
  INITIATION_PENDING_DECOUPLED_AUTH: 'in_bank_app',
  INITIATION_PENDING_REDEMPTION: 'deciding',
  INITIATION_PENDING_REDEMPTION_VERIFICATION: 'deciding',
  INITIATION_PROCESSING: 'deciding',
  INITIATION_COMPLETED: 'authorised',
  INITIATION_REJECTED: { refusal: 'declined' },
  INITIATION_REJECTED_INSUFFICIENT_FUNDS: { refusal: 'insufficient_funds' },
  INITIATION_FAILED: { refusal: 'declined' },
  INITIATION_DECLINED: { refusal: 'cancelled_by_payer' },
  INITIATION_EXPIRED: 'expired',
  INITIATION_NO_FINAL_STATUS_AVAILABLE: 'open_end',
  SETTLEMENT_IN_PROGRESS: 'authorised',
  SETTLEMENT_COMPLETED: 'paid',
  SETTLEMENT_INCOMPLETE: 'open_end',
  CANCELED: { refusal: 'cancelled_by_payer' },
};

/** Returns undefined for an undocumented status, or one of a flow that we never request. */
export function meaningOfPayment(status: string): PaymentMeaning | undefined {
  return Object.hasOwn(MEANINGS, status) ? MEANINGS[status] : undefined;
}

type RefundMeaning = 'pending' | 'refunded' | 'refused';

const REFUND_MEANINGS: Readonly<Record<string, RefundMeaning>> = {
  INITIATION_PENDING: 'pending',
  INITIATION_PROCESSING: 'pending',
  INITIATION_COMPLETED: 'refunded',
  INITIATION_REJECTED: 'refused',
  INITIATION_FAILED: 'refused',
};

/** Returns undefined for an undecided status, including INITIATION_NO_FINAL_STATUS_AVAILABLE. */
export function meaningOfRefund(status: string): RefundMeaning | undefined {
  return Object.hasOwn(REFUND_MEANINGS, status) ? REFUND_MEANINGS[status] : undefined;
}
