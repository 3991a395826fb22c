/** The recovery after a restore from a backup. */
import { type Static, Type } from 'typebox';
import { MerchantId, NO_PARAMS, NO_QUERY, nullable, RailName, Reason, Time } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { DRY_RUN_QUERY } from '../parts/rehearsals.ts';
import { PayoutId } from './payouts.ts';

const RailProgress = Type.Object({
  rail: Type.String(),
  hasList: Type.Boolean({ description: 'True if the provider lists its payouts' }),
  unasked: Type.Integer({ description: 'The number of payouts without a conclusive response from the bank' }),
  comparedAt: nullable(Time),
  unaccounted: Type.Integer({ description: 'The provider’s references that match no payout here' }),
  missing: Type.Array(Type.String(), { description: 'The unmet criteria. With none, the rail can be completed' }),
  caveat: Type.String(),
  completed: nullable(
    Type.Object({
      at: Time,
      by: Type.String(),
      forcedBecause: nullable(Type.String()),
      asksUntil: nullable(Time, 'The time until which the gateway queries the bank before each first send'),
    }),
  ),
});
export type RailProgress = Static<typeof RailProgress>;

export const Recovery = Type.Object({
  recovering: Type.Boolean(),
  lineageKnown: Type.Boolean({
    description: 'False if the database runs on another server or timeline. The gateway then does not send payouts',
  }),
  latest: nullable(
    Type.Object({
      startedAt: Time,
      knownUntil: Time,
      startedBy: Type.String(),
      reason: Type.String(),
      completedAt: nullable(Time),
    }),
    'Null if the database was never restored',
  ),
  rails: Type.Array(RailProgress),
});
export type Recovery = Static<typeof Recovery>;

export const RECOVERY_ENDPOINTS = defineEndpoints({
  'recovery.show': {
    method: 'GET',
    path: '/recovery',
    summary: 'Show the latest recovery, and the unmet criteria of each rail',
    permission: 'recovery:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: Recovery,
    command: 'after-restore status',
  },
  'recovery.begin': {
    method: 'POST',
    path: '/recovery/begin',
    summary: 'Record that the database was restored; the gateway queries the banks before it sends payouts',
    permission: 'recovery:write',
    audience: 'operator',
    bindable: true,
    stepUp: true,
    params: NO_PARAMS,
    query: NO_QUERY,
    body: Type.Object(
      {
        reason: { ...Reason, description: 'The backup, and why it was restored' },
        knownUntil: Type.Optional({
          ...Time,
          description: 'The start of the recovery window. By default the last heartbeat in the database',
        }),
        skipClabes: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 10_000_000,
            description: 'The number of CLABEs that may have been issued since then. By default 64000',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answer: Type.Object({ startedAt: Time, knownUntil: Time }),
    command: 'after-restore begin',
  },
  'recovery.compare': {
    method: 'POST',
    path: '/recovery/compare',
    summary: 'Compare the banks’ lists of the recovery window now',
    permission: 'recovery:write',
    audience: 'operator',
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: Recovery,
    command: 'after-restore compare',
  },
  'recovery.complete': {
    method: 'POST',
    path: '/recovery/complete',
    summary: 'Complete the recovery of a rail, or of all rails',
    permission: 'recovery:write',
    audience: 'operator',
    rehearsal: 'rule',
    stepUp: true,
    params: NO_PARAMS,
    query: DRY_RUN_QUERY,
    body: Type.Object(
      {
        rail: Type.Optional({ ...RailName, description: 'By default all rails' }),
        force: Type.Optional(
          Type.Object(
            { reason: Reason },
            { additionalProperties: false, description: 'Complete the rail even though its criteria are not met' },
          ),
        ),
      },
      { additionalProperties: false },
    ),
    answer: Type.Object({ rails: Type.Array(Type.String()), recovering: Type.Boolean() }),
    command: 'after-restore complete',
  },
  'recovery.release': {
    method: 'POST',
    path: '/merchants/{merchantId}/payouts/{payoutId}/release',
    summary: 'Send a payout after you have proof that no bank received it',
    permission: 'recovery:write',
    audience: 'operator',
    rehearsal: 'rule',
    stepUp: true,
    params: Type.Object({ merchantId: MerchantId, payoutId: PayoutId }),
    query: DRY_RUN_QUERY,
    body: Type.Object(
      { reason: { ...Reason, description: 'The proof that no bank received it' } },
      { additionalProperties: false },
    ),
    answer: Type.Object({ released: Type.Boolean() }),
    command: 'after-restore release',
  },
  'recovery.notNeeded': {
    method: 'POST',
    path: '/recovery/not-needed',
    summary: 'Confirm that a database on a new server or timeline lost no data; the workers then send payouts again',
    permission: 'recovery:write',
    audience: 'operator',
    rehearsal: 'rule',
    stepUp: true,
    params: NO_PARAMS,
    query: DRY_RUN_QUERY,
    body: Type.Object(
      { reason: { ...Reason, description: 'The reason why no commit is lost, such as a planned failover' } },
      { additionalProperties: false },
    ),
    answer: Type.Object({ confirmed: Type.Boolean({ description: 'False if the gateway already knew this lineage' }) }),
    command: 'after-restore not-needed',
  },
});
