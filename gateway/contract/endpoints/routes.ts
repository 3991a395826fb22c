/** Routes: the rails that the payouts of a method may take. */
import { type Static, Type } from 'typebox';
import {
  Amount,
  CurrencyCode,
  MerchantId,
  NO_PARAMS,
  NO_QUERY,
  nullable,
  RailName,
  Time,
} from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { DRY_RUN } from '../parts/rehearsals.ts';

const Method = Type.Integer({ minimum: 1, maximum: 999, description: 'The number of a payout method' });
const Percent = Type.String({
  pattern: '^\\d{1,3}(\\.\\d{1,4})?$',
  description: 'The provider’s fee in percent of the amount',
  examples: ['1.25'],
});
const Cost = Type.String({
  pattern: '^\\d{1,20}(\\.\\d{1,3})?$',
  description: 'The provider’s fixed fee of a payout',
  examples: ['0.25'],
});

/** The fields of a route that the operator chooses. Amounts are in the currency of the method. */
const CHOICES = {
  rank: Type.Integer({ minimum: 1, maximum: 1_000, description: 'The rank; the gateway uses the lowest first' }),
  weight: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'The share among the rails of the same rank. Null if the cheapest rail comes first',
    }),
  ),
  min: nullable({ ...Amount, description: 'The smallest amount that this route accepts' }),
  max: nullable({ ...Amount, description: 'The largest amount that this route accepts' }),
  costFixed: Cost,
  costPercent: Percent,
};

export const Route = Type.Object({
  method: Method,
  currency: nullable(CurrencyCode),
  merchantId: nullable(MerchantId, 'Null if the route applies to every merchant without routes for this method'),
  rail: RailName,
  ...CHOICES,
});
export type Route = Static<typeof Route>;

const ReplayedSums = Type.Object({
  count: Type.Integer(),
  amount: Type.String({ description: 'Decimal' }),
  cost: Type.String({ description: 'The provider’s fees according to the routes' }),
});
const ReplayedShare = Type.Object({
  method: Method,
  currency: CurrencyCode,
  rail: nullable(RailName, 'Null if no rail accepts these payouts'),
  why: Type.String({ description: 'The reason why no rail accepts them, otherwise empty' }),
  now: ReplayedSums,
  draft: ReplayedSums,
});
export type ReplayedShare = Static<typeof ReplayedShare>;

const NamedRoute = Type.Object({ method: Method, rail: RailName });
const OF_MERCHANT = Type.Object(
  {
    merchantId: Type.Optional({ ...MerchantId, description: 'The merchant of the route. By default the common route' }),
    ...DRY_RUN,
  },
  { additionalProperties: false },
);

export const ROUTE_ENDPOINTS = defineEndpoints({
  'routes.list': {
    method: 'GET',
    path: '/routes',
    summary: 'List all routes; the ETag identifies the complete list',
    permission: 'rails:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: Type.Object({
      version: Type.String({ description: 'The list’s ETag. Send it as If-Match when you change a route' }),
      items: Type.Array(Route),
    }),
    command: 'route list',
  },
  'routes.replay': {
    method: 'POST',
    path: '/routes/replay',
    summary: 'Replay the payouts of the last days through a draft of the routes; nothing changes',
    permission: 'rails:read',
    audience: 'operator',
    unrecorded: true,
    params: NO_PARAMS,
    query: NO_QUERY,
    body: Type.Object(
      {
        days: Type.Integer({ minimum: 1, maximum: 31 }),
        routes: Type.Array(Route, { maxItems: 1_000, description: 'All routes of the draft' }),
      },
      { additionalProperties: false },
    ),
    answer: Type.Object({
      from: Time,
      payouts: Type.Integer({ description: 'The number of replayed payouts, 10,000 at most' }),
      isWhole: Type.Boolean({ description: 'False if there are more payouts, of which the newest were replayed' }),
      items: Type.Array(ReplayedShare),
    }),
  },
  'routes.set': {
    method: 'PUT',
    path: '/routes/{method}/{rail}',
    summary: 'Add or replace the route of a method over a rail',
    permission: 'rails:write',
    audience: 'operator',
    rehearsal: 'rule',
    stepUp: true,
    ifMatch: true,
    params: NamedRoute,
    query: OF_MERCHANT,
    body: Type.Partial(Type.Object(CHOICES), { additionalProperties: false }),
    answer: Route,
    command: 'route set',
  },
  'routes.remove': {
    method: 'DELETE',
    path: '/routes/{method}/{rail}',
    summary: 'Remove a route; a method without routes uses the configured rails in their default order',
    permission: 'rails:write',
    audience: 'operator',
    rehearsal: 'rule',
    stepUp: true,
    ifMatch: true,
    params: NamedRoute,
    query: OF_MERCHANT,
    answer: Type.Object({ removed: Type.Boolean() }),
    command: 'route remove',
  },
});
