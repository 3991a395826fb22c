/** The lists of `gateway deposit …`: deposits, payment attempts, incoming transfers and refunds. */
import type { Command } from 'commander';
import { DEPOSIT_STATES } from '../../../domain/deposits/deposit.ts';
import { PAYMENT_TYPES } from '../../../domain/methods/payment-type.ts';
import { ATTEMPT_STATES } from '../../../domain/payments/attempts/payment-attempt.ts';
import type { CommandContext } from '../../command-context.ts';
import { readOneOf } from '../../read-arguments.ts';
import { paymentTable } from '../../texts/attempt-texts.ts';
import { depositTable, heldTable } from '../../texts/deposit-texts.ts';
import { refundTable } from '../../texts/payout-texts.ts';
import { AMOUNTS, addListCommand, type ListCommand, type ListOption, RAIL, TRANSACTION } from '../list-command.ts';
import { PAYOUT_OPTIONS } from './payout.ts';

const TYPE_NAMES = Object.keys(PAYMENT_TYPES);
const TYPE: ListOption = {
  filter: 'paymentType',
  flags: '--type <type>',
  help: TYPE_NAMES.join(', '),
  read: readOneOf(TYPE_NAMES),
};
const LAST_FOUR: ListOption = {
  filter: 'lastFour',
  flags: '--last-four <digits>',
  help: 'only cards with these last digits',
};

const DEPOSIT_LIST: ListCommand<'deposits'> = {
  list: 'deposits',
  summary: 'list deposits, newest first',
  options: [
    { filter: 'state', flags: '--state <state>', help: DEPOSIT_STATES.join(', '), read: readOneOf(DEPOSIT_STATES) },
    { filter: 'orderId', flags: '--order <order>', help: 'only the deposit of this order' },
    { filter: 'payTo', flags: '--clabe <clabe>', help: 'only deposits with this CLABE' },
    { filter: 'failReason', flags: '--fail-reason <reason>', help: 'such as declined or expired' },
    { filter: 'uuid', flags: '--uuid <uuid>', help: 'only the deposit with this UUID' },
    { filter: 'payerId', flags: '--payer <id>', help: 'only deposits of the payer with this id' },
    TRANSACTION,
    TYPE,
    RAIL,
    ...AMOUNTS,
    LAST_FOUR,
  ],
  table: depositTable,
};

const PAYMENT_LIST: ListCommand<'payments'> = {
  list: 'payments',
  summary: 'list the payment attempts of payers on the hosted form, newest first',
  options: [
    { filter: 'state', flags: '--state <state>', help: ATTEMPT_STATES.join(', '), read: readOneOf(ATTEMPT_STATES) },
    { filter: 'providerReference', flags: '--provider-reference <text>', help: 'only this id of the provider' },
    { filter: 'reference', flags: '--reference <text>', help: 'only attempts sent to a provider under this id' },
    { filter: 'refusal', flags: '--refusal <reason>', help: 'only attempts with this refusal' },
    TRANSACTION,
    TYPE,
    RAIL,
    LAST_FOUR,
  ],
  table: paymentTable,
};

const TRANSFER_LIST: ListCommand<'transfers'> = {
  list: 'transfers',
  summary: 'list incoming transfers and receipts, newest first',
  options: [
    { filter: 'state', flags: '--state <state>', help: 'such as credited, held or returned' },
    { filter: 'payTo', flags: '--clabe <clabe>', help: 'only transfers to this CLABE' },
    { filter: 'transferKey', flags: '--transfer <key>', help: 'only transfers with this key of a rail' },
    { filter: 'mismatch', flags: '--mismatch <reason>', help: 'such as short or unmatched' },
    { filter: 'account', flags: '--account <account>', help: 'only transfers from this full account' },
    TRANSACTION,
    RAIL,
    ...AMOUNTS,
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
