/** Deposits and their transfers, as JSON and as text. */
import type { Deposit, RecordedTransfer, TransferId } from '../domain/deposits/deposit.ts';
import { type DepositAdjustment, type DepositRefund, UNDOINGS } from '../domain/deposits/deposit-adjustment.ts';
import type { HeldTransfer } from '../domain/payments/deposit-record.ts';
import type { ExplainedDeposit } from '../domain/payments/explain-deposit.ts';
import { MISMATCH_TEXTS } from '../domain/payments/explain-deposit.ts';
import { formatAmount, formatMoney } from '../foundation/money.ts';
import { attemptJson, attemptTable } from './attempt-texts.ts';
import { callbackJson, callbackTable } from './callback-texts.ts';
import { formatFacts, formatSection, formatTable, humanTime, jsonTime } from './command-output.ts';
import { explanationJson, explanationText } from './explanation-texts.ts';
import { historyJson, historyTable } from './history-texts.ts';

export function depositJson(deposit: Deposit) {
  return {
    merchant: deposit.merchantId,
    order: deposit.orderId,
    transaction_id: deposit.transactionId,
    uuid: deposit.uuid,
    payment_type: deposit.paymentType,
    amount: formatAmount(deposit.money),
    received: partOf(deposit, deposit.received),
    fee: partOf(deposit, deposit.fee),
    currency: deposit.money.currency,
    state: deposit.state,
    fail_reason: deposit.failReason,
    displaced_by: deposit.displacedBy,
    rail: deposit.rail,
    pay_to: deposit.payTo,
    created_at: jsonTime(deposit.createdAt),
    expires_at: jsonTime(deposit.expiresAt),
    closes_at: jsonTime(deposit.closesAt),
    finished_at: jsonTime(deposit.finishedAt),
  };
}

function partOf({ money }: Deposit, minor: bigint): string {
  return formatAmount({ currency: money.currency, minor });
}

function stateText({ state, failReason, displacedBy }: Deposit): string {
  const displaced = displacedBy === null ? null : `displaced by ${displacedBy}`;
  const why = displaced ?? failReason;
  return why === null ? state : `${state} (${why})`;
}

export function depositTable(deposits: readonly Deposit[]): string {
  const rows = deposits.map((deposit) => [
    humanTime(deposit.createdAt),
    deposit.merchantId,
    deposit.orderId,
    deposit.paymentType,
    `${formatAmount(deposit.money)} ${deposit.money.currency}`,
    stateText(deposit),
    partOf(deposit, deposit.received),
    deposit.payTo,
  ]);
  const header = ['CREATED', 'MERCHANT', 'ORDER', 'TYPE', 'AMOUNT', 'STATE', 'RECEIVED', 'TO BE PAID TO'];
  return formatTable(header, rows, 'There are no such deposits.');
}

function transferText({ rail, transferKey }: TransferId): string {
  return `${rail}/${transferKey}`;
}

/** Below the transfer's amount if its provider took back a part while the money was held. */
function keptOf({ money, kept }: RecordedTransfer): string {
  return formatAmount({ ...money, minor: kept });
}

function transferJson(transfer: RecordedTransfer) {
  const { name, account, institution, concept, trackingKey } = transfer.originator;
  return {
    transfer: transferText(transfer),
    merchant: transfer.merchantId,
    transaction_id: transfer.transactionId,
    amount: formatAmount(transfer.money),
    currency: transfer.money.currency,
    kept: keptOf(transfer),
    state: transfer.state,
    mismatch: transfer.mismatch,
    pay_to: transfer.payTo,
    originator: { name, account, institution, concept, tracking_key: trackingKey },
    found_by: transfer.foundBy,
    booked_at: jsonTime(transfer.bookedAt),
    recorded_at: jsonTime(transfer.recordedAt),
    resolved_at: jsonTime(transfer.resolvedAt),
    resolution: transfer.resolution,
    return: transfer.returnId,
  };
}

export function heldJson(held: HeldTransfer) {
  return { ...transferJson(held), order: held.orderId };
}

const TRANSFER_HEADER = ['TRANSFER', 'AMOUNT', 'STATE', 'WHY', 'PAID TO', 'FROM', 'DECIDED'];

function amountText(transfer: RecordedTransfer): string {
  const all = `${formatAmount(transfer.money)} ${transfer.money.currency}`;
  return transfer.kept === transfer.money.minor ? all : `${all}, ${keptOf(transfer)} left`;
}

function transferCells(transfer: RecordedTransfer): string[] {
  return [
    transferText(transfer),
    amountText(transfer),
    transfer.state,
    transfer.mismatch === null ? '' : MISMATCH_TEXTS[transfer.mismatch],
    transfer.payTo,
    `${transfer.originator.name} ${transfer.originator.account}`.trim(),
    [transfer.resolution, transfer.returnId].filter(Boolean).join(', '),
  ];
}

function transferTable(transfers: readonly RecordedTransfer[]): string {
  const rows = transfers.map((transfer) => [
    humanTime(transfer.recordedAt),
    transfer.merchantId,
    ...transferCells(transfer),
  ]);
  return formatTable(['CAME', 'MERCHANT', ...TRANSFER_HEADER], rows, 'no money arrived');
}

export function heldTable(transfers: readonly HeldTransfer[]): string {
  const rows = transfers.map((held) => [
    humanTime(held.recordedAt),
    held.merchantId,
    held.orderId ?? '',
    ...transferCells(held),
  ]);
  return formatTable(['CAME', 'MERCHANT', 'ORDER', ...TRANSFER_HEADER], rows, 'No money is held.');
}

function adjustmentJson({ at, kind, key, attempt, money, posted, detail }: DepositAdjustment) {
  const shown = { kind, key, attempt, amount: formatAmount(money), currency: money.currency };
  return { at: jsonTime(at), ...shown, posted: formatAmount({ ...money, minor: posted }), detail };
}

function refundJson({ attempt, payout, reason }: DepositRefund) {
  const { payoutId, money, state, acceptedAt, finishedAt } = payout;
  const of = { payout_id: payoutId, attempt, amount: formatAmount(money), currency: money.currency, state, reason };
  return { ...of, ordered_at: jsonTime(acceptedAt), finished_at: jsonTime(finishedAt) };
}

/** Changes after the result: the provider's adjustments, and refunds that the operator ordered. */
function adjustmentTable({ adjustments, refunds }: ExplainedDeposit): string {
  const shown = adjustments.map(({ at, kind, key, money, posted, detail }) => {
    const sign = UNDOINGS.has(kind) ? '+' : '-';
    const moved = posted === 0n ? 'nothing' : `${sign}${formatMoney({ ...money, minor: posted })}`;
    return [humanTime(at), kind, `${formatAmount(money)} ${money.currency}`, moved, key, detail];
  });
  const ordered = refunds.map(({ payout: { acceptedAt, money, state, payoutId }, reason }) => {
    return [humanTime(acceptedAt), 'refund', `${formatAmount(money)} ${money.currency}`, state, payoutId, reason];
  });
  return formatTable(['AT', 'KIND', 'AMOUNT', 'MOVED', 'KEY', 'DETAIL'], [...ordered, ...shown], 'nothing');
}

export function depositRecordJson(record: ExplainedDeposit) {
  const { deposit, pending, transfers, attempts, adjustments, refunds, history, callbacks } = record;
  return {
    ...depositJson(deposit),
    payer: deposit.payer,
    pending: pending && explanationJson(pending),
    attempts: attempts.map(attemptJson),
    transfers: transfers.map(transferJson),
    adjustments: adjustments.map(adjustmentJson),
    refunds: refunds.map(refundJson),
    history: history.map(historyJson),
    callbacks: callbacks.map(callbackJson),
  };
}

export function depositRecordText(record: ExplainedDeposit): string {
  const { deposit, pending, transfers, attempts, adjustments, refunds, history, callbacks } = record;
  const hasLater = adjustments.length + refunds.length > 0;
  return [
    formatSection(`Deposit ${deposit.orderId} of ${deposit.merchantId}`, depositFacts(deposit)),
    ...(pending ? [formatSection('What it waits for', explanationText(pending))] : []),
    ...(attempts.length > 0 ? [formatSection('Attempts', attemptTable(attempts))] : []),
    formatSection('Transfers', transferTable(transfers)),
    ...(hasLater ? [formatSection('After the end', adjustmentTable(record))] : []),
    formatSection('History', historyTable(history)),
    formatSection('Callbacks', callbackTable(callbacks)),
  ].join('\n\n');
}

function depositFacts(deposit: Deposit): string {
  const { payer, money } = deposit;
  return formatFacts([
    ['state', stateText(deposit)],
    ['amount', `${formatAmount(money)} ${money.currency}`],
    ['received', `${partOf(deposit, deposit.received)} ${money.currency}, fee ${partOf(deposit, deposit.fee)}`],
    ['to be paid to', deposit.payTo === '' ? null : `${deposit.payTo}, ${deposit.beneficiary}`],
    ['by', `${deposit.paymentType}, ${deposit.rail}`],
    ['payer', `${payer.firstName} ${payer.lastName} (${payer.userId})`],
    ['transaction', `${deposit.transactionId}, ${deposit.uuid}`],
    ['created', humanTime(deposit.createdAt)],
    ['expires', `${humanTime(deposit.expiresAt)}; late money counts until ${humanTime(deposit.closesAt)}`],
    ['finished', deposit.finishedAt === null ? null : humanTime(deposit.finishedAt)],
  ]);
}
