/** Overdue payments and payouts as text: the rail for which each waits, and since when. */
import type { OverduePayment } from '../../../contract/endpoints/deposits.ts';
import type { OverduePayout } from '../../../contract/endpoints/payouts.ts';
import type { AttemptState } from '../../domain/payments/attempts/payment-attempt.ts';
import type { PayoutStage } from '../../domain/payouts/payout.ts';
import { formatTable, humanIsoTime } from '../command-output.ts';

const PAYMENT_WAITS: Readonly<Record<AttemptState, string>> = {
  starting: 'the outcome of the first call',
  acting: 'proof that the payer has not paid',
  deciding: 'the provider’s decision',
  unknown: 'the outcome of the payment',
  paid: 'nothing',
  refused: 'nothing',
  abandoned: 'nothing',
};

const PAYOUT_WAITS: { readonly [Stage in PayoutStage]: string } = {
  awaiting_approval: 'a user’s approval',
  queued: 'the first send',
  sending: 'the bank’s response',
  at_bank: 'the decision of the bank',
  unknown: 'the outcome at the bank',
};

export function overduePaymentTable(payments: readonly OverduePayment[]): string {
  const rows = payments.map((overdue) => [
    humanIsoTime(overdue.overdueSince),
    overdue.merchantId,
    overdue.orderId,
    String(overdue.transactionId),
    `${overdue.amount} ${overdue.currency}`,
    `${overdue.rail}/${overdue.reference}`,
    overdue.providerReference,
    PAYMENT_WAITS[overdue.state],
    overdue.detail,
  ]);
  const header = ['OVERDUE SINCE', 'MERCHANT', 'ORDER', 'TRANSACTION', 'AMOUNT', 'REFERENCE', 'AT THE PROVIDER'];
  return formatTable([...header, 'WAITS FOR', 'LAST RESPONSE'], rows, 'No payments are overdue.');
}

export function overduePayoutTable(payouts: readonly OverduePayout[]): string {
  const rows = payouts.map((overdue) => [
    humanIsoTime(overdue.overdueSince),
    overdue.merchantId,
    overdue.payoutId,
    `${overdue.amount} ${overdue.currency}`,
    overdue.rail,
    overdue.reference ?? '',
    PAYOUT_WAITS[overdue.stage],
    overdue.note,
  ]);
  const header = ['OVERDUE SINCE', 'MERCHANT', 'PAYOUT', 'AMOUNT', 'RAIL', 'REFERENCE', 'WAITS FOR', 'LAST STEP'];
  return formatTable(header, rows, 'No payouts are overdue.');
}
