/** Reads the query of a list into the query of the domain, and writes its pages. */
import {
  type ListName,
  type ListPage,
  type ListQuery,
  PLACE_PARTS,
  type Place,
} from '../../../domain/lists/list-store.ts';
import type { Caller } from '../../../domain/people/caller.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { isCurrency } from '../../../foundation/currency.ts';
import { parseAmount } from '../../../foundation/money.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { INVALID_CURSOR, type ManageProblem } from '../problems.ts';
import { readCursor, writeCursor } from './cursor.ts';

/** The query of any list, as its schema read it. */
export type AnyListQuery = Readonly<Record<string, string | number | boolean | undefined>>;

export function readListQuery(
  list: ListName,
  query: AnyListQuery,
  { merchantId }: Pick<Caller, 'merchantId'>,
): Result<ListQuery, ManageProblem> {
  const { merchantId: named, from, to, limit = 50, after, minAmount, maxAmount, ...rest } = query;
  const place = after === undefined ? null : readPlace(String(after), list);
  if (place === undefined) return fail(INVALID_CURSOR);
  if (rest['batchId'] !== undefined && merchantId === null && named === undefined)
    return fail({ code: 'invalid-request', field: 'batchId', detail: 'batchId needs a merchantId.' });
  const given = Object.entries(rest).filter(([, value]) => value !== undefined) as [string, string | number][];
  const filters: Record<string, string | number | bigint> = Object.fromEntries(given);
  for (const [field, amount] of Object.entries({ minAmount, maxAmount })) {
    if (amount === undefined) continue;
    const currency = String(query['currency'] ?? '');
    const money = isCurrency(currency) ? parseAmount(String(amount), currency) : undefined;
    if (!money) return fail({ code: 'invalid-request', field, detail: `${field} needs a currency and its decimals.` });
    filters[field] = money.minor;
  }
  return ok({
    from: instantOf(from),
    to: instantOf(to),
    merchantId: merchantId ?? (named === undefined ? null : String(named)),
    after: place,
    limit: Number(limit),
    filters,
  });
}

function instantOf(text: string | number | boolean | undefined): Instant | null {
  return text === undefined ? null : Date.parse(String(text));
}

const PARTS = {
  number: (part: unknown) => Number.isSafeInteger(part),
  small: (part: unknown) => Number.isSafeInteger(part) && Math.abs(part as number) < 2 ** 15,
  text: (part: unknown) => typeof part === 'string' && !part.includes('\0'),
};

function readPlace(cursor: string, list: ListName): Place | undefined {
  const [at, ...key] = readCursor(cursor) ?? [];
  const parts = PLACE_PARTS[list];
  if (!isInstant(at) || key.length !== parts.length) return undefined;
  return parts.every((kind, index) => PARTS[kind](key[index])) ? { at, key: key as (string | number)[] } : undefined;
}

/** The time of a payment, at most: 9999 is the last year that ISO 8601 writes in four digits. */
const LATEST = Date.UTC(9999, 11, 31);

function isInstant(value: unknown): value is Instant {
  return typeof value === 'number' && value >= 0 && value <= LATEST;
}

export function viewPage<Item, View>({ items, next }: ListPage<Item>, view: (item: Item) => View) {
  return { items: items.map(view), next: next && writeCursor([next.at, ...next.key]) };
}
