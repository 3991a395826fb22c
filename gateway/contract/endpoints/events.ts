/** Everything that happened, as a cursor to poll and as a stream of the same. */
import { type Static, Type } from 'typebox';
import { Cursor, Limit, MerchantId, NO_PARAMS, nullable, Time } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';

export const GatewayEvent = Type.Object({
  id: Type.String({ description: 'The cursor after this event' }),
  at: Time,
  merchantId: MerchantId,
  object: Type.Enum(['payout', 'deposit', 'callback', 'act', 'batch']),
  objectId: Type.String({
    description: 'The id of the payout, the order or the callback, or the path of an action’s object',
  }),
  event: Type.String(),
  from: nullable(Type.String()),
  to: Type.String(),
  actor: Type.String(),
  detail: Type.String(),
});
export type GatewayEvent = Static<typeof GatewayEvent>;

const queryFrom = (start: string) => ({
  merchantId: Type.Optional(MerchantId),
  after: Type.Optional({
    ...Cursor,
    description: `The \`next\` of a page or the \`id\` of an event; "now": from here on. Default: ${start}`,
  }),
});

const EVENTS = { method: 'GET', permission: 'events:read', audience: 'own', params: NO_PARAMS } as const;

export const EVENT_ENDPOINTS = defineEndpoints({
  'events.list': {
    ...EVENTS,
    path: '/events',
    summary: 'List the events of payouts, deposits, callbacks and settings, in the order of their commits',
    query: Type.Object(
      { ...queryFrom('the first event'), limit: Type.Optional(Limit) },
      { additionalProperties: false },
    ),
    answer: Type.Object({
      items: Type.Array(GatewayEvent),
      next: Type.String({ description: 'The cursor to continue from. The gateway never adds an event before it' }),
      hasMore: Type.Boolean({ description: 'False if no later event exists yet' }),
    }),
    command: 'event list',
  },
});

/** The same events as a stream: `id`, and `data` with the event, until the credential ends. */
export const EVENT_STREAM = {
  ...EVENTS,
  path: '/events/stream',
  summary: 'Stream events as they are committed (text/event-stream); reconnect with Last-Event-ID',
  query: Type.Object(queryFrom('now'), { additionalProperties: false }),
  answer: GatewayEvent,
  media: 'text/event-stream',
} as const;
