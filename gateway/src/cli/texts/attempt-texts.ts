/** Payers’ attempts on the hosted form as text. */
import type { Attempt } from '../../../contract/endpoints/deposits.ts';
import type { Payment } from '../../../contract/endpoints/lists.ts';
import { formatTable, humanIsoTime } from '../command-output.ts';

export function attemptTable(attempts: readonly Attempt[]): string {
  const rows = attempts.map((attempt) => [
    String(attempt.attempt),
    humanIsoTime(attempt.startedAt),
    [attempt.paymentType, attempt.card].filter(Boolean).join(' '),
    attempt.step === null ? attempt.state : `${attempt.state} (${attempt.step})`,
    [attempt.refusal, attempt.detail].filter(Boolean).join(': '),
    `${attempt.rail}/${attempt.reference}`,
    attempt.providerReference,
  ]);
  const header = ['#', 'STARTED', 'TYPE', 'STATE', 'REASON', 'REFERENCE', 'AT THE PROVIDER'];
  return formatTable(header, rows, 'None.');
}

export function paymentTable(payments: readonly Payment[]): string {
  const rows = payments.map((payment) => [
    humanIsoTime(payment.startedAt),
    payment.merchantId,
    payment.orderId,
    String(payment.transactionId),
    `${payment.amount} ${payment.currency}`,
    payment.refusal === null ? payment.state : `${payment.state} (${payment.refusal})`,
    payment.rail,
    payment.providerReference || payment.reference,
    payment.card ?? '',
  ]);
  const header = ['STARTED', 'MERCHANT', 'ORDER', 'TRANSACTION', 'AMOUNT', 'STATE', 'RAIL', 'REFERENCE', 'CARD'];
  return formatTable(header, rows, 'No payment attempts match.');
}
