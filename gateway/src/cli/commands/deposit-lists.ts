/** The lists of `gateway deposit …`: deposits, payment attempts, incoming transfers and refunds. */
import type { Command } from 'commander';
import { DEPOSIT_STATES } from '../../domain/deposits/deposit.ts';
import { PAYMENT_TYPES } from '../../domain/methods/payment-type.ts';
import { ATTEMPT_STATES } from '../../domain/payments/payment-attempt.ts';
import { paymentTable } from '../attempt-texts.ts';
import type { CommandContext } from '../command-context.ts';
import { depositTable, heldTable } from '../deposit-texts.ts';
import { refundTable } from '../payout-texts.ts';
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
  table: heldTable,
};

const REFUND_LIST: ListCommand<'refunds'> = {
  list: 'refunds',
  summary: 'list the refunds of form payments, newest first',
  options: PAYOUT_OPTIONS,
  table: refundTable,
};

export function addDepositLists(group: Command, context: CommandContext): void {
  addListCommand(group, context, 'list', DEPOSIT_LIST);
  addListCommand(group, context, 'payments', PAYMENT_LIST);
  addListCommand(group, context, 'transfers', TRANSFER_LIST);
  addListCommand(group, context, 'refunds', REFUND_LIST);
}
