/** Statements of a merchant's money, and the keys that sign them. */
import { type Static, Type } from 'typebox';
import { Amount, CurrencyCode, MerchantId, NO_PARAMS, NO_QUERY, nullable, Time } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { DRY_RUN_QUERY } from '../parts/rehearsals.ts';

const Total = { ...Amount, description: 'available plus reserved, minus owed' };
const StatementBalance = Type.Object({ available: Amount, reserved: Amount, owed: Amount, total: Total });

const StatementLine = Type.Object({
  at: Time,
  kind: Type.String({ description: 'The kind of posting, as a code for programs' }),
  description: Type.String(),
  amount: { ...Amount, description: 'Negative if the merchant’s money decreased' },
  balance: { ...Total, description: 'The running total after the line' },
  payoutId: nullable(Type.String()),
  orderId: nullable(Type.String()),
  transactionId: nullable(Type.Integer()),
  reference: Type.String({ description: 'The id of the journal in the ledger' }),
});
export type StatementLine = Static<typeof StatementLine>;

const Statement = Type.Object({
  merchantId: MerchantId,
  currency: CurrencyCode,
  from: Time,
  until: Time,
  isFinal: Type.Boolean({
    description: 'False if the period is not closed yet. The statement is then provisional and not signed',
  }),
  opening: StatementBalance,
  closing: StatementBalance,
  lineCount: Type.Integer(),
  totals: Type.Array(
    Type.Object({ kind: Type.String(), description: Type.String(), lines: Type.Integer(), amount: Amount }),
    { description: 'One total per kind of line. Opening plus all totals equals closing' },
  ),
  lines: Type.Array(StatementLine),
});
export type Statement = Static<typeof Statement>;

const StatementKey = Type.Object({
  keyId: Type.String(),
  publicKey: Type.String({ description: 'The Ed25519 public key: 32 bytes in base64url' }),
  createdAt: Time,
});

export const STATEMENT_ENDPOINTS = defineEndpoints({
  'statements.show': {
    method: 'GET',
    path: '/merchants/{merchantId}/statement',
    summary: 'Write the statement of a period as JSON, CSV, XLSX or PDF, signed if the period is closed',
    permission: 'ledger:read',
    audience: 'own',
    params: Type.Object({ merchantId: MerchantId }),
    query: Type.Object(
      {
        currency: CurrencyCode,
        from: Time,
        until: { ...Time, description: 'The end of the period, exclusive, at most 366 days after its beginning' },
        format: Type.Optional(Type.Enum(['json', 'csv', 'xlsx', 'pdf'], { default: 'json' })),
      },
      { additionalProperties: false },
    ),
    answer: Type.Object({
      statement: Statement,
      signature: nullable(Type.String({ description: 'A compact JWS. Null if the statement is provisional' })),
    }),
    files: ['text/csv', 'application/pdf', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    command: 'statement export',
  },
  'statementKeys.list': {
    method: 'GET',
    path: '/merchants/{merchantId}/statement-keys',
    summary: 'List the public keys that sign the statements of a merchant, newest first',
    permission: 'ledger:read',
    audience: 'own',
    params: Type.Object({ merchantId: MerchantId }),
    query: NO_QUERY,
    answer: Type.Object({ items: Type.Array(StatementKey) }),
    command: 'statement keys',
  },
  'statementKeys.rotate': {
    method: 'POST',
    path: '/statement-keys',
    summary: 'Create a key that signs later statements; old keys still verify older ones',
    permission: 'vault:write',
    audience: 'operator',
    rehearsal: 'rule',
    params: NO_PARAMS,
    query: DRY_RUN_QUERY,
    answer: StatementKey,
    command: 'statement rotate-key',
  },
});
