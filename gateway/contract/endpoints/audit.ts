/** The audit log and the invariants of the books. */
import { type Static, Type } from 'typebox';
import {
  Cursor,
  Limit,
  MerchantId,
  NO_PARAMS,
  NO_QUERY,
  nullable,
  PERIOD,
  pageOf,
  Time,
} from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';

export const AuditEntry = Type.Object({
  merchantId: MerchantId,
  number: Type.Integer({ description: 'The position of the entry in the merchant’s chain' }),
  at: Time,
  actId: Type.String({ description: 'The id that the first and the last entry of one action share' }),
  phase: Type.Enum(['begun', 'done', 'rejected', 'failed']),
  act: Type.String({ description: 'The name of the endpoint', examples: ['merchants.edit'] }),
  object: Type.String({ description: 'The object of the action', examples: ['merchants/M1'] }),
  actor: Type.Object(
    {
      kind: Type.Enum(['person', 'token', 'emergency', 'visitor']),
      id: Type.String(),
      name: Type.String(),
    },
    { description: 'Merchants see the name "operator", without an id, for operator users and tokens' },
  ),
  address: nullable(
    Type.String({ description: 'Null for the command line. Merchants see null for actions of the operator' }),
  ),
  requestId: Type.String(),
  reason: nullable(Type.String()),
  detail: Type.Unknown({ description: 'The request if begun, the changes if done, the problem if rejected or failed' }),
  hash: Type.String({
    description: 'SHA-256, in hexadecimal, over the previous hash and this entry as the operator sees it',
  }),
});
export type AuditEntry = Static<typeof AuditEntry>;

const Invariant = Type.Object({
  name: Type.String(),
  meaning: Type.String(),
  holds: Type.Boolean(),
  offending: Type.Array(Type.Record(Type.String(), Type.Unknown())),
});

export const AUDIT_FILTERS = {
  act: Type.Optional(Type.String({ maxLength: 64 })),
  object: Type.Optional(Type.String({ maxLength: 200 })),
  actor: Type.Optional(Type.String({ maxLength: 200, description: 'The id of a user or a token' })),
  ...PERIOD,
};

export const AUDIT_ENDPOINTS = defineEndpoints({
  'audit.list': {
    method: 'GET',
    path: '/audit',
    summary: 'List the actions of users and programs, newest first',
    permission: 'audit:read',
    audience: 'own',
    params: NO_PARAMS,
    query: Type.Object(
      {
        merchantId: Type.Optional(MerchantId),
        ...AUDIT_FILTERS,
        limit: Type.Optional(Limit),
        after: Type.Optional(Cursor),
      },
      { additionalProperties: false },
    ),
    answer: pageOf(AuditEntry),
    command: 'audit list',
  },
  'audit.verify': {
    method: 'GET',
    path: '/audit/verification',
    summary: 'Check the chains of the audit log now, and show the newest entry of each chain',
    permission: 'audit:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: Type.Object({
      ok: Type.Boolean(),
      invariants: Type.Array(Invariant),
      heads: Type.Array(Type.Pick(AuditEntry, ['merchantId', 'number', 'hash']), {
        description:
          'The newest entry of each chain. Store these entries outside the gateway: a later check must find each of them in its chain',
      }),
    }),
    command: 'audit verify',
  },
  'books.verify': {
    method: 'GET',
    path: '/invariants',
    summary: 'Check all invariants of the books now',
    permission: 'ledger:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: Type.Object({ ok: Type.Boolean(), invariants: Type.Array(Invariant) }),
    command: 'verify',
  },
});
