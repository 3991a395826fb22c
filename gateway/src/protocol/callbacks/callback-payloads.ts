/**
 * The bodies of callbacks to merchants, as fields without a signature. The field sets of payout and deposit callbacks are
 * frozen (decisions 39 and 40), because merchants rebuild the signed string from exactly these names. Only events may get new
 * fields.
 */
import type { CallbackPayload } from '../../domain/callbacks/callback.ts';
import type { Deposit, IncomingTransfer, Mismatch } from '../../domain/deposits/deposit.ts';
import type { DepositAdjustment, DepositAdjustmentKind } from '../../domain/deposits/deposit-adjustment.ts';
import { type Payout, resultOf } from '../../domain/payouts/payout.ts';
import type { NewAdjustment } from '../../domain/payouts/payout-store.ts';
import { formatUtc, type Instant } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';

export function composePayoutCallback(payout: Payout): CallbackPayload {
  const { status, code, text } = resultOf(payout);
  return {
    merchant: payout.merchantId,
    payout_id: payout.payoutId,
    status,
    code,
    description: text,
    amount: formatAmount(payout.money),
    currency: payout.money.currency,
  };
}

/** A bank's adjustment after the final state. The payout's status does not change. */
export function composePayoutEvent(payout: Payout, adjustment: NewAdjustment): CallbackPayload {
  const { status, code } = resultOf(payout);
  return {
    type: `payout.${adjustment.kind}`,
    merchant: payout.merchantId,
    payout_id: payout.payoutId,
    status,
    code,
    amount: formatAmount(payout.money),
    currency: payout.money.currency,
    occurred_at: formatUtc(adjustment.at),
    detail: adjustment.detail,
  };
}

/**
 * `co_amount` is the received amount (zero after a failure), `co_base_amount` the invoiced amount, and `co_to_wlt` the
 * credited amount after the fee. Both merchant fields contain the public id. `co_rate` is omitted, because the gateway
 * exchanges no currencies.
 */
export function composeDepositCallback(deposit: Deposit): CallbackPayload {
  const { merchantId, money, received, fee, finishedAt } = deposit;
  const { currency } = money;
  invariant(finishedAt !== null, 'callback composed for a deposit that is not final');
  const amountOf = (minor: bigint) => formatAmount({ currency, minor });
  return {
    co_inv_id: String(deposit.transactionId),
    co_inv_crt: formatUtc(deposit.createdAt),
    co_inv_prc: formatUtc(finishedAt),
    co_inv_st: deposit.state,
    co_order_no: deposit.orderId,
    co_merchant_id: merchantId,
    co_merchant_uuid: merchantId,
    co_amount: amountOf(received),
    co_cur: currency,
    co_base_amount: formatAmount(money),
    co_base_currency: currency,
    co_to_wlt: amountOf(received - fee),
  };
}

/** Money credited after a deposit's final state. All values are strings, because JSON numbers are not exact. */
export function composeDepositEvent(deposit: Deposit, transfer: IncomingTransfer, mismatch: Mismatch): CallbackPayload {
  return {
    type: `deposit.${mismatch}`,
    merchant: deposit.merchantId,
    order: deposit.orderId,
    transaction_id: String(deposit.transactionId),
    status: deposit.state,
    amount: formatAmount(transfer.money),
    currency: transfer.money.currency,
    occurred_at: formatUtc(transfer.bookedAt),
    tracking_key: transfer.originator.trackingKey,
  };
}

/** A paid deposit of an unsigned form, displaced by a signed request. The amount is the merchant's share of the payment. */
export function composeDisplacement(deposit: Deposit, paid: Money, by: number, at: Instant): CallbackPayload {
  return {
    type: 'deposit.displaced',
    merchant: deposit.merchantId,
    order: deposit.orderId,
    transaction_id: String(deposit.transactionId),
    status: deposit.state,
    amount: formatAmount(paid),
    currency: paid.currency,
    occurred_at: formatUtc(at),
    displaced_by: String(by),
  };
}

/**
 * Money that moved after a deposit's final state. The amount is the change of the merchant's balance. It is less than
 * the provider's amount if the merchant's balance did not cover that.
 */
export function composeAdjustmentEvent(
  deposit: Deposit,
  { kind, key, detail }: DepositAdjustment,
  moved: Money,
  at: Instant,
): CallbackPayload {
  const { merchantId, orderId, transactionId, state } = deposit;
  return {
    type: `deposit.${kind}`,
    merchant: merchantId,
    order: orderId,
    transaction_id: String(transactionId),
    status: state,
    amount: formatAmount(moved),
    currency: moved.currency,
    occurred_at: formatUtc(at),
    reference: key,
    detail,
  };
}

/** Returns the same for a refund that the operator ordered. Its reference is the refund's id. */
export function composeRefundEvent(payout: Payout, kind: DepositAdjustmentKind, at: Instant): CallbackPayload {
  const { order = '', transaction_id = '', status = '', reason = '' } = payout.beneficiary.fields;
  return {
    type: `deposit.${kind}`,
    merchant: payout.merchantId,
    order,
    transaction_id,
    status,
    amount: formatAmount(payout.money),
    currency: payout.money.currency,
    occurred_at: formatUtc(at),
    reference: payout.payoutId,
    detail: reason,
  };
}
