/** Parameters of statements: times, bytes, arrays that a statement reads by `unnest`, and names for positions. */

let lastInstant = Number.POSITIVE_INFINITY;
let lastTimestamp = 'infinity';

/** Returns a time (ms UTC) as a timestamptz parameter. Rows written together mostly share one time, so the last text is kept. */
export function timestamp(instant: number): string {
  if (instant === lastInstant) return lastTimestamp;
  lastTimestamp = Number.isFinite(instant) ? new Date(instant).toISOString() : String(instant).toLowerCase();
  lastInstant = instant;
  return lastTimestamp;
}

/** Returns the same for a time that may be null. */
export function timestampOrNull(instant: number | null): string | null {
  return instant === null ? null : timestamp(instant);
}

/** Writes bytes in the text form of bytea, for rows that travel as JSON. */
export function byteaText(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

/*
 * Array parameters are for statements that read a batch of rows by `unnest`. Each request writes the elements of its own row,
 * and the batch joins them. PostgreSQL parses arrays at a lower cost than JSON.
 */

const ESCAPED = /["\\]/g;

/** Writes one element. Null stays SQL's null. */
export function arrayElement(value: string | bigint | number | null | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value !== 'string') return value.toString();
  // Most strings need no escaping, and a search costs less than a replacement.
  const needsNone = !value.includes('"') && !value.includes('\\');
  return needsNone ? `"${value}"` : `"${value.replaceAll(ESCAPED, '\\$&')}"`;
}

/** Writes one element of type bytea. */
export function byteaElement(bytes: Buffer | undefined): string {
  return bytes ? `"\\\\x${bytes.toString('hex')}"` : 'NULL';
}

/** Makes one parameter per column from rows of elements. */
export function arraysOf(rows: readonly (readonly string[])[], columns: number): string[] {
  const arrays: string[] = [];
  for (let column = 0; column < columns; column++) {
    let text = '';
    for (const row of rows) text += text === '' ? row[column] : `,${row[column]}`;
    arrays.push(`{${text}}`);
  }
  return arrays;
}

/** Returns the same for rows as objects. A value that is not a string, number or boolean becomes JSON. */
export function columnArrays<Column extends string>(
  rows: readonly Readonly<Partial<Record<NoInfer<Column>, unknown>>>[],
  columns: Readonly<Record<Column, string>>,
): string[] {
  const names = Object.keys(columns) as Column[];
  return arraysOf(
    rows.map((row) => names.map((name) => elementOf(row[name]))),
    names.length,
  );
}

function elementOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'object' && value !== null) return arrayElement(JSON.stringify(value));
  return arrayElement(value as Parameters<typeof arrayElement>[0]);
}

/** Columns with their types, as a JSON parameter is read by them. */
export function columnList(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');
}

/** Lists states for a condition with `in`. The domain defines the states, so they contain no quote. */
export const stateList = (states: readonly string[]) => `'${states.join(`', '`)}'`;

/** Returns the columns of `unnest` with their types, as parameters from `first` on. */
export function unnestFrom(first: number, columns: Readonly<Record<string, string>>): string {
  const parameters = Object.values(columns).map((type, at) => `$${first + at}::${type}[]`);
  return `unnest(${parameters.join(', ')}) as r(${Object.keys(columns).join(', ')})`;
}

/**
 * Always true for rows with a merchant_id, while the planner estimates that it leaves one row. The plan then looks up each row
 * by its key, even if it was made while the tables were small.
 */
export const ESTIMATED_AS_ONE_ROW = 'sign(length(merchant_id)) = 1';

interface NamedParameters<Name extends string> {
  /** The position of each name, beginning with `$1`. */
  readonly position: Readonly<Record<Name, string>>;
  valuesOf(values: Readonly<Record<Name, unknown>>): readonly unknown[];
}

/** Names the parameters of a statement. Its text has their positions, as PostgreSQL requires. */
export function nameParameters<Name extends string>(...names: readonly Name[]): NamedParameters<Name> {
  const positions = names.map((name, index) => [name, `$${index + 1}`] as const);
  return {
    position: Object.fromEntries(positions) as Record<Name, string>,
    valuesOf: (values) => names.map((name) => values[name]),
  };
}
