/** API tokens: the credentials of programs. */
import { type Static, Type } from 'typebox';
import { MerchantId, NO_PARAMS, nullable, Time } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { DRY_RUN } from '../parts/rehearsals.ts';
import { SCOPE_NAMES } from '../permissions.ts';

const Scopes = Type.Array(Type.Enum(SCOPE_NAMES), {
  minItems: 1,
  uniqueItems: true,
  description:
    'The permissions of the token, all of which the caller must have. If the creator loses a permission, the token loses it too',
});

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

const OF_MERCHANT = {
  merchantId: Type.Optional({
    ...MerchantId,
    description: 'The merchant of the token. By default the caller’s own merchant, or the operator',
  }),
};
const LISTED = {
  merchantId: Type.Optional({
    ...MerchantId,
    description: 'Only tokens of this merchant. A merchant’s caller sees only its own tokens',
  }),
};
const REHEARSED = Type.Object({ ...OF_MERCHANT, ...DRY_RUN }, { additionalProperties: false });

export const TOKEN_ENDPOINTS = defineEndpoints({
  'tokens.create': {
    method: 'POST',
    path: '/tokens',
    summary: 'Create an API token; the response contains its secret once',
    permission: 'tokens:write',
    audience: 'own',
    rehearsal: 'rule',
    stepUp: true,
    params: NO_PARAMS,
    query: REHEARSED,
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'The program that uses it' }),
        scopes: Scopes,
        days: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 366, default: 90, description: 'The number of days until it expires' }),
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
    audience: 'own',
    params: NO_PARAMS,
    query: Type.Object(LISTED, { additionalProperties: false }),
    answer: Type.Object({ items: Type.Array(Token) }),
    command: 'token list',
  },
  'tokens.revoke': {
    method: 'POST',
    path: '/tokens/{tokenId}/revoke',
    summary: 'Revoke an API token, and the tokens that it created, immediately',
    permission: 'tokens:write',
    audience: 'own',
    rehearsal: 'rule',
    params: Type.Object({ tokenId: Type.String({ minLength: 1, maxLength: 64 }) }),
    query: REHEARSED,
    answer: Token,
    command: 'token revoke',
  },
});
