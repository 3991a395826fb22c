/** Deposits and their transfers, as text. */
import type { Deposit, DepositRecord, Transfer } from '../../../contract/endpoints/deposits.ts';
import type { ListedTransfer } from '../../../contract/endpoints/lists.ts';
import { REVERSALS } from '../../domain/deposits/deposit-adjustment.ts';
import { MISMATCH_TEXTS } from '../../domain/payments/explain-deposit.ts';
import { formatFacts, formatSection, formatTable, humanIsoTime } from '../command-output.ts';
import { attemptTable } from './attempt-texts.ts';
import { callbackTable } from './callback-texts.ts';
import { explanationText } from './explanation-texts.ts';
import { historyTable } from './history-texts.ts';
import { actFacts } from './payout-texts.ts';

function stateText({ state, failReason, displacedBy }: Deposit): string {
  const displaced = displacedBy === null ? null : `displaced by ${displacedBy}`;
  const why = displaced ?? failReason;
  return why === null ? state : `${state} (${why})`;
}

export function depositTable(deposits: readonly Deposit[]): string {
  const rows = deposits.map((deposit) => [
    humanIsoTime(deposit.createdAt),
    deposit.merchantId,
    deposit.orderId,
    deposit.paymentType,
    `${deposit.amount} ${deposit.currency}`,
    stateText(deposit),
    deposit.received,
    deposit.payTo,
  ]);
  const header = ['CREATED', 'MERCHANT', 'ORDER', 'TYPE', 'AMOUNT', 'STATE', 'RECEIVED', 'PAY TO'];
  return formatTable(header, rows, 'No deposits match.');
}

const TRANSFER_HEADER = ['TRANSFER', 'AMOUNT', 'STATE', 'REASON', 'PAY TO', 'FROM', 'DECIDED'];

/** `kept` is less than the amount if the provider reversed a part while the money was held. */
function amountText({ amount, kept, currency }: Transfer): string {
  return kept === amount ? `${amount} ${currency}` : `${amount} ${currency}, ${kept} left`;
}

const mismatchTexts: Readonly<Record<string, string>> = MISMATCH_TEXTS;

function transferCells(transfer: Transfer): string[] {
  const { mismatch, originator } = transfer;
  return [
    `${transfer.rail}/${transfer.transferKey}`,
    amountText(transfer),
    transfer.state,
    mismatch === null ? '' : (mismatchTexts[mismatch] ?? mismatch),
    transfer.payTo,
    `${originator.name} ${originator.account}`.trim(),
    [transfer.resolution, transfer.returnId].filter(Boolean).join(', '),
  ];
}

function transferTable(transfers: readonly Transfer[]): string {
  const rows = transfers.map((transfer) => [
    humanIsoTime(transfer.recordedAt),
    transfer.merchantId,
    ...transferCells(transfer),
  ]);
  return formatTable(['ARRIVED', 'MERCHANT', ...TRANSFER_HEADER], rows, 'None.');
}

export function heldTable(transfers: readonly ListedTransfer[]): string {
  const rows = transfers.map((held) => [
    humanIsoTime(held.recordedAt),
    held.merchantId,
    held.orderId ?? '',
    ...transferCells(held),
  ]);
  return formatTable(['ARRIVED', 'MERCHANT', 'ORDER', ...TRANSFER_HEADER], rows, 'No money is held.');
}

const reversals: ReadonlySet<string> = REVERSALS;

/** Changes after the result: the provider's adjustments, and refunds that the operator ordered. */
function adjustmentTable({ adjustments, refunds }: DepositRecord): string {
  const shown = adjustments.map(({ at, kind, key, amount, currency, posted, detail }) => {
    const isNothing = Number(posted) === 0;
    const moved = isNothing ? 'nothing' : `${reversals.has(kind) ? '+' : '-'}${posted} ${currency}`;
    return [humanIsoTime(at), kind, `${amount} ${currency}`, moved, key, detail];
  });
  const ordered = refunds.map(({ payout: { acceptedAt, amount, currency, state, payoutId }, reason }) => {
    return [humanIsoTime(acceptedAt), 'refund', `${amount} ${currency}`, state, payoutId, reason];
  });
  return formatTable(['AT', 'KIND', 'AMOUNT', 'MOVED', 'KEY', 'DETAIL'], [...ordered, ...shown], 'None.');
}

export function depositRecordText(deposit: DepositRecord): string {
  const { pending, transfers, attempts, adjustments, refunds, history, callbacks } = deposit;
  const hasLater = adjustments.length + refunds.length > 0;
  return [
    formatSection(`Deposit ${deposit.orderId} of ${deposit.merchantId}`, depositFacts(deposit)),
    ...(pending ? [formatSection('Waiting for', explanationText(pending))] : []),
    ...(attempts.length > 0 ? [formatSection('Attempts', attemptTable(attempts))] : []),
    formatSection('Transfers', transferTable(transfers)),
    ...(hasLater ? [formatSection('Adjustments', adjustmentTable(deposit))] : []),
    formatSection('History', historyTable(history)),
    formatSection('Callbacks', callbackTable(callbacks)),
    formatSection('Acts', actFacts(deposit.acts)),
  ].join('\n\n');
}

function depositFacts(deposit: DepositRecord): string {
  const { payer, amount, currency } = deposit;
  return formatFacts([
    ['state', stateText(deposit)],
    ['amount', `${amount} ${currency}`],
    ['received', `${deposit.received} ${currency}, fee ${deposit.fee}`],
    ['pay to', deposit.payTo],
    ['by', `${deposit.paymentType}, ${deposit.rail}`],
    ['payer', `${payer.firstName} ${payer.lastName} (${payer.userId})`],
    ['transaction', `${deposit.transactionId}, ${deposit.uuid}`],
    ['created', humanIsoTime(deposit.createdAt)],
    ['expires', `${humanIsoTime(deposit.expiresAt)}; late payments accepted until ${humanIsoTime(deposit.closesAt)}`],
    ['finished', deposit.finishedAt === null ? null : humanIsoTime(deposit.finishedAt)],
  ]);
}
