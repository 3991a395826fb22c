/** Payouts: one with everything that happened to it, and the actions on it. */

import { type Static, Type } from 'typebox';
import {
  Amount,
  CurrencyCode,
  Cursor,
  Explanation,
  HistoryEntry,
  LedgerLine,
  Limit,
  MerchantId,
  NO_PARAMS,
  NO_QUERY,
  nullable,
  OVERDUE_QUERY,
  Pace,
  pageOf,
  RailName,
  Reason,
  Related,
  Time,
} from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { DRY_RUN_QUERY } from '../parts/rehearsals.ts';
import { BLOCKED_REASONS } from '../texts/blocked-reasons.ts';
import { PAYOUT_STAGES, PAYOUT_STATES } from '../texts/states.ts';
import { Callback } from './callbacks.ts';
import { Balance } from './merchants.ts';

export const PayoutId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The merchant’s own id of the payout',
});

export const PayoutState = Type.Enum([...PAYOUT_STATES]);
export const PayoutStage = Type.Enum([...PAYOUT_STAGES]);
export const BlockedReason = Type.Enum([...BLOCKED_REASONS]);

export const Payout = Type.Object({
  merchantId: MerchantId,
  payoutId: PayoutId,
  transactionId: Type.Integer({ description: 'Unique across the gateway' }),
  purpose: Type.Enum(['payout', 'return', 'refund'], {
    description: 'payout: the merchant ordered it. return: it sends held money back. refund: it refunds a deposit',
  }),
  method: nullable(Type.Integer({ description: 'The number of the payout method. Null for a return or a refund' })),
  amount: Amount,
  fee: Amount,
  currency: CurrencyCode,
  state: PayoutState,
  code: Type.String({ description: 'The code that the merchant sees' }),
  blockedReason: nullable(BlockedReason),
  rail: Type.String(),
  account: Type.String({ description: 'The beneficiary’s account; a card is masked' }),
  acceptedAt: Time,
  finishedAt: nullable(Time),
});
export type Payout = Static<typeof Payout>;

const PayoutRecord = Type.Object({
  ...Payout.properties,
  related: Type.Array(Related),
  beneficiary: Type.Record(Type.String(), Type.String(), {
    description: 'The fields of the request that are not secret',
  }),
  pending: nullable(Explanation),
  pace: nullable(Pace, 'Null if it is final, or if its rail completed too few payments to tell'),
  attempts: Type.Array(
    Type.Object({
      attempt: Type.Integer(),
      rail: Type.String(),
      reference: Type.String({ description: 'The reference at the bank' }),
      startedAt: Time,
      finishedAt: nullable(Time),
      outcome: nullable(Type.String({ description: 'Null while no response is recorded' })),
      detail: Type.String(),
    }),
  ),
  history: Type.Array(HistoryEntry),
  money: Type.Array(LedgerLine, { description: 'The movements of its money, in the order of posting' }),
  afterApproval: nullable(
    Balance,
    'The balances after an approval and the payment by its bank. Null if it does not wait for approval, or without the permission ledger:read',
  ),
  adjustments: Type.Array(Type.Object({ at: Time, kind: Type.String(), detail: Type.String() })),
  callbacks: Type.Array(Callback),
  acts: Type.Array(
    Type.Object({
      act: Type.Enum(['payouts.approve', 'payouts.cancel', 'payouts.ask']),
      reason: nullable(
        Type.Enum([
          'no_permission',
          'only_a_person',
          'already_final',
          'own_payout',
          'not_waiting',
          'too_late',
          'merchant_disabled',
          'already_sent',
          'recovering',
          'payout_not_found',
          'never_sent',
          'rail_not_configured',
        ]),
      ),
      obstacle: nullable(Type.String({ description: 'The obstacle to the action now. Null if it is possible' })),
    }),
    { description: 'The actions on this payout for this caller. Each action checks again when it is performed' },
  ),
});
export type PayoutRecord = Static<typeof PayoutRecord>;

export const OverduePayout = Type.Object({
  merchantId: MerchantId,
  payoutId: PayoutId,
  amount: Amount,
  currency: CurrencyCode,
  rail: Type.String(),
  reference: nullable(Type.String()),
  stage: PayoutStage,
  note: Type.String({ description: 'The result of the last step' }),
  isSealBroken: Type.Boolean({
    description: 'True if its row was changed after its acceptance. Such a payout is listed even before its deadline',
  }),
  acceptedAt: Time,
  overdueSince: { ...Time, description: 'Its deadline. It is in the future only if the seal is broken' },
});
export type OverduePayout = Static<typeof OverduePayout>;

const LatePayout = Type.Object({
  merchantId: MerchantId,
  payoutId: PayoutId,
  amount: Amount,
  currency: CurrencyCode,
  rail: Type.String(),
  acceptedAt: Time,
  lateSince: {
    ...Time,
    description:
      'The end of the time that 95% of the payouts of its rail take, or its deadline if its rail has no pace',
  },
  pending: nullable(Explanation),
});

export const AwaitingPayout = Type.Object({
  ...Payout.properties,
  approveBy: { ...Time, description: 'After this deadline the gateway blocks it and releases its money' },
});
export type AwaitingPayout = Static<typeof AwaitingPayout>;

const NamedPayout = Type.Object({ merchantId: MerchantId, payoutId: PayoutId });

export const PAYOUT_ENDPOINTS = defineEndpoints({
  'payouts.overdue': {
    method: 'GET',
    path: '/overdue-payouts',
    summary: 'List payouts with a broken seal, then those pending past their deadline, the longest overdue first',
    permission: 'payouts:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: OVERDUE_QUERY,
    answer: Type.Object({ items: Type.Array(OverduePayout) }),
    command: 'payout overdue',
  },
  'payouts.late': {
    method: 'GET',
    path: '/late-payouts',
    summary: 'List pending payouts that take longer than 95% of the payouts of their rail, the longest late first',
    permission: 'payouts:read',
    audience: 'own',
    params: NO_PARAMS,
    query: Type.Object(
      { merchantId: Type.Optional(MerchantId), limit: Type.Optional({ ...Limit, maximum: 20, default: 10 }) },
      { additionalProperties: false },
    ),
    answer: Type.Object({ items: Type.Array(LatePayout) }),
  },
  'payouts.awaiting': {
    method: 'GET',
    path: '/payouts-awaiting-approval',
    summary: 'List payouts that wait for approval, the earliest deadline first',
    permission: 'payouts:read',
    audience: 'own',
    params: NO_PARAMS,
    query: Type.Object(
      { merchantId: Type.Optional(MerchantId), limit: Type.Optional(Limit), after: Type.Optional(Cursor) },
      { additionalProperties: false },
    ),
    answer: pageOf(AwaitingPayout),
    showsPersonal: 'in bulk',
    command: 'payout awaiting',
  },
  'payouts.approve': {
    method: 'POST',
    path: '/merchants/{merchantId}/payouts/{payoutId}/approve',
    summary: 'Approve a payout that waits for approval; the gateway then sends it',
    permission: 'payouts:approve',
    audience: 'own',
    params: NamedPayout,
    query: NO_QUERY,
    body: Type.Object({ reason: Type.Optional(Reason) }, { additionalProperties: false }),
    answer: Payout,
    stepUp: 'passkey',
    command: 'payout approve',
  },
  'payouts.show': {
    method: 'GET',
    path: '/merchants/{merchantId}/payouts/{payoutId}',
    summary: 'Show a payout, why it is pending, its attempts, history, money and callbacks',
    permission: 'payouts:read',
    audience: 'own',
    params: NamedPayout,
    query: NO_QUERY,
    answer: PayoutRecord,
    showsPersonal: 'in bulk',
    command: 'payout show',
  },
  'payouts.cancel': {
    method: 'POST',
    path: '/merchants/{merchantId}/payouts/{payoutId}/cancel',
    summary:
      'Cancel a payout that no bank received, and release its money. An approver may cancel a payout that waits for approval',
    permission: 'payouts:write',
    orPermission: 'payouts:approve',
    audience: 'own',
    rehearsal: 'money',
    params: NamedPayout,
    query: DRY_RUN_QUERY,
    body: Type.Object({ reason: Reason }, { additionalProperties: false }),
    answer: Payout,
    command: 'payout cancel',
  },
  'payouts.ask': {
    method: 'POST',
    path: '/merchants/{merchantId}/payouts/{payoutId}/ask',
    summary: 'Query the provider about a payout now; a final response settles the payout',
    permission: 'payouts:write',
    audience: 'operator',
    params: NamedPayout,
    query: NO_QUERY,
    body: Type.Object(
      { rail: Type.Optional({ ...RailName, description: 'By default the rail of the latest attempt' }) },
      { additionalProperties: false },
    ),
    answer: Type.Object({
      rail: Type.String(),
      reference: Type.String(),
      theirs: Type.String({ description: 'The response' }),
      changed: Type.Boolean({ description: 'True if the response changed the payout' }),
      payout: Payout,
    }),
    command: 'payout ask',
  },
  'payouts.resolve': {
    method: 'POST',
    path: '/merchants/{merchantId}/payouts/{payoutId}/resolve',
    summary: 'Record the outcome of a payout that a bank confirmed outside its API',
    permission: 'payouts:write',
    audience: 'operator',
    rehearsal: 'money',
    stepUp: true,
    params: NamedPayout,
    query: DRY_RUN_QUERY,
    body: Type.Object(
      {
        outcome: Type.Enum(['executed', 'declined', 'reversed']),
        reason: { ...Reason, description: 'The bank’s proof and its date' },
        rail: Type.Optional({ ...RailName, description: 'The rail that executed it. By default its current rail' }),
        blockedReason: Type.Optional(BlockedReason),
      },
      { additionalProperties: false },
    ),
    answer: Type.Object({
      state: PayoutState,
      adjustment: nullable(
        Type.String({
          description:
            'The adjustment that the gateway recorded because the payout was already final. Null if this outcome settled it',
        }),
      ),
    }),
    command: 'payout resolve',
  },
});
