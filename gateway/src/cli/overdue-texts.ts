/** Overdue payments and payouts, as JSON and as text: the rail that each waits for, and since when. */
import type { OverduePayment, OverduePayout } from '../domain/monitoring/overdue.ts';
import type { AttemptState } from '../domain/payments/payment-attempt.ts';
import type { PayoutStage } from '../domain/payouts/payout.ts';
import { formatAmount } from '../foundation/money.ts';
import { formatTable, humanTime, jsonTime } from './command-output.ts';

const PAYMENT_WAITS: { readonly [State in AttemptState]: string } = {
  starting: 'the outcome of the first call',
  acting: 'proof that the payer has not paid',
  deciding: 'the provider’s decision',
  unknown: 'the outcome of the payment',
  paid: 'nothing',
  refused: 'nothing',
  abandoned: 'nothing',
};

const PAYOUT_WAITS: { readonly [Stage in PayoutStage]: string } = {
  awaiting_approval: 'the approval of a person',
  queued: 'the first send',
  sending: 'the answer of the bank',
  at_bank: 'the decision of the bank',
  unknown: 'the outcome at the bank',
};

export function overduePaymentJson(overdue: OverduePayment) {
  return {
    merchant: overdue.merchantId,
    order: overdue.orderId,
    transaction_id: overdue.transactionId,
    attempt: overdue.attempt,
    amount: formatAmount(overdue.money),
    currency: overdue.money.currency,
    rail: overdue.rail,
    reference: overdue.reference,
    provider_reference: overdue.providerReference,
    state: overdue.state,
    waits_for: PAYMENT_WAITS[overdue.state],
    detail: overdue.detail,
    started_at: jsonTime(overdue.startedAt),
    overdue_since: jsonTime(overdue.deadline),
  };
}

export function overduePaymentTable(payments: readonly OverduePayment[]): string {
  const rows = payments.map((overdue) => [
    humanTime(overdue.deadline),
    overdue.merchantId,
    overdue.orderId,
    String(overdue.transactionId),
    `${formatAmount(overdue.money)} ${overdue.money.currency}`,
    `${overdue.rail}/${overdue.reference}`,
    overdue.providerReference,
    PAYMENT_WAITS[overdue.state],
    overdue.detail,
  ]);
  const header = ['OVERDUE SINCE', 'MERCHANT', 'ORDER', 'TRANSACTION', 'AMOUNT', 'REFERENCE', 'AT THE PROVIDER'];
  return formatTable([...header, 'WAITS FOR', 'LAST ANSWER'], rows, 'No payment is overdue.');
}

export function overduePayoutJson(overdue: OverduePayout) {
  return {
    merchant: overdue.merchantId,
    payout_id: overdue.payoutId,
    amount: formatAmount(overdue.money),
    currency: overdue.money.currency,
    rail: overdue.rail,
    reference: overdue.reference,
    stage: overdue.stage,
    waits_for: PAYOUT_WAITS[overdue.stage],
    note: overdue.note,
    accepted_at: jsonTime(overdue.acceptedAt),
    overdue_since: jsonTime(overdue.deadline),
  };
}

export function overduePayoutTable(payouts: readonly OverduePayout[]): string {
  const rows = payouts.map((overdue) => [
    humanTime(overdue.deadline),
    overdue.merchantId,
    overdue.payoutId,
    `${formatAmount(overdue.money)} ${overdue.money.currency}`,
    overdue.rail,
    overdue.reference ?? '',
    PAYOUT_WAITS[overdue.stage],
    overdue.note,
  ]);
  const header = ['OVERDUE SINCE', 'MERCHANT', 'PAYOUT', 'AMOUNT', 'RAIL', 'REFERENCE', 'WAITS FOR', 'LAST STEP'];
  return formatTable(header, rows, 'No payout is overdue.');
}
