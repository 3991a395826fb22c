/**
 * Reads one page of a list, newest first, by an index that has the order of the list. Filters that no index serves are checked
 * row by row, and a page checks a limited number of rows: it may have fewer items than requested, or none, and returns the
 * position where the next page continues.
 */
import type { ListPage, ListQuery, Place } from '../../domain/lists/list-store.ts';
import { DAY_MS, type Instant } from '../../foundation/clock.ts';
import { CURRENCIES } from '../../foundation/currency.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

/** The maximum number of rows that one page checks. */
export const MOST_CHECKED = 1_500;

export interface Filter {
  /** The condition, for the number of its parameter. */
  readonly sql: (parameter: string) => string;
  /** True if an index finds the few rows with the value, so that the list checks all of them. */
  readonly isNarrow?: true;
  /** The index of all merchants' rows also contains the column. PostgreSQL then searches a day of all merchants in the index. */
  readonly isInNewest?: true;
  /** The condition reads a second table. Citus allows that only where the list's own table is read. */
  readonly isSubquery?: true;
}

export interface ListShape<Row, Item> {
  /** The columns that the filters, the order and the item need, by the alias of `from`. */
  readonly columns: string;
  readonly from: string;
  readonly alias: string;
  readonly time: string;
  /** The other columns of the order. */
  readonly ties: readonly string[];
  /** The index of a merchant's rows leads with the currency. */
  readonly isByCurrency?: true;
  /** A condition on every row that lets the list use a partial index. */
  readonly always?: string;
  /** The columns that are read for the items of a page only. */
  readonly more?: { readonly columns: string; readonly join: string };
  readonly filters: Readonly<Record<string, Filter>>;
  readonly itemOf: (row: Row) => Item;
}

export async function readPage<Row, Item>(
  database: Database,
  shape: ListShape<Row, Item>,
  query: ListQuery,
): Promise<ListPage<Item>> {
  const { text, values } = listStatement(shape, query, query.limit + 1);
  const rows = hasNarrowFilter(shape, query.filters)
    ? await database.query<Row & Checked>(text, values)
    : await readInOrder<Row & Checked>(database, text, values);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = last !== undefined && (rows.length > query.limit || last.checked === MOST_CHECKED);
  return {
    items: page.filter(({ fits }) => fits !== false).map(shape.itemOf),
    next: hasMore ? placeOf(shape, last) : null,
  };
}

/** The last row that a page checks is returned even if it does not match the filters, because the next page continues there. */
interface Checked extends Record<string, unknown> {
  readonly checked?: number;
  readonly fits?: boolean;
}

/** Reads by the index that has the list's order. It is a separate function because its plan has a stricter test. */
async function readInOrder<Row>(database: Database, text: string, values: readonly unknown[]): Promise<Row[]> {
  return database.query<Row>(text, values);
}

function hasNarrowFilter({ filters }: ListShape<never, unknown>, given: ListQuery['filters']): boolean {
  return Object.keys(given).some((name) => filters[name]?.isNarrow);
}

function placeOf({ time, ties }: ListShape<never, unknown>, row: Readonly<Record<string, unknown>>): Place {
  const key = ties.map((name) => (typeof row[name] === 'bigint' ? Number(row[name]) : (row[name] as string | number)));
  return { at: row[time] as Instant, key };
}

function listStatement(shape: ListShape<never, unknown>, query: ListQuery, limit: number) {
  const { values, parameter } = parameters();
  const { alias, more } = shape;
  const { inside, outside } = splitFilters(shape, query);
  const conditionsOf = (filters: readonly Filtered[]) =>
    filters.map(([name, value]) => conditionOf(shape, name, value, parameter));
  const isSubquery = ([name]: Filtered) => shape.filters[name]?.isSubquery === true;
  const subqueries = outside.filter(isSubquery);
  const plain = outside.filter((filter) => !isSubquery(filter));
  const marks = conditionsOf(subqueries).map((condition, at) => `(${condition}) as mark_${at}`);
  const marked = { ...shape, columns: [shape.columns, ...marks].join(', ') };
  const checked = checkedRows(marked, query, conditionsOf(inside), parameter);
  const conditions = [...marks.map((_, at) => `${alias}.mark_${at}`), ...conditionsOf(plain)];
  const rows = outside.length > 0 ? markedRows(shape, checked, conditions) : checked;
  const page = `select ${alias}.* from (${rows}) as ${alias} ${order(shape)} limit ${parameter(limit)}`;
  const text = more
    ? `select ${alias}.*, ${more.columns} from (${page}) as ${alias} ${more.join} ${order(shape)}`
    : page;
  return { text, values };
}

type Filtered = readonly [name: string, value: string | number | bigint];

/** `inside` has the filters that an index serves, so rows that do not match them are not checked. */
function splitFilters(shape: ListShape<never, unknown>, query: ListQuery) {
  const filters = Object.entries(query.filters);
  const isInside = ([name]: Filtered) => {
    const filter = shape.filters[name];
    return filter?.isNarrow === true || (filter?.isInNewest === true && isDayOfAll(query));
  };
  return { inside: filters.filter(isInside), outside: filters.filter((filter) => !isInside(filter)) };
}

function isDayOfAll({ merchantId, from, to }: ListQuery): boolean {
  return merchantId === null && from !== null && to !== null && to - from <= DAY_MS;
}

/** Returns the checked rows that match the filter, and the last checked row. */
function markedRows(
  { alias, ...shape }: ListShape<never, unknown>,
  checked: string,
  conditions: readonly string[],
): string {
  const numbered = `select ${alias}.*, (row_number() over (${order({ alias, ...shape })}))::int as checked from (${checked}) as ${alias}`;
  return `select * from (select ${alias}.*, (${conditions.join(' and ')}) is true as fits from (${numbered}) as ${alias}) as ${alias}
    where ${alias}.fits or ${alias}.checked = ${MOST_CHECKED}`;
}

function conditionOf(
  { filters }: ListShape<never, unknown>,
  name: string,
  value: string | number | bigint,
  parameter: (value: unknown) => string,
): string {
  const filter = filters[name];
  if (!filter) throw new Error(`the list has no filter "${name}"`);
  return filter.sql(parameter(value));
}

/** Returns the rows that one page checks, in order: each currency by the same index, then merged. */
function checkedRows(
  shape: ListShape<never, unknown>,
  query: ListQuery,
  inside: readonly string[],
  parameter: (value: unknown) => string,
): string {
  const { merchantId, filters } = query;
  const common = [...commonConditions(shape, query, parameter), ...inside];
  if (merchantId === null || !shape.isByCurrency || hasNarrowFilter(shape, filters)) return select(shape, common);
  const currency = filters['currency'];
  if (currency !== undefined) return select(shape, [...common, `${shape.alias}.currency = ${parameter(currency)}`]);
  const each = CURRENCIES.map((name) => `(${select(shape, [...common, `${shape.alias}.currency = '${name}'`])})`);
  return `select * from (${each.join(' union all ')}) as ${shape.alias} ${order(shape)} limit ${MOST_CHECKED}`;
}

function select(shape: ListShape<never, unknown>, conditions: readonly string[]): string {
  const { columns, from } = shape;
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  return `select ${columns} from ${from} ${where} ${order(shape)} limit ${MOST_CHECKED}`;
}

function commonConditions(
  { alias, time, ties, always }: ListShape<never, unknown>,
  { merchantId, from, to, after }: ListQuery,
  parameter: (value: unknown) => string,
): string[] {
  const at = `${alias}.${time}`;
  const names = [time, ...ties].map((name) => `${alias}.${name}`).join(', ');
  return [
    ...(always === undefined ? [] : [always]),
    ...(merchantId === null ? [] : [`${alias}.merchant_id = ${parameter(merchantId)}`]),
    ...(from === null ? [] : [`${at} >= ${parameter(timestamp(from))}`]),
    ...(to === null ? [] : [`${at} < ${parameter(timestamp(to))}`]),
    ...(after === null
      ? []
      : [`(${names}) < (${[timestamp(after.at), ...after.key].map((part) => parameter(part)).join(', ')})`]),
  ];
}

function order({ alias, time, ties }: ListShape<never, unknown>): string {
  return `order by ${[time, ...ties].map((name) => `${alias}.${name} desc`).join(', ')}`;
}

function parameters() {
  const values: unknown[] = [];
  return { values, parameter: (value: unknown): string => `$${values.push(value)}` };
}
