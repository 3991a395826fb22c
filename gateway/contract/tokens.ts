/** API tokens: the credentials of programs. */
import { type Static, Type } from 'typebox';
import { MerchantId, NO_PARAMS, NO_QUERY, nullable, Time } from './answer-parts.ts';
import { defineEndpoints } from './endpoint.ts';
import { SCOPE_NAMES } from './permissions.ts';
import { DRY_RUN_QUERY } from './rehearsals.ts';

const Scopes = Type.Array(Type.Enum(SCOPE_NAMES), { minItems: 1, uniqueItems: true });

export const Token = Type.Object({
  tokenId: Type.String(),
  name: Type.String(),
  merchantId: nullable(MerchantId),
  scopes: Scopes,
  createdAt: Time,
  expiresAt: Time,
  revokedAt: nullable(Time),
  lastUsedAt: nullable(Time),
});
export type Token = Static<typeof Token>;

export const TOKEN_ENDPOINTS = defineEndpoints({
  'tokens.create': {
    method: 'POST',
    path: '/tokens',
    summary: 'Create an API token; the answer shows its secret once',
    permission: 'tokens:write',
    audience: 'operator',
    rehearsal: 'rule',
    stepUp: true,
    params: NO_PARAMS,
    query: DRY_RUN_QUERY,
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'The program that uses it' }),
        merchantId: Type.Optional(nullable(MerchantId)),
        scopes: Scopes,
        days: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 366, default: 90, description: 'How long it is valid' }),
        ),
      },
      { additionalProperties: false },
    ),
    answer: Type.Object({ token: Token, secret: Type.String() }),
    secretFields: ['secret'],
    command: 'token create',
  },
  'tokens.list': {
    method: 'GET',
    path: '/tokens',
    summary: 'List API tokens without their secrets, newest first',
    permission: 'tokens:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: Type.Object({ items: Type.Array(Token) }),
    command: 'token list',
  },
  'tokens.revoke': {
    method: 'POST',
    path: '/tokens/{tokenId}/revoke',
    summary: 'Revoke an API token now',
    permission: 'tokens:write',
    audience: 'operator',
    params: Type.Object({ tokenId: Type.String({ minLength: 1, maxLength: 64 }) }),
    query: NO_QUERY,
    answer: Token,
    command: 'token revoke',
  },
});
