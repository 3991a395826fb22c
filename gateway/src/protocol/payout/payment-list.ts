/**
 * POST /api/payment-list: a merchant's transactions of a period, oldest first (decisions, Answers: list). Deposits do not
 * exist yet, so a list of them is empty, and so is a list of failed withdrawals, which are called blocked.
 */
import type { Payout } from '../../domain/payouts/payout.ts';
import type { PayoutRefusal } from '../../domain/payouts/payout-refusal.ts';
import type { PayoutListQuery, PayoutStore } from '../../domain/payouts/payout-store.ts';
import { formatUtc, type Instant } from '../../foundation/clock.ts';
import { formatAmount } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { JsonObject } from '../http/json-body.ts';
import { coverAll } from './covered-fields.ts';
import { calendarDay, isId } from './formats.ts';
import type { PayoutEndpoint, ReplyRow } from './payout-endpoint.ts';
import { readCurrency } from './read-currency.ts';

export function createPaymentList(payouts: Pick<PayoutStore, 'list'>): PayoutEndpoint {
  return {
    path: '/api/payment-list',
    rateSetting: 'status_rate_limit',
    cover: coverAll,
    async answer({ merchant, body }) {
      const query = readListQuery(body, merchant.merchantId);
      if (!query.ok) return query;
      const found = query.value === 'nothing' ? [] : await payouts.list(query.value);
      return ok({ kind: 'rows', rows: found.map(describeRow) });
    },
  };
}

/** `finished_at` is the empty text until there is one, as absent texts are everywhere in this interface. */
function describeRow(payout: Payout): ReplyRow {
  return {
    id: payout.transactionId,
    order_id: payout.payoutId,
    status: payout.state,
    amount: formatAmount(payout.money),
    currency: payout.money.currency,
    created_at: formatUtc(payout.acceptedAt),
    finished_at: payout.finishedAt === null ? '' : formatUtc(payout.finishedAt),
  };
}

const MAX_ROWS = 1_000;
const STATUSES = ['all', 'pending', 'success', 'blocked', 'fail'] as const;
const TYPES = ['deposit', 'withdrawal'] as const;

/** How each field of the request is read; undefined = `Invalid {field}`. Checked in this order. */
const READERS = {
  order: (text: string | undefined) => (text !== undefined && isId(text) ? text : undefined),
  start_date: readDate,
  finish_date: readDate,
  status: (text: string | undefined) => STATUSES.find((status) => status === text),
  type: (text: string | undefined) => TYPES.find((type) => type === text),
  after: (text: string | undefined) => (text === undefined ? null : readWhole(text, 0, Number.MAX_SAFE_INTEGER)),
  limit: (text: string | undefined) => (text === undefined ? MAX_ROWS : readWhole(text, 1, MAX_ROWS)),
} as const;

type ListField = keyof typeof READERS;
type ListFields = { readonly [Name in ListField]: Exclude<ReturnType<(typeof READERS)[Name]>, undefined> };

function readListQuery(body: JsonObject, merchantId: string): Result<PayoutListQuery | 'nothing', PayoutRefusal> {
  const currency = readCurrency(body);
  if (!currency.ok) return currency;
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(READERS)) {
    const value = body.get(name) ?? undefined;
    const known = value === undefined || typeof value === 'string' ? read(value) : undefined;
    if (known === undefined) return fail({ kind: 'invalid_field', field: name });
    values[name] = known;
  }
  const { order, start_date: from, finish_date: to, status, type, after, limit } = values as ListFields;
  if (to < from) return fail({ kind: 'invalid_field', field: 'finish_date' });
  if (type === 'deposit' || status === 'fail' || to === from) return ok('nothing');
  const payoutId = order === '0' ? null : order;
  return ok({ merchantId, currency: currency.value, payoutId, from, to, state: status, after, limit });
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?: ([01]\d|2[0-3]):([0-5]\d):([0-5]\d))?$/;

/** A day (its first moment) or a second, UTC; undefined for what no calendar has. */
function readDate(text: string | undefined): Instant | undefined {
  const match = DATE.exec(text ?? '');
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const start = calendarDay(year, month, day);
  return start === undefined ? undefined : start + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}

function readWhole(text: string, lowest: number, highest: number): number | undefined {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return value >= lowest && value <= highest ? value : undefined;
}
