/** Deposits: one with its attempts and transfers, held money, and the actions on both. */
import { type Static, Type } from 'typebox';
import {
  Amount,
  CurrencyCode,
  Explanation,
  HistoryEntry,
  LedgerLine,
  MerchantId,
  NO_PARAMS,
  NO_QUERY,
  nullable,
  OVERDUE_QUERY,
  Pace,
  RailName,
  Reason,
  Related,
  Time,
} from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { DRY_RUN_QUERY } from '../parts/rehearsals.ts';
import { ATTEMPT_STATES, DEPOSIT_STATES, TRANSFER_STATES } from '../texts/states.ts';
import { Callback } from './callbacks.ts';
import { Payout } from './payouts.ts';

const OrderId = Type.String({ minLength: 1, maxLength: 100, description: 'The merchant’s own id of the order' });
const TransactionId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Unique across the gateway',
});

export const DepositState = Type.Enum([...DEPOSIT_STATES]);

export const Deposit = Type.Object({
  merchantId: MerchantId,
  orderId: OrderId,
  transactionId: TransactionId,
  uuid: Type.String(),
  paymentType: Type.String(),
  amount: Amount,
  received: Amount,
  fee: Amount,
  currency: CurrencyCode,
  state: DepositState,
  failReason: nullable(Type.String()),
  displacedBy: nullable(TransactionId),
  rail: Type.String(),
  payTo: Type.String({ description: 'The account number to which the payer pays, such as a CLABE' }),
  createdAt: Time,
  expiresAt: Time,
  closesAt: Time,
  finishedAt: nullable(Time),
});
export type Deposit = Static<typeof Deposit>;

export const TransferState = Type.Enum([...TRANSFER_STATES]);

export const Transfer = Type.Object({
  rail: Type.String(),
  transferKey: Type.String({ description: 'The rail’s unique key of the transfer' }),
  merchantId: MerchantId,
  transactionId: nullable(TransactionId),
  amount: Amount,
  currency: CurrencyCode,
  kept: Amount,
  state: TransferState,
  mismatch: nullable(
    Type.String({ description: 'Why the transfer does not match its deposit, such as shortfall or late' }),
  ),
  payTo: Type.String(),
  originator: Type.Object({
    name: Type.String(),
    account: Type.String(),
    institution: Type.String(),
    concept: Type.String(),
    trackingKey: Type.String(),
  }),
  bookedAt: Time,
  recordedAt: Time,
  resolvedAt: nullable(Time),
  resolution: Type.String(),
  returnId: nullable(Type.String({ description: 'The id of the payout that returns the money' })),
});
export type Transfer = Static<typeof Transfer>;

export const AttemptState = Type.Enum([...ATTEMPT_STATES]);

export const Attempt = Type.Object({
  attempt: Type.Integer(),
  paymentType: Type.String(),
  card: nullable(Type.String({ description: 'The mask of the card' })),
  rail: Type.String(),
  reference: Type.String(),
  providerReference: Type.String(),
  state: AttemptState,
  step: nullable(Type.String({ description: 'The step that the payer has to take now. Null if there is none' })),
  refusal: nullable(Type.String()),
  detail: Type.String(),
  startedAt: Time,
  finishedAt: nullable(Time),
});
export type Attempt = Static<typeof Attempt>;

const DepositRecord = Type.Object({
  ...Deposit.properties,
  related: Type.Array(Related),
  payer: Type.Object({ userId: Type.String(), firstName: Type.String(), lastName: Type.String() }),
  pending: nullable(Explanation),
  pace: nullable(Pace, 'Null if it is final, or if its rail completed too few payments to tell'),
  attempts: Type.Array(Attempt),
  transfers: Type.Array(Transfer),
  adjustments: Type.Array(
    Type.Object({
      at: Time,
      kind: Type.String(),
      key: Type.String(),
      attempt: Type.Integer(),
      amount: Amount,
      currency: CurrencyCode,
      posted: Amount,
      detail: Type.String(),
    }),
  ),
  refunds: Type.Array(Type.Object({ attempt: Type.Integer(), reason: Type.String(), payout: Payout })),
  history: Type.Array(HistoryEntry),
  money: Type.Array(LedgerLine, { description: 'The movements of its money, in the order of posting' }),
  callbacks: Type.Array(Callback),
  acts: Type.Array(
    Type.Object({
      act: Type.Enum(['deposits.refund', 'deposits.endAttempts']),
      reason: nullable(
        Type.Enum([
          'no_permission',
          'merchant_disabled',
          'not_paid',
          'displaced',
          'moved',
          'rail_refunds_nothing',
          'nothing_left',
          'nothing_in_flight',
          'just_begun',
        ]),
      ),
      obstacle: nullable(Type.String({ description: 'The obstacle to the action now. Null if it is possible' })),
    }),
    { description: 'The actions on this deposit for this caller. Each action checks again when it is performed' },
  ),
});
export type DepositRecord = Static<typeof DepositRecord>;

export const OverduePayment = Type.Object({
  merchantId: MerchantId,
  orderId: OrderId,
  transactionId: TransactionId,
  attempt: Type.Integer(),
  amount: Amount,
  currency: CurrencyCode,
  rail: Type.String(),
  reference: Type.String(),
  providerReference: Type.String(),
  state: AttemptState,
  detail: Type.String(),
  startedAt: Time,
  overdueSince: Time,
});
export type OverduePayment = Static<typeof OverduePayment>;

const NamedTransfer = Type.Object({ rail: RailName, transferKey: Type.String({ minLength: 1, maxLength: 200 }) });
const NamedPayment = Type.Object({ merchantId: MerchantId, transactionId: TransactionId });
const OnlyReason = Type.Object({ reason: Reason }, { additionalProperties: false });
const NamedPayout = Type.Object({ merchantId: MerchantId, payoutId: Type.String() });

export const DEPOSIT_ENDPOINTS = defineEndpoints({
  'deposits.show': {
    method: 'GET',
    path: '/merchants/{merchantId}/deposits/{orderId}',
    summary: 'Show a deposit, why it is pending, its attempts, transfers, history, money and callbacks',
    permission: 'deposits:read',
    audience: 'own',
    params: Type.Object({ merchantId: MerchantId, orderId: OrderId }),
    query: NO_QUERY,
    answer: DepositRecord,
    showsPersonal: 'in bulk',
    command: 'deposit show',
  },
  'deposits.overdue': {
    method: 'GET',
    path: '/overdue-payments',
    summary: 'List payment attempts in flight past their deadline, the longest overdue first',
    permission: 'deposits:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: OVERDUE_QUERY,
    answer: Type.Object({ items: Type.Array(OverduePayment) }),
    command: 'deposit overdue',
  },
  'deposits.refund': {
    method: 'POST',
    path: '/merchants/{merchantId}/payments/{transactionId}/refund',
    summary: 'Refund a form payment to its payer, through the rail of the payment',
    permission: 'deposits:write',
    audience: 'own',
    rehearsal: 'money',
    stepUp: true,
    params: NamedPayment,
    query: DRY_RUN_QUERY,
    body: Type.Object(
      {
        amount: Type.Optional({ ...Amount, description: 'By default the full remaining payment' }),
        reason: Reason,
      },
      { additionalProperties: false },
    ),
    answer: Payout,
    command: 'deposit refund',
  },
  'deposits.endAttempts': {
    method: 'POST',
    path: '/merchants/{merchantId}/payments/{transactionId}/end-attempts',
    summary: 'Fail the attempts in flight of a payment, after its provider confirmed that it was not paid',
    permission: 'deposits:write',
    audience: 'operator',
    rehearsal: 'rule',
    stepUp: true,
    params: NamedPayment,
    query: DRY_RUN_QUERY,
    body: OnlyReason,
    answer: Type.Object({ ended: Type.Array(Type.Object({ rail: Type.String(), reference: Type.String() })) }),
    command: 'deposit end-attempt',
  },
  'transfers.held': {
    method: 'GET',
    path: '/held-transfers',
    summary: 'List held money, oldest first',
    permission: 'deposits:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: OVERDUE_QUERY,
    answer: Type.Object({
      items: Type.Array(Type.Object({ ...Transfer.properties, orderId: nullable(Type.String()) })),
    }),
    showsPersonal: 'in bulk',
    command: 'deposit held',
  },
  'transfers.resolve': {
    method: 'POST',
    path: '/held-transfers/{rail}/{transferKey}/resolve',
    summary: 'Credit held money to its deposit, or to the deposit that you pass',
    permission: 'deposits:write',
    audience: 'operator',
    rehearsal: 'money',
    stepUp: true,
    params: NamedTransfer,
    query: DRY_RUN_QUERY,
    body: Type.Object(
      {
        to: Type.Optional(
          Type.Object(
            { merchantId: MerchantId, orderId: OrderId },
            { additionalProperties: false, description: 'The intended deposit' },
          ),
        ),
        reason: Reason,
      },
      { additionalProperties: false },
    ),
    answer: Deposit,
    command: 'deposit resolve',
  },
  'transfers.return': {
    method: 'POST',
    path: '/held-transfers/{rail}/{transferKey}/return',
    summary: 'Send held money back to its originator. The response contains the id of the payout that returns it',
    permission: 'deposits:write',
    audience: 'operator',
    rehearsal: 'money',
    stepUp: true,
    params: NamedTransfer,
    query: DRY_RUN_QUERY,
    body: OnlyReason,
    answer: NamedPayout,
    command: 'deposit return',
  },
});
