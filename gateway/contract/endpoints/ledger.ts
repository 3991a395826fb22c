/** The past of the ledger: balances at any instant, and volumes. */
import { type Static, Type } from 'typebox';
import {
  Amount,
  CurrencyCode,
  LedgerLine,
  MerchantId,
  NO_PARAMS,
  NO_QUERY,
  nullable,
  Time,
} from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { Balance } from './merchants.ts';

const BalanceAt = Type.Object({
  ...Balance.properties,
  total: { ...Amount, description: 'available plus reserved, minus owed' },
});

const BalancesAt = Type.Object({
  merchantId: MerchantId,
  at: Time,
  closedUntil: nullable({ ...Time, description: 'Balances before this time are final. Null if no hour is closed yet' }),
  isFinal: Type.Boolean({ description: 'True if the balances at this time can no longer change' }),
  balances: Type.Array(BalanceAt),
});
export type BalancesAt = Static<typeof BalancesAt>;

const BalanceHistory = Type.Object({
  closedUntil: nullable({ ...Time, description: 'The end of the history. Null while no hour is closed' }),
  items: Type.Array(
    Type.Object({ at: { ...Time, description: 'The beginning of a day, UTC' }, ...BalanceAt.properties }),
    { description: 'Days and currencies without a balance are omitted' },
  ),
});

const TrialLine = Type.Object({
  currency: CurrencyCode,
  account: Type.String({ description: 'The account, summed over all merchants, such as available or clearing:stp' }),
  debit: { ...Amount, description: 'The balance if the account was debited more than credited, otherwise zero' },
  credit: { ...Amount, description: 'The balance if the account was credited more than debited, otherwise zero' },
});

export const TrialBalance = Type.Object({
  at: Time,
  closedUntil: nullable({
    ...Time,
    description: 'Balances before this time are final. Null if a merchant has no closed hour yet',
  }),
  isFinal: Type.Boolean({ description: 'True if the balances at this time can no longer change' }),
  isBalanced: Type.Boolean({ description: 'True if debits equal credits in each currency' }),
  items: Type.Array(TrialLine),
  totals: Type.Array(Type.Object({ currency: CurrencyCode, debit: Amount, credit: Amount })),
});
export type TrialBalance = Static<typeof TrialBalance>;

const AT_QUERY = Type.Object(
  { at: Type.Optional({ ...Time, description: 'Only postings before this time are included. Default: now' }) },
  { additionalProperties: false },
);

const Volume = Type.Object({
  start: { ...Time, description: 'The beginning of the hour, the day or the week (Monday), UTC' },
  flow: Type.Enum(['payout', 'return', 'refund', 'deposit']),
  method: Type.String({ description: 'The number of the payout method, or the payment type. Empty if there is none' }),
  rail: Type.String({ description: 'The rail. Empty for a payout that was only accepted' }),
  currency: CurrencyCode,
  state: Type.String({
    description:
      'accepted, success, blocked, reversed or executed_late; for deposits success, held, displaced, taken_back or given_again',
  }),
  payments: Type.Integer(),
  amount: Amount,
  fee: Amount,
  waits: Type.Array(Type.Integer(), {
    description:
      'The number of results by their time to the result: one count per bucket of waitBucketsMs, and one for longer times',
  }),
  halfMs: nullable(Type.Integer(), 'The median time to the result. Null if it exceeds a day or there is no result'),
  mostMs: nullable(Type.Integer(), 'The 95th percentile of that time. Null if it exceeds a day or there is no result'),
});
export type Volume = Static<typeof Volume>;

export const LEDGER_ENDPOINTS = defineEndpoints({
  'balances.show': {
    method: 'GET',
    path: '/merchants/{merchantId}/balances',
    summary: 'Show the balances of a merchant at any time',
    permission: 'ledger:read',
    audience: 'own',
    params: Type.Object({ merchantId: MerchantId }),
    query: AT_QUERY,
    answer: BalancesAt,
    command: 'ledger balance',
  },
  'balances.history': {
    method: 'GET',
    path: '/merchants/{merchantId}/balance-history',
    summary: 'Show the balances of a merchant at the beginning of each of the last days',
    permission: 'ledger:read',
    audience: 'own',
    params: Type.Object({ merchantId: MerchantId }),
    query: Type.Object(
      { days: Type.Optional(Type.Integer({ minimum: 1, maximum: 92, default: 30 })) },
      { additionalProperties: false },
    ),
    answer: BalanceHistory,
  },
  'ledger.trialBalance': {
    method: 'GET',
    path: '/trial-balance',
    summary: 'Show the balance of each account over all merchants at any time; debits equal credits in each currency',
    permission: 'ledger:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: AT_QUERY,
    answer: TrialBalance,
    command: 'ledger trial-balance',
  },
  'ledger.show': {
    method: 'GET',
    path: '/merchants/{merchantId}/journals/{journalId}',
    summary: 'Show a journal with its movements and its payment',
    permission: 'ledger:read',
    audience: 'own',
    params: Type.Object({ merchantId: MerchantId, journalId: Type.String({ minLength: 1, maxLength: 200 }) }),
    query: NO_QUERY,
    answer: Type.Object({
      merchantId: MerchantId,
      journal: Type.String(),
      payoutId: nullable(Type.String()),
      orderId: nullable(Type.String()),
      transactionId: nullable(Type.Integer()),
      lines: Type.Array(LedgerLine),
    }),
    command: 'ledger show',
  },
  'volumes.list': {
    method: 'GET',
    path: '/volumes',
    summary: 'Count payments per hour, day or week, by method, rail, currency and state',
    permission: 'ledger:read',
    audience: 'own',
    params: NO_PARAMS,
    query: Type.Object(
      {
        merchantId: Type.Optional({ ...MerchantId, description: 'Default: all merchants together' }),
        from: Type.Optional({ ...Time, description: 'Default: 30 days before until' }),
        until: Type.Optional({ ...Time, description: 'The end of the range, exclusive. Default: now' }),
        by: Type.Optional(Type.Enum(['hour', 'day', 'week'], { default: 'day' })),
      },
      { additionalProperties: false },
    ),
    answer: Type.Object({
      closedUntil: nullable({ ...Time, description: 'The volumes do not count payments after this time yet' }),
      waitBucketsMs: Type.Array(Type.Integer(), { description: 'The upper bounds of the buckets of `waits`' }),
      items: Type.Array(Volume),
    }),
    command: 'ledger volumes',
  },
});
