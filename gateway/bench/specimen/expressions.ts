/**
 * Compares the rows of two payouts, and builds SQL that creates the same rows for any other payout. An equal value becomes a
 * constant, and a name of the payout becomes the other payout's name. A time keeps its interval to the payout's own time. Any
 * other difference is a random value, for which the SQL generates one of the same length.
 *
 * The expressions read from `k`, a row with the other payout's names: merchant_id, payout_id, number, at, and time_in_id, the
 * form of that time within ids.
 */
import type { Column, TextRow } from './merchant-rows.ts';

/** The names of a payout that occur in its rows. */
export interface Names {
  readonly merchant_id: string;
  readonly payout_id: string;
  readonly transaction_id: string;
  /** The time in PostgreSQL's text format. */
  readonly accepted_at: string;
}

/** Random values in order of appearance, so that equal values get the same expression. */
export type Drawn = Map<string, number>;

/** The same value of two payouts. */
export type Pair<Thing> = readonly [Thing, Thing];

export async function both<One, Other>(
  [one, other]: Pair<One>,
  ask: (thing: One) => Promise<Other>,
): Promise<Pair<Other>> {
  return [await ask(one), await ask(other)];
}

/** Private-use characters, which no payout's row contains. */
const MERCHANT = '\ue001';
const PAYOUT = '\ue002';
const NUMBER = '\ue003';
const TIME_IN_ID = '\ue004';
const MARKS = /([\ue001-\ue004])/;
const MARK_AHEAD = /^([\ue001-\ue004])/;

const NAMED: Readonly<Record<string, string>> = {
  [MERCHANT]: 'k.merchant_id',
  [PAYOUT]: 'k.payout_id',
  [NUMBER]: 'k.number',
  [TIME_IN_ID]: 'k.time_in_id',
};

export function expressionFor(column: Column, rows: Pair<TextRow>, names: Pair<Names>, drawn: Drawn): string {
  const [one, other] = [rows[0][column.name] ?? null, rows[1][column.name] ?? null];
  if (one === null) return `null::${column.type}`;
  if (column.type === 'timestamp with time zone') return timeExpression(one, names[0].accepted_at);
  const template = withoutNames(one, names[0]);
  if (other !== null && template === withoutNames(other, names[1])) return namedExpression(template, column.type);
  if (column.type === 'text') return textExpression(template, drawn);
  if (column.type === 'uuid') return `md5('${drawnNumber(one, drawn)}/' || k.number)::uuid`;
  return `${quoted(one)}::${column.type}`;
}

/** True if the value differs for each payout. */
export function namesOnePayout(expression: string): boolean {
  return /\bk\.(?:payout_id|number)\b/.test(expression);
}

/** Returns the text with placeholders for the names of its payout. */
export function withoutNames(text: string, { merchant_id, payout_id, transaction_id, accepted_at }: Names): string {
  return text
    .replaceAll(millisecondsOf(accepted_at).toString(36), TIME_IN_ID)
    .replaceAll(payout_id, PAYOUT)
    .replaceAll(merchant_id, MERCHANT)
    .replaceAll(new RegExp(`(?<![0-9])${transaction_id}(?![0-9])`, 'g'), NUMBER);
}

function namedExpression(template: string, type: string): string {
  if (type === 'bigint' && template === NUMBER) return 'k.number';
  const parts = template.split(MARKS).filter(Boolean);
  const texts = parts.map((part) => NAMED[part] ?? quoted(part));
  const text = texts.length === 0 ? `''` : texts.join(' || ');
  return type === 'text' && texts.length === 1 && !text.startsWith('k.number') ? text : `(${text})::${type}`;
}

function timeExpression(text: string, acceptedAt: string): string {
  if (/^-?infinity$/.test(text)) return `'${text}'::timestamptz`;
  const distanceMs = Math.round(millisecondsOf(text) - millisecondsOf(acceptedAt));
  return distanceMs === 0 ? 'k.at' : `k.at + interval '${distanceMs} milliseconds'`;
}

/** Parses PostgreSQL's text format of a time in UTC. */
function millisecondsOf(text: string): number {
  return Date.parse(text.replace(' ', 'T').replace(/\+00$/, 'Z'));
}

/** Returns an expression for a text that contains a random value, perhaps after a name. */
function textExpression(template: string, drawn: Drawn): string {
  const [, mark = ''] = MARK_AHEAD.exec(template) ?? [];
  const expression = drawnExpression(template.slice(mark.length), drawn);
  return mark === '' ? expression : `${NAMED[mark]} || ${expression}`;
}

function drawnExpression(text: string, drawn: Drawn): string {
  const number = drawnNumber(text, drawn);
  const pieces = Array.from({ length: Math.ceil(text.length / 32) }, (_, at) => `md5('${number}/${at}/' || k.number)`);
  return `substr(${pieces.join(' || ')}, 1, ${text.length})`;
}

function drawnNumber(text: string, drawn: Drawn): number {
  const number = drawn.get(text) ?? drawn.size;
  drawn.set(text, number);
  return number;
}

/**
 * Returns an SQL literal. pgbench reads a colon before letters as a variable, even in a literal, so each colon becomes a
 * separate literal.
 */
export function quoted(text: string): string {
  const literal = `'${text.replaceAll("'", "''")}'`;
  return text.includes(':') ? `(${literal.replaceAll(':', `:' || '`)})` : literal;
}
