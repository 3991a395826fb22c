/** The lists of payments, newest first, with a filter for everything that they show. */
import { type Static, type TProperties, Type } from 'typebox';
import {
  Amount,
  CurrencyCode,
  Cursor,
  LedgerLine,
  Limit,
  MerchantId,
  NO_PARAMS,
  nullable,
  PERIOD,
  pageOf,
  RailName,
} from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { Callback, CallbackState } from './callbacks.ts';
import { Attempt, AttemptState, Deposit, DepositState, Transfer, TransferState } from './deposits.ts';
import { BlockedReason, Payout, PayoutState } from './payouts.ts';
import { Endpoint, LoggedRequest, Outcome } from './requests.ts';

const word = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f]+$', description });
const LastFour = Type.String({ pattern: '^\\w{4}$', description: 'The last four characters of the account or card' });
const TransactionId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const AMOUNTS = {
  currency: Type.Optional(CurrencyCode),
  minAmount: Type.Optional({ ...Amount, description: 'At least this amount. Requires currency' }),
  maxAmount: Type.Optional({ ...Amount, description: 'At most this amount. Requires currency' }),
};

const PAYOUT_FILTERS = {
  ...PERIOD,
  ...AMOUNTS,
  state: Type.Optional(PayoutState),
  blockedReason: Type.Optional(BlockedReason),
  method: Type.Optional(Type.Integer({ minimum: 1, maximum: 999 })),
  rail: Type.Optional(RailName),
  payoutId: Type.Optional(word('The merchant’s own id')),
  transactionId: Type.Optional(TransactionId),
  account: Type.Optional(word('The full account or email address, as the list shows it')),
  lastFour: Type.Optional(LastFour),
};

/** The filters of each list. An export takes the same ones. */
export const LIST_FILTERS = {
  payouts: {
    ...PAYOUT_FILTERS,
    purpose: Type.Optional(Type.Enum(['payout', 'return', 'refund'])),
    batchId: Type.Optional(word('The gateway’s id of their batch. Requires merchantId')),
  },
  refunds: PAYOUT_FILTERS,
  deposits: {
    ...PERIOD,
    ...AMOUNTS,
    state: Type.Optional(DepositState),
    failReason: Type.Optional(Type.Enum(['declined', 'cancelled', 'expired', 'displaced'])),
    paymentType: Type.Optional(word('The payment type')),
    rail: Type.Optional(RailName),
    orderId: Type.Optional(word('The merchant’s own id')),
    transactionId: Type.Optional(TransactionId),
    uuid: Type.Optional(Type.String({ format: 'uuid' })),
    payTo: Type.Optional(word('The account number to which the payer pays, such as a CLABE')),
    payerId: Type.Optional(word('The merchant’s own id of the payer')),
    lastFour: Type.Optional(LastFour),
  },
  payments: {
    ...PERIOD,
    state: Type.Optional(AttemptState),
    refusal: Type.Optional(word('The reason of the decline')),
    paymentType: Type.Optional(word('The payment type')),
    rail: Type.Optional(RailName),
    transactionId: Type.Optional(TransactionId),
    reference: Type.Optional(word('The gateway’s id of the attempt at the provider')),
    providerReference: Type.Optional(word('The provider’s own id of the attempt')),
    lastFour: Type.Optional(LastFour),
  },
  transfers: {
    ...PERIOD,
    ...AMOUNTS,
    state: Type.Optional(TransferState),
    mismatch: Type.Optional(word('Why the transfer does not match its deposit, such as shortfall or late')),
    rail: Type.Optional(RailName),
    transferKey: Type.Optional(word('The rail’s key of the transfer')),
    payTo: Type.Optional(word('The URL to which it was sent')),
    transactionId: Type.Optional(TransactionId),
    account: Type.Optional(word('The originator’s full account number')),
  },
  callbacks: {
    ...PERIOD,
    state: Type.Optional(CallbackState),
    subject: Type.Optional(Type.Enum(['payout', 'deposit', 'event'])),
    subjectId: Type.Optional(word('The merchant’s id of the payout or the order')),
    callbackId: Type.Optional(word('The webhook-id')),
  },
  requests: {
    ...PERIOD,
    endpoint: Type.Optional(Endpoint),
    outcome: Type.Optional(Outcome),
    reason: Type.Optional(word('The kind of the rejection, such as sign_error')),
    subjectId: Type.Optional(word('The merchant’s id of the payout or the order')),
    requestId: Type.Optional(word('The id of the entry')),
  },
  ledger: {
    ...PERIOD,
    ...AMOUNTS,
    kind: Type.Optional(word('The kind of the movement, such as payout_fee')),
    account: Type.Optional(word('An account that the amount left or entered, such as available or clearing:stp')),
    journal: Type.Optional(word('The complete journal id, such as payout/A17/reserve')),
  },
} as const;
export type ListName = keyof typeof LIST_FILTERS;

function listQuery<Filters extends TProperties>(filters: Filters) {
  return Type.Object(
    {
      ...filters,
      merchantId: Type.Optional(MerchantId),
      limit: Type.Optional(Limit),
      after: Type.Optional(Cursor),
    },
    { additionalProperties: false },
  );
}

export const Refund = Type.Object({
  ...Payout.properties,
  orderId: Type.String(),
  depositTransactionId: TransactionId,
  attempt: Type.Integer(),
  reason: Type.String(),
});
export type Refund = Static<typeof Refund>;

export const Payment = Type.Object({
  ...Attempt.properties,
  merchantId: MerchantId,
  orderId: Type.String(),
  transactionId: TransactionId,
  amount: Amount,
  currency: CurrencyCode,
});
export type Payment = Static<typeof Payment>;

export const ListedTransfer = Type.Object({ ...Transfer.properties, orderId: nullable(Type.String()) });
export type ListedTransfer = Static<typeof ListedTransfer>;

export const ListedLedgerLine = Type.Object({
  ...LedgerLine.properties,
  merchantId: MerchantId,
  line: Type.Integer({ description: 'The line’s number within the journal' }),
});
export type ListedLedgerLine = Static<typeof ListedLedgerLine>;

const PAGES =
  'A page checks a limited number of rows. It may therefore contain fewer items than limit, or none, and still have a next page';

const LIST = { method: 'GET', audience: 'own', params: NO_PARAMS } as const;

export const LIST_ENDPOINTS = defineEndpoints({
  'payouts.list': {
    ...LIST,
    path: '/payouts',
    summary: `List payouts, newest first. ${PAGES}`,
    permission: 'payouts:read',
    query: listQuery(LIST_FILTERS.payouts),
    answer: pageOf(Payout),
    showsPersonal: 'in bulk',
    command: 'payout list',
  },
  'refunds.list': {
    ...LIST,
    path: '/refunds',
    summary: 'List the refunds of form payments, newest first',
    permission: 'deposits:read',
    query: listQuery(LIST_FILTERS.refunds),
    answer: pageOf(Refund),
    showsPersonal: 'in bulk',
    command: 'deposit refunds',
  },
  'deposits.list': {
    ...LIST,
    path: '/deposits',
    summary: 'List deposits, newest first',
    permission: 'deposits:read',
    query: listQuery(LIST_FILTERS.deposits),
    answer: pageOf(Deposit),
    command: 'deposit list',
  },
  'payments.list': {
    ...LIST,
    path: '/payments',
    summary: 'List the payment attempts of payers on the hosted form, newest first',
    permission: 'deposits:read',
    query: listQuery(LIST_FILTERS.payments),
    answer: pageOf(Payment),
    command: 'deposit payments',
  },
  'transfers.list': {
    ...LIST,
    path: '/transfers',
    summary: 'List incoming transfers and receipts, newest first; state=held lists held money',
    permission: 'deposits:read',
    query: listQuery(LIST_FILTERS.transfers),
    answer: pageOf(ListedTransfer),
    showsPersonal: 'in bulk',
    command: 'deposit transfers',
  },
  'callbacks.list': {
    ...LIST,
    path: '/callbacks',
    summary: 'List callbacks, newest first',
    permission: 'callbacks:read',
    query: listQuery(LIST_FILTERS.callbacks),
    answer: pageOf(Callback),
    command: 'callback list',
  },
  'requests.list': {
    ...LIST,
    path: '/requests',
    summary: 'List the last rejected requests of merchants and a sample of the accepted requests, newest first',
    permission: 'requests:read',
    query: listQuery(LIST_FILTERS.requests),
    answer: pageOf(LoggedRequest),
    command: 'request list',
  },
  'ledger.list': {
    ...LIST,
    path: '/ledger',
    summary: `List the ledger’s movements of money between accounts, newest first. ${PAGES}`,
    permission: 'ledger:read',
    query: listQuery(LIST_FILTERS.ledger),
    answer: pageOf(ListedLedgerLine),
    command: 'ledger list',
  },
});
