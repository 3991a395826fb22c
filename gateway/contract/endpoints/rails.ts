/** Rails, pauses of payouts, and the differences between providers and the ledger. */
import { type Static, Type } from 'typebox';
import {
  Amount,
  CurrencyCode,
  Day,
  MerchantId,
  NO_PARAMS,
  NO_QUERY,
  nullable,
  RailName,
  Reason,
  Time,
} from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { DRY_RUN_QUERY } from '../parts/rehearsals.ts';
import { PAYOUT_STAGES } from '../texts/states.ts';

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
  ours: Type.String({ description: 'The payment as the ledger records it' }),
  theirs: Type.String({ description: 'The payment as the provider reports it' }),
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

export const RailFloat = Type.Object({
  currency: CurrencyCode,
  amount: nullable(Amount, 'Null if the gateway has not read it yet'),
  readAt: nullable(Time),
  threshold: nullable(Amount, 'The gateway raises the alert float_low below this amount. Null if the alert is off'),
  isLow: Type.Boolean(),
});
export type RailFloat = Static<typeof RailFloat>;

export const Rail = Type.Object({
  name: Type.String(),
  methods: Type.Array(Type.Integer(), { description: 'The payout methods that the rail carries' }),
  purposes: Type.Array(Type.String(), { description: 'The purposes of its payouts: payouts, returns or refunds' }),
  simulated: Type.Boolean({ description: 'True if the rail does not move real money' }),
  notifies: Type.Boolean({ description: 'True if the provider notifies the gateway of outcomes' }),
  hours: nullable(
    Type.String({ examples: ['Mon-Fri 08:30-17:00 America/Toronto'] }),
    'Null if the rail is always open',
  ),
  pause: nullable(Type.Object({ reason: Type.String(), since: Time })),
  workers: Type.Array(
    Type.Object({
      breaker: Type.Enum(['closed', 'half_open', 'open'], {
        description: 'The state of the circuit breaker. open: the worker stopped its calls to the rail',
      }),
      inFlight: Type.Integer(),
    }),
    { description: 'The reports of each worker in the last half minute' },
  ),
  floats: Type.Array(RailFloat, { description: 'The prefunded balances at the provider' }),
});
export type Rail = Static<typeof Rail>;

const RailSetup = Type.Object({
  name: Type.String(),
  isConnected: Type.Boolean({ description: 'True if a running process is configured for the rail' }),
  variables: Type.Array(
    Type.Object({
      name: Type.String(),
      meaning: Type.String(),
      accepts: Type.String({ description: 'A description of the accepted values' }),
      state: Type.Enum(['set', 'default', 'missing', 'optional'], {
        description: 'missing: the rail requires the variable. default: the variable is unset, and its default applies',
      }),
    }),
    { description: 'The environment variables of the answering process, without their values' },
  ),
});
export type RailSetup = Static<typeof RailSetup>;

const RailFinding = Type.Object({
  about: Type.Enum(['address', 'credentials']),
  result: Type.Enum(['success', 'failed', 'unknown'], {
    description: 'unknown: the provider has no read-only endpoint that can test this',
  }),
  found: Type.String(),
  remedy: Type.String(),
});
export type RailFinding = Static<typeof RailFinding>;

const RunningProcess = Type.Object({
  processId: Type.String(),
  role: Type.String({ description: 'The role: all, api, worker or manage' }),
  version: Type.String(),
  host: Type.String({ description: 'The host name of the machine' }),
  rails: Type.Array(Type.String(), { description: 'The rails that the process is configured for' }),
  since: Time,
  seenAt: Time,
});
export type RunningProcess = Static<typeof RunningProcess>;

const Queues = Type.Object({
  payouts: Type.Array(
    Type.Object({
      rail: Type.String(),
      stage: Type.Enum([...PAYOUT_STAGES]),
      count: Type.Integer(),
      oldestSince: { ...Time, description: 'The time at which the oldest payout in this stage entered it' },
    }),
  ),
  lateRails: Type.Array(Type.Object({ rail: Type.String(), oldestDueAt: Time }), {
    description: 'Rails with a payout that is due and that no worker has claimed',
  }),
  callbacks: Type.Object({
    waiting: Type.Integer({ description: 'Callbacks to deliver, now or later' }),
    oldestDueAt: nullable(Time, 'Null if no callback is due'),
    lanesPaused: Type.Integer({
      description: 'Merchants whose callbacks the gateway paused, because their server keeps failing',
    }),
  }),
});

const NamedRail = Type.Object({ rail: RailName });

const ProviderExchange = Type.Object({
  call: Type.String({ description: 'The operation of the rail, such as send or ask' }),
  answer: Type.String({ description: 'How the rail interpreted the response to the complete operation' }),
  at: Time,
  durationMs: Type.Integer({ description: 'The duration of the complete operation' }),
  method: Type.String(),
  path: Type.String(),
  request: Type.String({
    description: 'Card numbers and secrets are masked. Without personal:read, personal data is masked as well',
  }),
  status: nullable(Type.Integer(), 'Null if no complete response arrived'),
  reply: Type.String(),
  failure: Type.String({ description: 'Why no complete response arrived' }),
});
export type ProviderExchange = Static<typeof ProviderExchange>;

export const RAIL_ENDPOINTS = defineEndpoints({
  'rails.exchanges': {
    method: 'GET',
    path: '/rails/{rail}/exchanges/{reference}',
    summary: 'Show the requests to the provider about an attempt and its responses, for 14 days',
    permission: 'payouts:read',
    audience: 'operator',
    params: Type.Object({
      rail: RailName,
      reference: Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w-]+$' }),
    }),
    query: NO_QUERY,
    answer: Type.Object({ items: Type.Array(ProviderExchange) }),
    showsPersonal: 'always',
    command: 'rail exchanges',
  },
  'rails.list': {
    method: 'GET',
    path: '/rails',
    summary: 'List the configured rails with health, hours and floats',
    permission: 'rails:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: Type.Object({ items: Type.Array(Rail) }),
    command: 'rail list',
  },
  'rails.show': {
    method: 'GET',
    path: '/rails/{rail}',
    summary: 'Show a rail with health, hours and floats',
    permission: 'rails:read',
    audience: 'operator',
    params: NamedRail,
    query: NO_QUERY,
    answer: Rail,
    command: 'rail show',
  },
  'rails.setups': {
    method: 'GET',
    path: '/rail-setups',
    summary: 'List the rails with a provider, the variables that each needs, and which are missing',
    permission: 'rails:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: Type.Object({ items: Type.Array(RailSetup) }),
  },
  'rails.test': {
    method: 'POST',
    path: '/rails/{rail}/test',
    summary: 'Test the URL and the credentials of a rail with a read-only request; this does not move money',
    permission: 'rails:write',
    audience: 'operator',
    unrecorded: true,
    params: NamedRail,
    query: NO_QUERY,
    answer: Type.Object({ items: Type.Array(RailFinding) }),
  },
  'processes.list': {
    method: 'GET',
    path: '/processes',
    summary: 'List the running processes of the gateway, with their versions and rails',
    permission: 'rails:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: Type.Object({ items: Type.Array(RunningProcess) }),
    command: 'process list',
  },
  'queues.show': {
    method: 'GET',
    path: '/queues',
    summary: 'Show how many payouts and callbacks are queued, and since when',
    permission: 'rails:read',
    audience: 'operator',
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: Queues,
    command: 'queue list',
  },
  'rails.setHours': {
    method: 'PUT',
    path: '/rails/{rail}/hours',
    summary: 'Set the opening hours of a rail; outside them payouts wait or take another route',
    permission: 'rails:write',
    audience: 'operator',
    rehearsal: 'rule',
    params: NamedRail,
    query: DRY_RUN_QUERY,
    body: Type.Object(
      {
        hours: nullable(
          Type.String({ minLength: 1, maxLength: 500 }),
          'Days, times and a time zone. Null opens the rail always',
        ),
      },
      { additionalProperties: false },
    ),
    answer: Type.Object({ hours: nullable(Type.String()) }),
    command: 'rail hours',
  },
  'rails.setThreshold': {
    method: 'PUT',
    path: '/rails/{rail}/thresholds/{currency}',
    summary: 'Set the threshold of the alert float_low for a prefunded balance',
    permission: 'rails:write',
    audience: 'operator',
    rehearsal: 'rule',
    params: Type.Object({ rail: RailName, currency: CurrencyCode }),
    query: DRY_RUN_QUERY,
    body: Type.Object({ threshold: nullable(Amount, 'Null disables the alert') }, { additionalProperties: false }),
    answer: Type.Object({ threshold: nullable(Amount) }),
    command: 'rail set-float-threshold',
  },
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
    rehearsal: 'rule',
    params: NamedPause,
    query: DRY_RUN_QUERY,
    body: Type.Object({ reason: Reason }, { additionalProperties: false }),
    answer: Type.Object({ paused: Type.Boolean({ description: 'False if it was already paused' }) }),
    command: 'pause',
  },
  'pauses.resume': {
    method: 'DELETE',
    path: '/pauses/{scope}/{target}',
    summary: 'Resume paused payouts',
    permission: 'rails:write',
    audience: 'operator',
    rehearsal: 'rule',
    params: NamedPause,
    query: DRY_RUN_QUERY,
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
        all: Type.Optional(Type.Boolean({ default: false, description: 'Include resolved differences' })),
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
    summary: 'Record the cause of a difference; this does not move money',
    permission: 'reconciliation:write',
    audience: 'operator',
    rehearsal: 'rule',
    params: NamedDifference,
    query: DRY_RUN_QUERY,
    body: Type.Object(
      { reason: { ...Reason, description: 'The cause and the remedy' } },
      { additionalProperties: false },
    ),
    answer: Type.Object({ resolved: Type.Boolean() }),
    command: 'difference resolve',
  },
});
