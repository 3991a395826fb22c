/** Callbacks: one with every delivery attempt, and how to send it again. */
import { type Static, Type } from 'typebox';
import { Explanation, MerchantId, NO_PARAMS, NO_QUERY, nullable, Time } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { CALLBACK_STATES } from '../texts/states.ts';

const CallbackSubject = Type.Enum(['payout', 'deposit', 'event']);
export const CallbackState = Type.Enum([...CALLBACK_STATES]);

export const Callback = Type.Object({
  merchantId: MerchantId,
  callbackId: Type.String({ description: 'The webhook-id of every attempt' }),
  subject: CallbackSubject,
  subjectId: Type.String({ description: 'The merchant’s id of the payout or the order' }),
  state: CallbackState,
  attempts: Type.Integer(),
  createdAt: Time,
  dueAt: nullable(Time),
  finishedAt: nullable(Time),
});
export type Callback = Static<typeof Callback>;

const Delivery = Type.Object({
  attempt: Type.Integer(),
  startedAt: Time,
  latencyMs: Type.Number(),
  httpStatus: nullable(Type.Integer()),
  outcome: Type.String(),
  reply: Type.String({ description: 'The first KiB of the response, or the failure' }),
  sent: nullable(
    Type.Object({
      method: Type.String(),
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
      body: nullable(Type.String(), 'Null for a GET, whose fields are in the query'),
    }),
    'The exact request that was signed and sent. Null if nothing was sent',
  ),
});

export const CallbackRecord = Type.Object({
  ...Callback.properties,
  payload: Type.Record(Type.String(), Type.String(), {
    description: 'The fields in the order in which they are sent, without the signature',
  }),
  pending: nullable(Explanation),
  deliveries: Type.Array(Delivery),
});
export type CallbackRecord = Static<typeof CallbackRecord>;

const CallbackPace = Type.Object({
  callbacks: Type.Integer({
    description: 'The number of callbacks behind these figures: the newest of the last days, at most 5000',
  }),
  items: Type.Array(
    Type.Object({
      start: { ...Time, description: 'The beginning of the hour' },
      attempts: Type.Integer(),
      accepted: Type.Integer({ description: 'Attempts that the merchant’s server accepted' }),
      halfMs: Type.Number({ description: 'The median response time' }),
      mostMs: Type.Number({ description: 'The 95th percentile of the response time' }),
    }),
  ),
});

const FailingLane = Type.Object({
  merchantId: MerchantId,
  failures: Type.Integer({ description: 'The number of consecutive failed attempts' }),
  since: { ...Time, description: 'The time of the first attempt of the oldest waiting callback' },
  nextAt: nullable(Time, 'The time of the next single attempt. Null if it is due now'),
  callbackId: Type.String({ description: 'The callback of that attempt. Resend it to resume now' }),
});

const NamedCallback = Type.Object({
  merchantId: MerchantId,
  callbackId: Type.String({ minLength: 1, maxLength: 200 }),
});

export const CALLBACK_ENDPOINTS = defineEndpoints({
  'callbacks.show': {
    method: 'GET',
    path: '/merchants/{merchantId}/callbacks/{callbackId}',
    summary: 'Show a callback with every delivery attempt',
    permission: 'callbacks:read',
    audience: 'own',
    params: NamedCallback,
    query: NO_QUERY,
    answer: CallbackRecord,
    command: 'callback show',
  },
  'callbacks.pace': {
    method: 'GET',
    path: '/merchants/{merchantId}/callback-pace',
    summary: 'Show the response times of the merchant’s server to callbacks, by hour',
    permission: 'callbacks:read',
    audience: 'own',
    params: Type.Object({ merchantId: MerchantId }),
    query: Type.Object(
      { hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 168, default: 48 })) },
      { additionalProperties: false },
    ),
    answer: CallbackPace,
  },
  'callbacks.failing': {
    method: 'GET',
    path: '/failing-callbacks',
    summary:
      'List the merchants whose server fails: their callbacks are paused, and single attempts follow until one succeeds',
    permission: 'callbacks:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: Type.Object({ items: Type.Array(FailingLane) }),
    command: 'callback failing',
  },
  'callbacks.test': {
    method: 'POST',
    path: '/merchants/{merchantId}/test-callback',
    summary:
      'Send a signed example to the merchant’s own URL once and show the request and the response. The example is a failed payout, a failed deposit or a refund, and does not refer to a real payment',
    permission: 'callbacks:write',
    audience: 'own',
    params: Type.Object({ merchantId: MerchantId }),
    query: NO_QUERY,
    body: Type.Object({ subject: CallbackSubject }, { additionalProperties: false }),
    answer: Delivery,
    command: 'callback test',
  },
  'callbacks.resend': {
    method: 'POST',
    path: '/merchants/{merchantId}/callbacks/{callbackId}/resend',
    summary: 'Send a callback again now, with a new retry schedule',
    permission: 'callbacks:write',
    audience: 'own',
    params: NamedCallback,
    query: NO_QUERY,
    answer: Type.Object({ before: CallbackState }),
    command: 'callback resend',
  },
  'callbacks.resendUndelivered': {
    method: 'POST',
    path: '/merchants/{merchantId}/resend-undelivered-callbacks',
    summary: 'Send all undelivered callbacks of a merchant again now',
    permission: 'callbacks:write',
    audience: 'own',
    params: Type.Object({ merchantId: MerchantId }),
    query: NO_QUERY,
    body: Type.Object(
      { since: Type.Optional({ ...Time, description: 'Only callbacks created at or after this time' }) },
      { additionalProperties: false },
    ),
    answer: Type.Object({ resent: Type.Integer() }),
    command: 'callback resend',
  },
});
