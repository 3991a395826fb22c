/** Payouts as JSON and as text. Card numbers arrive here already masked. */
import { obstacleText, type PayoutObstacles } from '../domain/management/payout-obstacles.ts';
import { type Payout, resultOf } from '../domain/payouts/payout.ts';
import type { ExplainedPayout } from '../domain/payouts/payout-record.ts';
import { formatAmount } from '../foundation/money.ts';
import { callbackJson, callbackTable } from './callback-texts.ts';
import { formatFacts, formatSection, formatTable, humanTime, jsonTime } from './command-output.ts';
import { explanationJson, explanationText } from './explanation-texts.ts';
import { historyJson, historyTable } from './history-texts.ts';

export function payoutJson(payout: Payout) {
  return {
    merchant: payout.merchantId,
    payout_id: payout.payoutId,
    transaction_id: payout.transactionId,
    purpose: payout.purpose,
    method: payout.method,
    amount: formatAmount(payout.money),
    fee: feeOf(payout),
    currency: payout.money.currency,
    state: payout.state,
    code: resultOf(payout).code,
    rail: payout.rail,
    account: payout.beneficiary.accountShown,
    accepted_at: jsonTime(payout.acceptedAt),
    finished_at: jsonTime(payout.finishedAt),
  };
}

function feeOf({ fee, money }: Payout): string {
  return formatAmount({ currency: money.currency, minor: fee });
}

/** For people: one of the gateway's own payouts shows its purpose. */
function methodText({ method, purpose }: Payout): string {
  return String(method ?? purpose);
}

export function payoutTable(payouts: readonly Payout[]): string {
  const rows = payouts.map((payout) => [
    humanTime(payout.acceptedAt),
    payout.merchantId,
    payout.payoutId,
    methodText(payout),
    `${formatAmount(payout.money)} ${payout.money.currency}`,
    payout.state,
    resultOf(payout).text,
    payout.rail,
    payout.beneficiary.accountShown,
  ]);
  const header = ['ACCEPTED', 'MERCHANT', 'PAYOUT', 'METHOD', 'AMOUNT', 'STATE', 'MEANING', 'RAIL', 'ACCOUNT'];
  return formatTable(header, rows, 'There are no such payouts.');
}

export function payoutRecordJson(
  { payout, pending, attempts, history, adjustments, callbacks }: ExplainedPayout,
  obstacles: PayoutObstacles,
) {
  return {
    ...payoutJson(payout),
    beneficiary: payout.beneficiary.fields,
    why_this_rail: whyThisRail(history),
    pending: pending && explanationJson(pending),
    attempts: attempts.map(({ startedAt, finishedAt, ...attempt }) => ({
      ...attempt,
      started_at: jsonTime(startedAt),
      finished_at: jsonTime(finishedAt),
    })),
    history: history.map(historyJson),
    adjustments: adjustments.map(({ at, kind, detail }) => ({ at: jsonTime(at), kind, detail })),
    callbacks: callbacks.map(callbackJson),
    acts: actsOf(obstacles).map(([act, obstacle]) => ({ act, obstacle })),
  };
}

export function payoutRecordText(record: ExplainedPayout, obstacles: PayoutObstacles): string {
  const { payout, pending, adjustments } = record;
  const acts = actsOf(obstacles).map(([act, obstacle]): [string, string] => [act, obstacle ?? 'possible now']);
  return [
    formatSection(`Payout ${payout.payoutId} of ${payout.merchantId}`, payoutFacts(record)),
    ...(pending ? [formatSection('Why it is pending', explanationText(pending))] : []),
    formatSection('Attempts', attemptTable(record)),
    formatSection('History', historyTable(record.history)),
    ...(adjustments.length > 0 ? [formatSection('After the end', adjustmentTable(record))] : []),
    formatSection('Callbacks', callbackTable(record.callbacks)),
    formatSection('Acts', formatFacts(acts)),
  ].join('\n\n');
}

/** Each act by the name of its command, with what stands against it. */
function actsOf(obstacles: PayoutObstacles): readonly (readonly [string, string | null])[] {
  const acts = ['approve', 'cancel', 'ask'] as const;
  return acts.map((act) => {
    const obstacle = obstacles[act];
    return [act, obstacle === null ? null : obstacleText(obstacle)];
  });
}

/** Why the gateway chose this rail at acceptance, and each change since. */
function whyThisRail(history: ExplainedPayout['history']): string {
  const shown = history.filter(({ event, detail }) => ['accepted', 'rerouted'].includes(event) && detail !== '');
  return shown.map(({ detail }) => detail).join('; then ');
}

function payoutFacts({ payout, history }: ExplainedPayout): string {
  const { code, text } = resultOf(payout);
  return formatFacts([
    ['state', `${payout.state} (${code}, ${text})`],
    ['amount', `${formatAmount(payout.money)} ${payout.money.currency}, fee ${feeOf(payout)}`],
    ['method', `${methodText(payout)}, by ${payout.rail}`],
    ['why this rail', whyThisRail(history) || null],
    ['account', payout.beneficiary.accountShown],
    ...Object.entries(payout.beneficiary.fields),
    ['transaction', String(payout.transactionId)],
    ['accepted', humanTime(payout.acceptedAt)],
    ['finished', payout.finishedAt === null ? null : humanTime(payout.finishedAt)],
  ]);
}

function attemptTable({ attempts }: ExplainedPayout): string {
  const rows = attempts.map((attempt) => [
    String(attempt.attempt),
    humanTime(attempt.startedAt),
    humanTime(attempt.finishedAt),
    attempt.rail,
    attempt.reference,
    attempt.outcome ?? 'no answer yet',
    attempt.detail,
  ]);
  return formatTable(['NO', 'STARTED', 'FINISHED', 'RAIL', 'REFERENCE', 'OUTCOME', 'DETAIL'], rows, 'no attempts');
}

function adjustmentTable({ adjustments }: ExplainedPayout): string {
  const rows = adjustments.map(({ at, kind, detail }) => [humanTime(at), kind, detail]);
  return formatTable(['AT', 'KIND', 'DETAIL'], rows, 'nothing');
}
