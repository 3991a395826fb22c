/**
 * The bodies that merchants are told, as fields without signature. The sets of the payout's and the deposit's callback
 * are frozen (decisions, Callbacks: payload): merchants rebuild the signed text from exactly these names. Events are ours
 * alone.
 */
import type { CallbackPayload } from '../../domain/callbacks/callback.ts';
import type { Deposit, IncomingTransfer, Mismatch } from '../../domain/deposits/deposit.ts';
import type { AdjustmentKind, DepositAdjustment } from '../../domain/deposits/deposit-adjustment.ts';
import { PAYOUT_CODES, PAYOUT_STATUSES, type Payout } from '../../domain/payouts/payout.ts';
import type { NewAdjustment } from '../../domain/payouts/payout-store.ts';
import { formatUtc, type Instant } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';

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

/**
 * `co_amount` is what was received (nothing, where it failed), `co_base_amount` what was invoiced, `co_to_wlt` what was
 * credited after the fee. Both merchant fields are the public identifier. `co_rate` is left out: nothing is exchanged.
 */
export function composeDepositCallback(deposit: Deposit): CallbackPayload {
  const { merchantId, money, received, fee, finishedAt } = deposit;
  const { currency } = money;
  invariant(finishedAt !== null, 'a deposit was told of before it ended');
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

/** Money that was credited beside a deposit's final state, which stays what it was. Texts only: JSON has no amounts. */
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

/** A payment on an unsigned form that lost its order to a signed request: the amount is what the merchant had of it. */
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
 * Money of a deposit that went back, or came again, after the final state. The amount is what the merchant's balance lost or
 * got, which is less than the provider says where no more was left to take.
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

/** The same of a refund that the operator ordered; its reference is the refund's own id. */
export function composeRefundEvent(payout: Payout, kind: AdjustmentKind, at: Instant): CallbackPayload {
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
