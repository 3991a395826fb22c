/** The purpose of a payout: who ordered it, whose money it takes, and which rail may carry it. */

/**
 * - `payout`: a merchant ordered it, by one of the wire's methods.
 * - `return`: the operator returns money in suspense to its originator, by the rail of the transfer. It causes no callback
 *   (deposits/return-transfer.ts).
 * - `refund`: the operator refunds a payment on the hosted form, by the rail of the payment, from the merchant's own money
 *   (payments/adjustments/refund-deposit.ts).
 */
export const PAYOUT_PURPOSES = ['payout', 'return', 'refund'] as const;
export type PayoutPurpose = (typeof PAYOUT_PURPOSES)[number];

/**
 * The purposes of the gateway's own payouts. No merchant requested them, so they have no method, no merchant's list shows
 * them and they have no payout callback.
 */
export type OwnPurpose = Exclude<PayoutPurpose, 'payout'>;
