/** A payer's attempts on the hosted form, as JSON and as text. */
import type { RecordedAttempt } from '../domain/payments/payment-attempt.ts';
import { formatTable, humanTime, jsonTime } from './command-output.ts';

export function attemptJson(attempt: RecordedAttempt) {
  return {
    attempt: attempt.attempt,
    payment_type: attempt.paymentType,
    card: attempt.cardMask ?? null,
    rail: attempt.rail,
    reference: attempt.reference,
    provider_reference: attempt.providerReference,
    state: attempt.state,
    step: attempt.step?.kind ?? null,
    refusal: attempt.refusal,
    detail: attempt.detail,
    started_at: jsonTime(attempt.startedAt),
    ask_at: jsonTime(attempt.askAt),
    asks: attempt.asks,
    finished_at: jsonTime(attempt.finishedAt),
  };
}

export function attemptTable(attempts: readonly RecordedAttempt[]): string {
  const rows = attempts.map((attempt) => [
    String(attempt.attempt),
    humanTime(attempt.startedAt),
    [attempt.paymentType, attempt.cardMask].filter(Boolean).join(' '),
    attempt.step ? `${attempt.state} (${attempt.step.kind})` : attempt.state,
    [attempt.refusal, attempt.detail].filter(Boolean).join(': '),
    `${attempt.rail}/${attempt.reference}`,
    attempt.providerReference,
  ]);
  const header = ['#', 'STARTED', 'TYPE', 'STATE', 'WHY', 'REFERENCE', 'AT THE PROVIDER'];
  return formatTable(header, rows, 'no attempts');
}
