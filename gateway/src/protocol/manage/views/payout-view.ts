/** A payout, as the management API shows it. */
import type { Payout as PayoutView } from '../../../../contract/endpoints/payouts.ts';
import { type Payout, resultOf } from '../../../domain/payouts/payout.ts';
import { formatAmount } from '../../../foundation/money.ts';
import { instantText, instantTextOrNull } from './instant-text.ts';
import type { Mask } from './mask.ts';

export function viewPayout(payout: Payout, mask: Mask): PayoutView {
  const { merchantId, payoutId, transactionId, purpose, method, money, fee, state, blockedReason, rail } = payout;
  return {
    merchantId,
    payoutId,
    transactionId,
    purpose,
    method,
    state,
    blockedReason,
    rail,
    code: resultOf(payout).code,
    amount: formatAmount(money),
    fee: formatAmount({ ...money, minor: fee }),
    currency: money.currency,
    account: mask(payout.beneficiary.accountShown),
    acceptedAt: instantText(payout.acceptedAt),
    finishedAt: instantTextOrNull(payout.finishedAt),
  };
}
