/**
 * The bodies that merchants are told, as fields without signature. The payout callback's set is frozen (decisions,
 * Callbacks: payout payload): merchants rebuild the signed text from exactly these names. Events are ours alone.
 */
import type { CallbackPayload } from '../../domain/callbacks/callback.ts';
import { PAYOUT_CODES, PAYOUT_STATUSES, type Payout } from '../../domain/payouts/payout.ts';
import type { NewAdjustment } from '../../domain/payouts/payout-store.ts';
import { formatUtc } from '../../foundation/clock.ts';
import { formatAmount } from '../../foundation/money.ts';

export function composePayoutCallback(payout: Payout): CallbackPayload {
  return {
    merchant: payout.merchantId,
    payout_id: payout.payoutId,
    status: PAYOUT_STATUSES[payout.state],
    code: payout.code,
    description: PAYOUT_CODES[payout.code],
    amount: formatAmount(payout.money),
    currency: payout.money.currency,
  };
}

/** What a bank changed after the final state; the payout's own status stays what it was. */
export function composePayoutEvent(payout: Payout, adjustment: NewAdjustment): CallbackPayload {
  return {
    type: `payout.${adjustment.kind}`,
    merchant: payout.merchantId,
    payout_id: payout.payoutId,
    status: PAYOUT_STATUSES[payout.state],
    code: payout.code,
    amount: formatAmount(payout.money),
    currency: payout.money.currency,
    occurred_at: formatUtc(adjustment.at),
    detail: adjustment.detail,
  };
}
