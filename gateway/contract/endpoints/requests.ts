/** The request log: the requests of merchants to the payment interface, and the reasons of rejections. */
import { type Static, Type } from 'typebox';
import { MerchantId, NO_QUERY, nullable, Time } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';

export const Endpoint = Type.Enum(['payout_send', 'payout_status', 'balance', 'list', 'host2host', 'form'], {
  description: 'The endpoint of the merchants’ API',
});

export const Outcome = Type.Enum(['accepted', 'rejected', 'unproven'], {
  description:
    'unproven: the gateway rejected the request before it authenticated the sender, so anyone may have sent it',
});

export const LoggedRequest = Type.Object({
  merchantId: MerchantId,
  requestId: Type.String(),
  receivedAt: Time,
  endpoint: Endpoint,
  outcome: Outcome,
  reason: Type.String({ description: 'The kind of the rejection. Empty for an accepted request' }),
  description: Type.String({ description: 'The error message in the response to a rejected request' }),
  method: Type.String(),
  httpStatus: Type.Integer(),
  clientAddress: Type.String(),
  durationMs: Type.Integer(),
  subjectId: nullable(Type.String(), 'The merchant’s id of the payout or the order in the request'),
});
export type LoggedRequest = Static<typeof LoggedRequest>;

/** Bytes as text, each byte that is not UTF-8 replaced. */
const Shown = Type.Object({
  text: Type.String({
    description: 'Card numbers and secrets are masked. Without personal:read, personal data is masked as well',
  }),
  bytes: Type.Integer({ description: 'The length of the complete string' }),
});

export const RequestRecord = Type.Object({
  ...LoggedRequest.properties,
  headers: Type.Record(Type.String(), Type.String()),
  request: Shown,
  reply: Shown,
  canExplain: Type.Boolean({ description: 'True if the signature doctor can examine the signature' }),
});
export type RequestRecord = Static<typeof RequestRecord>;

const Finding = Type.Object({
  part: Type.Enum(['sign', 'x_sign']),
  kind: Type.Enum(['right', 'absent', 'mistake', 'unknown', 'no_key'], {
    description: 'unknown: no known mistake makes this signature. no_key: the merchant has no key for the endpoint',
  }),
  mistakes: Type.Array(
    Type.Object({
      id: Type.String({ description: 'A code for programs' }),
      text: Type.String(),
      field: nullable(Type.String()),
    }),
    { description: 'The mistake, or two mistakes that together explain the signature' },
  ),
  text: Type.String({ description: 'Another finding about the signature' }),
  expected: nullable(Type.String(), 'The text to sign, with a placeholder for the key and masked values'),
  signed: nullable(Type.String(), 'The string that was signed'),
  differsAt: nullable(Type.Integer(), 'The position of the first byte at which the strings differ'),
});
export type Finding = Static<typeof Finding>;

const NamedRequest = Type.Object({
  merchantId: MerchantId,
  requestId: Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w-]+$' }),
});

export const REQUEST_ENDPOINTS = defineEndpoints({
  'requests.show': {
    method: 'GET',
    path: '/merchants/{merchantId}/requests/{requestId}',
    summary: 'Show a logged request with its bytes and its response',
    permission: 'requests:read',
    audience: 'own',
    params: NamedRequest,
    query: NO_QUERY,
    answer: RequestRecord,
    showsPersonal: 'always',
    command: 'request show',
  },
  'requests.explain': {
    method: 'GET',
    path: '/merchants/{merchantId}/requests/{requestId}/signature',
    summary: 'Identify the mistake behind the invalid signature of a logged request. Only merchant users may call it',
    permission: 'signatures:explain',
    audience: 'own',
    params: NamedRequest,
    query: NO_QUERY,
    answer: Type.Object({ findings: Type.Array(Finding) }),
    showsPersonal: 'always',
    command: 'signature explain',
  },
});
