/** The lists of `gateway deposit …`: deposits, payment attempts, incoming transfers and refunds. */
import type { Command } from 'commander';
import { DEPOSIT_STATES } from '../../domain/deposits/deposit.ts';
import type { ListedAttempt, ListedRefund } from '../../domain/lists/list-store.ts';
import { PAYMENT_TYPES } from '../../domain/methods/payment-type.ts';
import { ATTEMPT_STATES } from '../../domain/payments/payment-attempt.ts';
import { formatAmount } from '../../foundation/money.ts';
import type { CommandContext } from '../command-context.ts';
import { formatTable, humanTime, jsonTime } from '../command-output.ts';
import { depositJson, depositTable, heldJson, heldTable } from '../deposit-texts.ts';
import { payoutJson } from '../payout-texts.ts';
import { readCurrency, readOneOf, readTransactionId } from '../read-arguments.ts';
import { addListCommand, type ListCommand, type ListOption } from './list-command.ts';
import { PAYOUT_OPTIONS } from './payout.ts';

const TYPE_NAMES = Object.keys(PAYMENT_TYPES);
const RAIL: ListOption = { filter: 'rail', flags: '--rail <rail>', help: 'only this rail' };
const CURRENCY: ListOption = {
  filter: 'currency',
  flags: '--currency <currency>',
  help: 'only this currency',
  read: readCurrency,
};
const TYPE: ListOption = {
  filter: 'paymentType',
  flags: '--type <type>',
  help: TYPE_NAMES.join(', '),
  read: readOneOf(TYPE_NAMES),
};
const LAST_FOUR: ListOption = { filter: 'lastFour', flags: '--last-four <digits>', help: 'only cards that end so' };
const TRANSACTION: ListOption = {
  filter: 'transactionId',
  flags: '--transaction <number>',
  help: 'only this transaction',
  read: readTransactionId,
};

const DEPOSIT_LIST: ListCommand<'deposits'> = {
  list: 'deposits',
  summary: 'list deposits, newest first',
  options: [
    { filter: 'state', flags: '--state <state>', help: DEPOSIT_STATES.join(', '), read: readOneOf(DEPOSIT_STATES) },
    { filter: 'orderId', flags: '--order <order>', help: 'only this order' },
    { filter: 'payTo', flags: '--clabe <clabe>', help: 'only deposits with this CLABE' },
    ...[TRANSACTION, TYPE, RAIL, CURRENCY, LAST_FOUR],
  ],
  json: depositJson,
  table: depositTable,
};

const PAYMENT_LIST: ListCommand<'payments'> = {
  list: 'payments',
  summary: 'list the payment attempts of payers on the hosted form, newest first',
  options: [
    { filter: 'state', flags: '--state <state>', help: ATTEMPT_STATES.join(', '), read: readOneOf(ATTEMPT_STATES) },
    { filter: 'providerReference', flags: '--provider-reference <text>', help: 'only this id of the provider' },
    ...[TRANSACTION, TYPE, RAIL, LAST_FOUR],
  ],
  json: paymentJson,
  table: paymentTable,
};

const TRANSFER_LIST: ListCommand<'transfers'> = {
  list: 'transfers',
  summary: 'list incoming transfers and receipts, newest first',
  options: [
    { filter: 'state', flags: '--state <state>', help: 'such as credited, held or returned' },
    { filter: 'payTo', flags: '--clabe <clabe>', help: 'only transfers to this CLABE' },
    ...[TRANSACTION, RAIL, CURRENCY],
  ],
  json: heldJson,
  table: (items) => heldTable(items),
};

const REFUND_LIST: ListCommand<'refunds'> = {
  list: 'refunds',
  summary: 'list the refunds of form payments, newest first',
  options: PAYOUT_OPTIONS,
  json: refundJson,
  table: refundTable,
};

export function addDepositLists(group: Command, context: CommandContext): void {
  addListCommand(group, context, 'list', DEPOSIT_LIST);
  addListCommand(group, context, 'payments', PAYMENT_LIST);
  addListCommand(group, context, 'transfers', TRANSFER_LIST);
  addListCommand(group, context, 'refunds', REFUND_LIST);
}

export function paymentJson(payment: ListedAttempt) {
  return {
    merchant: payment.merchantId,
    order: payment.orderId,
    transaction_id: payment.transactionId,
    attempt: payment.attempt,
    payment_type: payment.paymentType,
    card: payment.cardMask ?? null,
    amount: formatAmount(payment.money),
    currency: payment.money.currency,
    rail: payment.rail,
    reference: payment.reference,
    provider_reference: payment.providerReference,
    state: payment.state,
    refusal: payment.refusal,
    started_at: jsonTime(payment.startedAt),
    finished_at: jsonTime(payment.finishedAt),
  };
}

export function paymentTable(payments: readonly ListedAttempt[]): string {
  const rows = payments.map((payment) => [
    humanTime(payment.startedAt),
    payment.merchantId,
    payment.orderId,
    String(payment.transactionId),
    `${formatAmount(payment.money)} ${payment.money.currency}`,
    payment.refusal === null ? payment.state : `${payment.state} (${payment.refusal})`,
    payment.rail,
    payment.providerReference || payment.reference,
    payment.cardMask ?? '',
  ]);
  const header = ['STARTED', 'MERCHANT', 'ORDER', 'TRANSACTION', 'AMOUNT', 'STATE', 'RAIL', 'REFERENCE', 'CARD'];
  return formatTable(header, rows, 'There are no such payment attempts.');
}

function refundJson({ payout, orderId, depositTransactionId, reason }: ListedRefund) {
  return { ...payoutJson(payout), order: orderId, deposit_transaction_id: depositTransactionId, reason };
}

function refundTable(refunds: readonly ListedRefund[]): string {
  const rows = refunds.map(({ payout, orderId, reason }) => [
    humanTime(payout.acceptedAt),
    payout.merchantId,
    orderId,
    payout.payoutId,
    `${formatAmount(payout.money)} ${payout.money.currency}`,
    payout.state,
    payout.rail,
    reason,
  ]);
  const header = ['ORDERED', 'MERCHANT', 'ORDER', 'PAYOUT', 'AMOUNT', 'STATE', 'RAIL', 'REASON'];
  return formatTable(header, rows, 'There are no such refunds.');
}
