/** The parts that several answers share. Amounts are decimal texts with their currency; times are ISO 8601 in UTC. */
import { type Static, type TSchema, Type } from 'typebox';
import { HISTORY_REASONS } from '../texts/history-reasons.ts';
import { WAIT_REASONS } from '../texts/wait-reasons.ts';

export const Time = Type.String({
  format: 'date-time',
  description: 'ISO 8601, UTC',
  examples: ['2026-11-23T10:00:00.000Z'],
});

export const Day = Type.String({
  format: 'date',
  description: 'A day in the provider’s time zone',
  examples: ['2026-11-23'],
});

export const MerchantId = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  description: 'The public identifier of a merchant',
  examples: ['M1'],
});

export const CurrencyCode = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217', examples: ['EUR'] });

export const Amount = Type.String({
  pattern: '^-?\\d{1,20}(\\.\\d{1,3})?$',
  description: 'A decimal amount with the digits of its currency',
  examples: ['10.00'],
});

export const Money = Type.Object(
  { amount: Amount, currency: CurrencyCode },
  { additionalProperties: false, description: 'An amount with its currency' },
);
export type Money = Static<typeof Money>;

export const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  description: 'The reason, which the history of the object keeps.',
});

export const RailName = Type.String({
  pattern: '^[a-z0-9-]{1,40}$',
  description: 'The name of a rail',
  examples: ['acme-bank'],
});

/** Why an object waits, and what happens next. */
export const Explanation = Type.Object({
  reason: Type.Enum([...WAIT_REASONS], { description: 'The reason, as a code for programs' }),
  waitsFor: Type.String(),
  since: Time,
  next: Type.String({ description: 'What the gateway does next' }),
  nextAt: Type.Union([Time, Type.Null()], { description: 'Null if nothing happens until someone acts' }),
  merchantCan: Type.String({ description: 'What the merchant can do' }),
  note: Type.String({ description: 'The result of the last step. Empty if there is none' }),
});
export type Explanation = Static<typeof Explanation>;

/** How long the payments of the rail took to their result, over the last two weeks. */
export const Pace = Type.Object(
  {
    payments: Type.Integer({ description: 'The number of payments behind these figures' }),
    halfMs: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The median time to the result. Null if it exceeds a day',
    }),
    mostMs: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The 95th percentile of the time to the result. Null if it exceeds a day',
    }),
  },
  { description: 'The time to the result of payments by its rail, over the last two weeks' },
);
export type Pace = Static<typeof Pace>;

/** A reason of the table `texts`, as a code with its values. */
export function codedReason<Code extends string>(texts: Readonly<Record<Code, unknown>>) {
  return Type.Object({ code: Type.Enum(Object.keys(texts) as Code[]), values: Type.Array(Type.String()) });
}

export const HistoryEntry = Type.Object({
  at: Time,
  event: Type.String(),
  from: Type.Union([Type.String(), Type.Null()]),
  to: Type.String(),
  actor: Type.String({
    description:
      'A user, a token, a rail, "merchant", "payer" or "gateway". Merchants see "operator" for operator users and tokens',
  }),
  detail: Type.String(),
  reasons: Type.Array(codedReason(HISTORY_REASONS), {
    description: 'The detail as codes, if it is the gateway’s own text',
  }),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

export const Limit = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 50,
  description: 'The maximum number of items',
});

export const Cursor = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'The `next` of the previous page. Opaque.',
});

/** A movement of money between two accounts of the ledger. */
export const LedgerLine = Type.Object({
  at: Time,
  journal: Type.String({ description: 'The journal of the movement. Movements of one journal were posted together' }),
  kind: Type.String({ description: 'The kind of movement, such as reserve, payout or payout_fee' }),
  debit: Type.String({ description: 'The account that the amount leaves' }),
  credit: Type.String({ description: 'The account that the amount enters' }),
  amount: Amount,
  currency: CurrencyCode,
  note: nullable(Type.String(), 'The reason, if a user posted it'),
});
export type LedgerLine = Static<typeof LedgerLine>;

/** The query of a list that shows the most urgent items first, and no more. */
export const OVERDUE_QUERY = Type.Object({ limit: Type.Optional(Limit) }, { additionalProperties: false });

/** One page of a list, newest first unless the endpoint says otherwise. */
export function pageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'The cursor of the next page. Null on the last page',
    }),
  });
}

export const NO_PARAMS = Type.Object({}, { additionalProperties: false });
/** The filter of a list by time. */
export const PERIOD = {
  from: Type.Optional({ ...Time, description: 'At this time or later' }),
  to: Type.Optional({ ...Time, description: 'Before this time' }),
};

export const NO_QUERY = Type.Object({}, { additionalProperties: false });

/** An error, as RFC 9457 describes it. */
export const Problem = Type.Object({
  type: Type.String({ description: 'The page of the documentation about this kind of error' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: 'The error in this request, and how to correct it' }),
  field: Type.Optional(
    Type.String({ description: 'The invalid field: a JSON pointer into the body, or the name of a query parameter' }),
  ),
  requestId: Type.String({ description: 'The id of the request, to quote to support' }),
});
export type Problem = Static<typeof Problem>;

export function nullable<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

/** An object that belongs to a payment. */
export const Related = Type.Object({
  kind: Type.Enum(['order', 'attempt', 'refund', 'reversal', 'chargeback', 'batch', 'proposal']),
  id: Type.String({
    description:
      'Identifies the related object: an order, the reference of an attempt, the payout of a refund or the provider’s key of the refund, the key of a reversal or chargeback, a batch, or a proposal',
  }),
  state: nullable(Type.String()),
  at: nullable(Time),
});
export type Related = Static<typeof Related>;
