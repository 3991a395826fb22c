/**
 * Compares a provider's report of a payment with the recorded payment, if the report has no effect. A different amount, a
 * different id, or a refusal of a paid payment becomes a difference, because either report may be the true one. It must not
 * move money.
 */
import type { Clock } from '../../foundation/clock.ts';
import { formatMoney, isSameMoney } from '../../foundation/money.ts';
import type { DepositStore } from '../deposits/deposit-store.ts';
import type { DifferenceStore } from '../differences/difference-store.ts';
import { type AttemptKey, type PaymentAttempt, transferKeyOf } from '../payments/attempts/payment-attempt.ts';
import type { ComparedReport } from '../payments/attempts/settle-attempt.ts';
import type { PaidAnswer, PaymentReceipt } from '../payments/payment-rail.ts';
import type { PaymentStore } from '../payments/payment-store.ts';

interface CompareReportParts {
  readonly payments: Pick<PaymentStore, 'find'>;
  readonly transfers: Pick<DepositStore, 'findTransfer'>;
  readonly differences: Pick<DifferenceStore, 'report'>;
  readonly clock: Clock;
}

export async function compareReport(parts: CompareReportParts, key: AttemptKey, report: ComparedReport): Promise<void> {
  const attempt = await parts.payments.find(key);
  if (attempt?.state !== 'paid') return;
  if (report.kind === 'refused') return compareRefusal(parts, attempt, report);
  await compareId(parts, attempt, report);
  for (const receipt of [report, ...(report.further ?? [])]) await compareReceipt(parts, attempt, receipt);
}

/** A receipt without a key is the only one of its payment, so a different id is a different payment under our reference. */
async function compareId(
  parts: CompareReportParts,
  attempt: PaymentAttempt,
  { receiptKey = '', providerReference, money }: PaidAnswer,
): Promise<void> {
  if (receiptKey !== '' || isSameId(attempt, providerReference)) return;
  await contradict(parts, attempt, `paid as ${providerReference}, ${formatMoney(money)}`, providerReference);
}

/** A refusal with a different id concerns a different attempt at the provider, and brings no money. */
async function compareRefusal(
  parts: CompareReportParts,
  attempt: PaymentAttempt,
  { providerReference, detail }: Extract<ComparedReport, { readonly kind: 'refused' }>,
): Promise<void> {
  if (isSameId(attempt, providerReference)) await contradict(parts, attempt, `refused: ${detail}`, 'refused');
}

/** True if either side has no id. */
function isSameId({ providerReference: own }: PaymentAttempt, reported: string): boolean {
  return own === '' || reported === '' || own === reported;
}

async function compareReceipt(
  { transfers, differences, clock }: CompareReportParts,
  attempt: PaymentAttempt,
  { receiptKey = '', money }: PaymentReceipt,
): Promise<void> {
  const { rail, merchantId, transactionId } = attempt;
  const find = (key: string) => transfers.findTransfer({ rail, transferKey: transferKeyOf(attempt, key) });
  const recorded = (await find(receiptKey)) ?? (await find(''));
  if (!recorded || isSameMoney(recorded.money, money)) return;
  const theirs = formatMoney(money);
  await differences.report({
    kind: 'transfer_amount',
    rail,
    merchantId,
    payoutId: null,
    transactionId,
    foundAt: clock.now(),
    // Each further amount is a separate difference, because a user may have resolved an earlier one.
    subject: `${recorded.transferKey}/${theirs}`,
    ours: formatMoney(recorded.money),
    theirs,
  });
}

async function contradict(
  { differences, clock }: CompareReportParts,
  { rail, reference, merchantId, transactionId, providerReference }: PaymentAttempt,
  theirs: string,
  what: string,
): Promise<void> {
  await differences.report({
    kind: 'contradiction',
    rail,
    merchantId,
    payoutId: null,
    transactionId,
    foundAt: clock.now(),
    subject: `${reference}/${what}`,
    ours: `paid as ${providerReference}`,
    theirs,
  });
}
