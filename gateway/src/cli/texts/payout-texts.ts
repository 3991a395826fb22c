/** Payouts as text. Card numbers arrive here already masked. */
import type { Refund } from '../../../contract/endpoints/lists.ts';
import type { AwaitingPayout, Payout, PayoutRecord } from '../../../contract/endpoints/payouts.ts';
import { resultOf } from '../../domain/payouts/payout.ts';
import { formatFacts, formatSection, formatTable, humanIsoTime } from '../command-output.ts';
import { callbackTable } from './callback-texts.ts';
import { explanationText } from './explanation-texts.ts';
import { historyTable } from './history-texts.ts';

/** Returns the payout's method for readers. For a return or a refund, returns its purpose. */
function methodText({ method, purpose }: Payout): string {
  return String(method ?? purpose);
}

export function payoutTable(payouts: readonly Payout[]): string {
  const rows = payouts.map((payout) => [
    humanIsoTime(payout.acceptedAt),
    payout.merchantId,
    payout.payoutId,
    methodText(payout),
    `${payout.amount} ${payout.currency}`,
    payout.state,
    resultOf(payout).text,
    payout.rail,
    payout.account,
  ]);
  const header = ['ACCEPTED', 'MERCHANT', 'PAYOUT', 'METHOD', 'AMOUNT', 'STATE', 'MEANING', 'RAIL', 'ACCOUNT'];
  return formatTable(header, rows, 'No payouts match.');
}

export function awaitingTable(payouts: readonly AwaitingPayout[]): string {
  const rows = payouts.map((payout) => [
    humanIsoTime(payout.approveBy),
    payout.merchantId,
    payout.payoutId,
    `${payout.amount} ${payout.currency}`,
    payout.account,
  ]);
  return formatTable(['APPROVE BY', 'MERCHANT', 'PAYOUT', 'AMOUNT', 'ACCOUNT'], rows, 'No payout waits for approval.');
}

export function refundTable(refunds: readonly Refund[]): string {
  const rows = refunds.map((refund) => [
    humanIsoTime(refund.acceptedAt),
    refund.merchantId,
    refund.orderId,
    refund.payoutId,
    `${refund.amount} ${refund.currency}`,
    refund.state,
    refund.rail,
    refund.reason,
  ]);
  const header = ['ORDERED', 'MERCHANT', 'ORDER', 'PAYOUT', 'AMOUNT', 'STATE', 'RAIL', 'REASON'];
  return formatTable(header, rows, 'No refunds match.');
}

export function payoutRecordText(payout: PayoutRecord): string {
  const { pending, adjustments } = payout;
  return [
    formatSection(`Payout ${payout.payoutId} of ${payout.merchantId}`, payoutFacts(payout)),
    ...(pending ? [formatSection('Why it is pending', explanationText(pending))] : []),
    formatSection('Attempts', attemptTable(payout)),
    formatSection('History', historyTable(payout.history)),
    ...(adjustments.length > 0 ? [formatSection('Adjustments', adjustmentTable(payout))] : []),
    formatSection('Callbacks', callbackTable(payout.callbacks)),
    formatSection('Acts', actFacts(payout.acts)),
  ].join('\n\n');
}

/** Returns each action with its obstacle. */
export function actFacts(acts: readonly { readonly act: string; readonly obstacle: string | null }[]): string {
  return formatFacts(acts.map(({ act, obstacle }) => [act.split('.')[1] ?? act, obstacle ?? 'possible now']));
}

/** Explains why the gateway chose this rail at acceptance, and each change since. */
function whyThisRail({ history }: PayoutRecord): string {
  const shown = history.filter(({ event, detail }) => ['accepted', 'rerouted'].includes(event) && detail !== '');
  return shown.map(({ detail }) => detail).join('; then ');
}

function payoutFacts(payout: PayoutRecord): string {
  const { code, text } = resultOf(payout);
  return formatFacts([
    ['state', `${payout.state} (${code}, ${text})`],
    ['amount', `${payout.amount} ${payout.currency}, fee ${payout.fee}`],
    ['method', `${methodText(payout)}, by ${payout.rail}`],
    ['why this rail', whyThisRail(payout) || null],
    ['account', payout.account],
    ...Object.entries(payout.beneficiary),
    ['transaction', String(payout.transactionId)],
    ['accepted', humanIsoTime(payout.acceptedAt)],
    ['finished', payout.finishedAt === null ? null : humanIsoTime(payout.finishedAt)],
  ]);
}

function attemptTable({ attempts }: PayoutRecord): string {
  const rows = attempts.map((attempt) => [
    String(attempt.attempt),
    humanIsoTime(attempt.startedAt),
    humanIsoTime(attempt.finishedAt),
    attempt.rail,
    attempt.reference,
    attempt.outcome ?? 'no response yet',
    attempt.detail,
  ]);
  return formatTable(['NO', 'STARTED', 'FINISHED', 'RAIL', 'REFERENCE', 'OUTCOME', 'DETAIL'], rows, 'None.');
}

function adjustmentTable({ adjustments }: PayoutRecord): string {
  const rows = adjustments.map(({ at, kind, detail }) => [humanIsoTime(at), kind, detail]);
  return formatTable(['AT', 'KIND', 'DETAIL'], rows, 'None.');
}
