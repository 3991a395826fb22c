/** New payouts: the methods with their fields, a check of one while a person types it, and its creation. */
import { type Static, Type } from 'typebox';
import { Amount, CurrencyCode, MerchantId, NO_QUERY, nullable, Reason } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { DRY_RUN_QUERY } from '../parts/rehearsals.ts';
import { Payout, PayoutId } from './payouts.ts';

const OfMerchant = Type.Object({ merchantId: MerchantId });

const PayoutMethod = Type.Object({
  method: Type.Integer({ description: 'The number of the payout method' }),
  name: Type.String(),
  currency: CurrencyCode,
  accountKind: Type.Enum(['card', 'phone', 'bank_account', 'iban', 'account_or_email']),
  fields: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The name of the field in payout_send' }),
      format: Type.String({ description: 'The name of the field’s format' }),
      mandatory: Type.Boolean(),
      secret: Type.Boolean({ description: 'True if the gateway stores the field only in the vault' }),
      maxLength: Type.Integer({ description: 'In characters' }),
    }),
    { description: 'The fields, in the order in which payout_send checks them' },
  ),
});
export type PayoutMethod = Static<typeof PayoutMethod>;

const WANTED = {
  payoutId: Type.Optional({ ...PayoutId, description: 'By default the gateway generates one' }),
  method: Type.Integer({ minimum: 1, maximum: 999, description: 'The number of the payout method' }),
  fields: Type.Record(Type.String({ pattern: '^[a-z_]{1,40}$' }), Type.String({ maxLength: 1_000 }), {
    description:
      'The fields of the method by their names in payout_send, such as account, amount, currency and full_name',
  }),
};

const CheckedPayout = Type.Object({
  possible: Type.Boolean({ description: 'True if the gateway would accept this payout now' }),
  faults: Type.Array(
    Type.Object({ field: Type.String({ description: 'The name of the field in payout_send' }), detail: Type.String() }),
    { description: 'Every invalid field' },
  ),
  problem: nullable(
    Type.String(),
    'The reason why the gateway would reject the payout even though every field is valid. Null if it would accept the payout',
  ),
  rail: nullable(Type.String(), 'The rail that would carry the payout'),
  why: nullable(Type.String(), 'The reason for the choice of the rail'),
  fee: nullable(Amount),
  currency: nullable(CurrencyCode),
  availableAfter: nullable(Amount, 'The available balance after the payout'),
  needsApproval: nullable(Type.String(), 'The reason why it would wait for a second person. Null if it would not wait'),
  possibleDuplicateOf: nullable(Type.String(), 'A payout of the last 24 hours with the same content'),
});
export type CheckedPayout = Static<typeof CheckedPayout>;

const CreatedPayout = Type.Object({
  ...Payout.properties,
  isAwaitingApproval: Type.Boolean({ description: 'True if it waits for a second person’s approval' }),
});

export const NEW_PAYOUT_ENDPOINTS = defineEndpoints({
  'payouts.methods': {
    method: 'GET',
    path: '/merchants/{merchantId}/payout-methods',
    summary: 'List the payout methods with their fields, from the table that validates payout_send',
    permission: 'payouts:read',
    audience: 'own',
    params: OfMerchant,
    query: NO_QUERY,
    answer: Type.Object({ items: Type.Array(PayoutMethod) }),
    command: 'payout methods',
  },
  'payouts.check': {
    method: 'POST',
    path: '/merchants/{merchantId}/payouts/check',
    summary: 'Check a payout before it is created: its fields, duplicates, rail, fee and balance after it',
    permission: 'payouts:create',
    audience: 'own',
    unrecorded: true,
    params: OfMerchant,
    query: NO_QUERY,
    body: Type.Object(WANTED, { additionalProperties: false }),
    answer: CheckedPayout,
    secretFields: ['fields'],
  },
  'payouts.create': {
    method: 'POST',
    path: '/merchants/{merchantId}/payouts',
    summary: 'Create a payout, by the same checks and acceptance as payout_send',
    permission: 'payouts:create',
    audience: 'own',
    rehearsal: 'money',
    approval: true,
    stepUp: 'strongest',
    params: OfMerchant,
    query: DRY_RUN_QUERY,
    body: Type.Object({ ...WANTED, reason: Type.Optional(Reason) }, { additionalProperties: false }),
    answer: CreatedPayout,
    secretFields: ['fields'],
    command: 'payout create',
  },
});
