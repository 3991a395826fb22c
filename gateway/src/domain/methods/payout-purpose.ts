/** The purpose of a payout: who ordered it, whose money it uses, and which rail may carry it. */

/**
 * - `payout`: a merchant ordered it with one of the API's methods.
 * - `return`: the operator returns money in suspense to its originator through the rail of the transfer. It causes no callback
 * (deposits/return-transfer.ts).
 * - `refund`: the operator refunds a form payment through the rail of the payment, from the merchant's own money
 * (payments/adjustments/refund-deposit.ts).
 */
export const PAYOUT_PURPOSES = ['payout', 'return', 'refund'] as const;
export type PayoutPurpose = (typeof PAYOUT_PURPOSES)[number];

/**
 * The purposes of the gateway's own payouts. No merchant requested them, so they have no method, appear in no merchant's list
 * and have no payout callback.
 */
export type OwnPurpose = Exclude<PayoutPurpose, 'payout'>;
