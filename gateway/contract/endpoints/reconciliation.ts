/** Comparisons with providers: a day, the rail's lists of incoming transfers, and payouts that the caller names. */
import { type Static, Type } from 'typebox';
import {
  Amount,
  CurrencyCode,
  Day,
  MerchantId,
  NO_PARAMS,
  NO_QUERY,
  nullable,
  RailName,
  Time,
} from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { PayoutId } from './payouts.ts';

const FoundDifference = Type.Object({
  kind: Type.String(),
  subject: Type.String(),
  merchantId: nullable(MerchantId),
  payoutId: nullable(Type.String()),
  ours: Type.String({ description: 'The payment as the ledger records it' }),
  theirs: Type.String({ description: 'The payment as the provider reports it' }),
});

export const ComparedDay = Type.Object({
  rail: Type.String(),
  day: Type.String(),
  runAt: Time,
  by: Type.Enum(['list', 'asking']),
  listed: Type.Integer({ description: 'The number of payouts that the provider listed or was queried about' }),
  matched: Type.Integer(),
  settled: Type.Integer({ description: 'The number of payouts whose state the comparison changed' }),
  waiting: Type.Integer({ description: 'The number of pending payouts that were not compared' }),
  notSeen: Type.Array(Type.String(), { description: 'The kinds of differences that this comparison cannot detect' }),
  differences: Type.Array(FoundDifference),
});
export type ComparedDay = Static<typeof ComparedDay>;

const NamedPayout = Type.Object(
  { merchantId: MerchantId, payoutId: PayoutId, amount: Amount, currency: CurrencyCode },
  { additionalProperties: false },
);

export const AnsweredPayout = Type.Object({
  ...NamedPayout.properties,
  reference: Type.String({ description: 'The reference under which the gateway queried the provider' }),
  ours: Type.String(),
  theirs: Type.String(),
  comparison: Type.Enum(['same', 'differs', 'not_compared']),
  kept: Type.Boolean({
    description: 'True if only the provider has it. It is now a difference, and the gateway never sends it',
  }),
});
export type AnsweredPayout = Static<typeof AnsweredPayout>;

const NamedRail = Type.Object({ rail: RailName });

const KeptDay = Type.Object({
  rail: Type.String(),
  day: Type.String(),
  runAt: Time,
  listed: ComparedDay.properties.listed,
  matched: Type.Integer(),
  settled: ComparedDay.properties.settled,
  open: Type.Integer({ description: 'The number of open differences of the day' }),
  found: Type.Integer({ description: 'The number of all differences of the day, including resolved differences' }),
});

export const RECONCILIATION_ENDPOINTS = defineEndpoints({
  'reconciliation.listDays': {
    method: 'GET',
    path: '/compared-days',
    summary: 'List the compared days of rails, each with the result of its latest comparison',
    permission: 'reconciliation:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: Type.Object({ rail: Type.Optional(RailName), from: Day, until: Day }, { additionalProperties: false }),
    answer: Type.Object({ items: Type.Array(KeptDay) }),
    command: 'difference days',
  },
  'reconciliation.compareDay': {
    method: 'POST',
    path: '/rails/{rail}/days/{day}/compare',
    summary: 'Compare a provider’s records of a day with the ledger now',
    permission: 'reconciliation:write',
    audience: 'operator',
    params: Type.Object({ rail: RailName, day: Day }),
    query: NO_QUERY,
    answer: ComparedDay,
    command: 'reconcile',
  },
  'reconciliation.readTransfers': {
    method: 'POST',
    path: '/rails/{rail}/read-transfers',
    summary: 'Read a rail’s lists of incoming transfers now, and record transfers that the gateway missed',
    permission: 'reconciliation:write',
    audience: 'operator',
    params: NamedRail,
    query: NO_QUERY,
    answer: Type.Object({
      days: Type.Array(
        Type.Object({
          day: Type.String(),
          listed: Type.Integer(),
          found: Type.Integer({ description: 'The number of transfers that only the provider had' }),
          differing: Type.Integer(),
        }),
      ),
    }),
    command: 'reconcile',
  },
  'reconciliation.askPayouts': {
    method: 'POST',
    path: '/rails/{rail}/ask-payouts',
    summary: 'Query a provider about the given payouts; a payout that only the provider has becomes a difference',
    permission: 'reconciliation:write',
    audience: 'operator',
    params: NamedRail,
    query: NO_QUERY,
    body: Type.Object(
      { payouts: Type.Array(NamedPayout, { minItems: 1, maxItems: 100 }) },
      { additionalProperties: false },
    ),
    answer: Type.Object({ payouts: Type.Array(AnsweredPayout) }),
    command: 'reconcile',
  },
});
