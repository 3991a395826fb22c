/** Pauses of payouts, and the differences between providers and the ledger. */
import { type Static, Type } from 'typebox';
import { Day, MerchantId, NO_PARAMS, NO_QUERY, nullable, RailName, Reason, Time } from './answer-parts.ts';
import { defineEndpoints } from './endpoint.ts';

const PauseScope = Type.Enum(['merchant', 'method', 'purpose', 'rail']);

const NamedPause = Type.Object({ scope: PauseScope, target: Type.String({ minLength: 1, maxLength: 64 }) });

const Pause = Type.Object({ scope: PauseScope, target: Type.String(), reason: Type.String(), since: Time });

const Difference = Type.Object({
  rail: Type.String(),
  day: Type.String(),
  kind: Type.String(),
  subject: Type.String({ description: 'The reference or the id that differs' }),
  merchantId: nullable(MerchantId),
  payoutId: nullable(Type.String()),
  transactionId: nullable(Type.Integer()),
  ours: Type.String({ description: 'What the ledger has' }),
  theirs: Type.String({ description: 'What the provider says' }),
  foundAt: Time,
  resolved: nullable(Type.Object({ by: Type.String(), resolution: Type.String(), at: Time })),
});
export type Difference = Static<typeof Difference>;

const NamedDifference = Type.Object({
  rail: RailName,
  day: Day,
  kind: Type.String({ minLength: 1, maxLength: 40 }),
  subject: Type.String({ minLength: 1, maxLength: 200 }),
});

export const RAIL_ENDPOINTS = defineEndpoints({
  'pauses.list': {
    method: 'GET',
    path: '/pauses',
    summary: 'List the pauses of merchants, methods and rails',
    permission: 'rails:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: Type.Object({ items: Type.Array(Pause) }),
    command: 'pause',
  },
  'pauses.pause': {
    method: 'PUT',
    path: '/pauses/{scope}/{target}',
    summary: 'Hold back payouts that no bank has received',
    permission: 'rails:write',
    audience: 'operator',
    params: NamedPause,
    query: NO_QUERY,
    body: Type.Object({ reason: Reason }, { additionalProperties: false }),
    answer: Type.Object({ paused: Type.Boolean({ description: 'False: it was paused before' }) }),
    command: 'pause',
  },
  'pauses.resume': {
    method: 'DELETE',
    path: '/pauses/{scope}/{target}',
    summary: 'Resume paused payouts',
    permission: 'rails:write',
    audience: 'operator',
    params: NamedPause,
    query: NO_QUERY,
    answer: Type.Object({ resumed: Type.Integer({ description: 'The number of payouts that continue' }) }),
    command: 'resume',
  },
  'differences.list': {
    method: 'GET',
    path: '/differences',
    summary: 'List the differences between providers and the ledger',
    permission: 'reconciliation:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: Type.Object(
      {
        rail: Type.Optional(RailName),
        day: Type.Optional(Day),
        kind: Type.Optional(Type.String({ maxLength: 40 })),
        all: Type.Optional(Type.Boolean({ default: false, description: 'Include resolved ones' })),
      },
      { additionalProperties: false },
    ),
    answer: Type.Object({ items: Type.Array(Difference) }),
    command: 'difference list',
  },
  'differences.show': {
    method: 'GET',
    path: '/differences/{rail}/{day}/{kind}/{subject}',
    summary: 'Show one difference',
    permission: 'reconciliation:read',
    audience: 'operator',
    params: NamedDifference,
    query: NO_QUERY,
    answer: Difference,
    command: 'difference show',
  },
  'differences.resolve': {
    method: 'POST',
    path: '/differences/{rail}/{day}/{kind}/{subject}/resolve',
    summary: 'Record the cause of a difference; this moves no money',
    permission: 'reconciliation:write',
    audience: 'operator',
    params: NamedDifference,
    query: NO_QUERY,
    body: Type.Object(
      { reason: { ...Reason, description: 'The cause, and what was done' } },
      { additionalProperties: false },
    ),
    answer: Type.Object({ resolved: Type.Boolean() }),
    command: 'difference resolve',
  },
});
