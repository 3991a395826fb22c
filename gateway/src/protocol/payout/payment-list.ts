/**
 * POST /api/payment-list: a merchant's transactions of a period, oldest first (decision 27). The same filters apply to
 * payouts and deposits. A filter by a status that the type never has returns an empty list.
 */
import { type Deposit, isDisplaced } from '../../domain/deposits/deposit.ts';
import type { DepositListQuery, DepositStore } from '../../domain/deposits/deposit-store.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { PayoutRejection } from '../../domain/payouts/payout-rejection.ts';
import type { PayoutStore } from '../../domain/payouts/payout-store.ts';
import { isInDoubt } from '../../domain/recovery/recovery.ts';
import { type Clock, formatUtc, type Instant, SECOND_MS } from '../../foundation/clock.ts';
import { NotKnownYet } from '../../foundation/commit-errors.ts';
import { isId, type MerchantId } from '../../foundation/identifiers.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { JsonObject } from '../http/json-body.ts';
import { signedSet } from '../signatures/merchant-signature.ts';
import { coverFields } from './authenticate-request.ts';
import { calendarDay } from './formats.ts';
import type { PayoutEndpoint, ReadRecovery, ReplyRow } from './payout-endpoint.ts';
import { readCurrency } from './read-currency.ts';

/** The signature covers `after` and `limit` if they are sent. Dates may include a time, which contains colons. */
export const LIST_SIGNED = signedSet(['merchant', 'currency', 'order', 'start_date', 'finish_date', 'status', 'type'], {
  optional: ['after', 'limit'],
  isClosed: true,
  withColon: new Set(['start_date', 'finish_date']),
});

export function createPaymentList(
  payouts: Pick<PayoutStore, 'list'>,
  deposits: Pick<DepositStore, 'list'>,
  clock: Clock,
  recovery: ReadRecovery,
): PayoutEndpoint {
  const lists: { readonly [Type in ListFields['type']]: (query: ListQuery) => Promise<readonly ReplyRow[]> } = {
    async withdrawal({ order, status, ...query }) {
      if (status === 'fail') return [];
      return (await payouts.list({ ...query, payoutId: order, state: status })).map(payoutRow);
    },
    async deposit({ order, status, ...query }) {
      if (status === 'blocked') return [];
      return (await deposits.list({ ...query, orderId: order, state: status })).map(depositRow);
    },
  };
  return {
    name: 'list',
    path: '/api/payment-list',
    rateSetting: 'status_rate_limit',
    cover: (body) => coverFields(body, LIST_SIGNED),
    async answer({ merchant, body }) {
      const read = readListRequest(body, merchant.merchantId);
      if (!read.ok) return read;
      const { type, isPage, query } = read.value;
      // A merchant would interpret a missing payout as proof that the gateway never accepted it.
      if (isInDoubt(await recovery(), query.from, query.to)) throw new NotKnownYet('a list of a time in doubt');
      const to = isPage ? Math.min(query.to, clock.now() - COMMITTED_AFTER_MS) : query.to;
      return ok({ kind: 'rows', rows: query.from >= to ? [] : await lists[type]({ ...query, to }) });
    },
  };
}

function payoutRow({ transactionId, payoutId, state, money, acceptedAt, finishedAt }: Payout): ReplyRow {
  return { id: transactionId, order_id: payoutId, status: state, ...moneyAndTimes(money, acceptedAt, finishedAt) };
}

/** The amount is the invoiced one. The callback reports the received amount. */
function depositRow(deposit: Deposit): ReplyRow {
  const { transactionId, orderId, money, createdAt, finishedAt } = deposit;
  const status = depositStatus(deposit);
  return { id: transactionId, order_id: orderId, status, ...moneyAndTimes(money, createdAt, finishedAt) };
}

/** Lists a created deposit as pending. A displaced success is a failure, because its money is held (decision 34). */
function depositStatus(deposit: Deposit): 'pending' | 'success' | 'fail' {
  if (deposit.state === 'created') return 'pending';
  return isDisplaced(deposit) ? 'fail' : deposit.state;
}

/** `finished_at` is empty while pending. The API writes every absent text as an empty one. */
function moneyAndTimes(money: Money, createdAt: Instant, finishedAt: Instant | null): ReplyRow {
  return {
    amount: formatAmount(money),
    currency: money.currency,
    created_at: formatUtc(createdAt),
    finished_at: finishedAt === null ? '' : formatUtc(finishedAt),
  };
}

const MAX_ROWS = 1_000;
/**
 * Every process has committed its older entries. A page ends there: no entry may appear later before the last entry of
 * a page (decision 27). After the same time a merchant can rely on "Payout not found".
 */
const COMMITTED_AFTER_MS = 30 * SECOND_MS;
const STATUSES = ['all', 'pending', 'success', 'blocked', 'fail'] as const;
const TYPES = ['deposit', 'withdrawal'] as const;

/** A parser for each field of the request. Undefined results in `Invalid {field}`. The checks run in this order. */
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

/** The filters for payouts and deposits. */
interface ListQuery extends Omit<DepositListQuery, 'orderId' | 'state'> {
  /** Null selects every order. */
  readonly order: string | null;
  readonly status: ListFields['status'];
}

interface ListRequest {
  readonly type: ListFields['type'];
  /** The merchant reads the list page by page. */
  readonly isPage: boolean;
  readonly query: ListQuery;
}

function readListRequest(body: JsonObject, merchantId: MerchantId): Result<ListRequest, PayoutRejection> {
  const currency = readCurrency(body);
  if (!currency.ok) return currency;
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(READERS)) {
    const value = body.get(name) ?? undefined;
    const known = value === undefined || typeof value === 'string' ? read(value) : undefined;
    if (known === undefined) return fail({ kind: 'invalid_field', field: name });
    values[name] = known;
  }
  const { order: id, start_date: from, finish_date: to, status, type, after, limit } = values as ListFields;
  if (to < from) return fail({ kind: 'invalid_field', field: 'finish_date' });
  const order = id === '0' ? null : id;
  const isPage = body.get('after') != null || body.get('limit') != null;
  return ok({ type, isPage, query: { merchantId, currency: currency.value, order, from, to, status, after, limit } });
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?: ([01]\d|2[0-3]):([0-5]\d):([0-5]\d))?$/;

/** Returns the first moment of a day, or a second, in UTC. Returns undefined if no calendar has it. */
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
