/**
 * Runs a statement with several changes on a cluster, one common table expression after the other. Citus sends what an insert
 * reads from a `with` query to all servers, so as one statement it would fail while any server is unreachable.
 *
 * A step sees the changes of the steps before it; in one statement it would not. A text may have the mark only if its result
 * does not depend on this.
 */
import pg from 'pg';
import { invariant } from '../../foundation/invariant.ts';
import { STEP_BY_STEP } from './cluster-text.ts';

export type Send = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

interface Step {
  /** Empty for the end of the statement. */
  readonly name: string;
  readonly body: string;
  readonly isMaterialized: boolean;
}

/** Refers to a step within a later step, under this alias. */
type Source = (alias: string) => string;

const HEAD = /^\s*(\w+) as (materialized )?\(/;
const SOURCE = /\b(from|join|using)\s+(\w+)(?!\w|\s*\()(?:\s+as\s+(\w+))?/g;
const MERCHANT_OF = /\(array\(select merchant_id from (\w+)\)\)\[1\]/g;
const MERCHANTS_OF = /array\(select merchant_id from (\w+)\)/g;
const IS_CHANGE = /^\s*(?:insert|update|delete)\b/;
const IS_PARAMETER = /^\s*select \* from (?:json_to_record(?:set)?|unnest)\(/;

/** The types of the columns that steps return, by their numbers. */
const TYPES: Readonly<Record<number, string>> = {
  16: 'boolean',
  17: 'bytea',
  20: 'bigint',
  21: 'smallint',
  23: 'integer',
  25: 'text',
  114: 'json',
  1009: 'text[]',
  1184: 'timestamptz',
  1700: 'numeric',
  2950: 'uuid',
  3802: 'jsonb',
};
const { builtins, getTypeParser } = pg.types;
const PARSED: ReadonlySet<number> = new Set([builtins.JSON, builtins.JSONB, 1009]);
/** PostgreSQL parses its own text forms again. Only JSON and arrays have another form within JSON. */
const AS_TEXT: pg.CustomTypesConfig = {
  getTypeParser: (type) => (PARSED.has(type) ? getTypeParser(type) : (text: string) => text),
};

const NOTHING: pg.QueryResult = { rows: [], rowCount: 0, fields: [], command: '', oid: 0 };

export async function runSteps({ name, text, values = [] }: pg.QueryConfig, send: Send): Promise<pg.QueryResult> {
  const known: unknown[] = [...values];
  let preparedAs = name;
  const results = new Map<string, readonly Readonly<Record<string, unknown>>[]>();
  const sources = new Map<string, Source>();
  const parameter = (value: unknown) => `$${known.push(value)}`;
  const steps = stepsOf(text.replace(STEP_BY_STEP, ''));
  const last = steps.pop();
  // Without a merchant, Citus would query all servers and find no row.
  const isNeedless = (body: string) =>
    [...body.matchAll(MERCHANTS_OF)].some(([, of]) => results.get(of ?? '')?.length === 0);
  const run = (place: number, filled: string, types?: pg.CustomTypesConfig) =>
    send({
      ...(preparedAs && { name: `${preparedAs}/${place}` }),
      ...(types && { types }),
      ...onlyUsed(filled, known),
    });
  for (const [place, step] of steps.entries()) {
    if (isNeedless(step.body)) {
      // The text of the later steps differs this time.
      preparedAs = undefined;
      results.set(step.name, []);
      sources.set(step.name, (alias) => `(select where false) as ${alias}`);
      continue;
    }
    const filled = fillIn(step.body);
    if (isInlined(step, sources)) {
      sources.set(step.name, (alias) => `(${filled}) as ${alias}`);
      continue;
    }
    const { rows, fields } = await run(place, filled, AS_TEXT);
    const position = parameter(JSON.stringify(rows));
    const columns = fields.map((field) => `${field.name} ${typeOf(field, text)}`).join(', ');
    results.set(step.name, rows);
    sources.set(step.name, (alias) => `json_to_recordset(${position}) as ${alias}(${columns})`);
  }
  const end = last?.body ?? '';
  return isNeedless(end) ? NOTHING : run(steps.length, fillIn(end));

  function fillIn(body: string): string {
    return body
      .replace(MERCHANT_OF, (_, source: string) => `${parameter(results.get(source)?.[0]?.['merchant_id'])}::text`)
      .replace(MERCHANTS_OF, (found, source: string) => {
        const rows = results.get(source);
        return rows ? `${parameter([...new Set(rows.map((row) => row['merchant_id']))])}::text[]` : found;
      })
      .replace(SOURCE, (found, by: string, source: string, alias = source) => {
        const write = sources.get(source);
        return write ? `${by} ${write(alias)}` : found;
      });
  }
}

function stepsOf(text: string): Step[] {
  const steps: Step[] = [];
  let rest = text.replace(/^\s*with\b/, '');
  for (let head = HEAD.exec(rest); head; head = HEAD.exec(rest)) {
    const end = closingOf(rest, head[0].length);
    steps.push({ name: head[1] ?? '', body: rest.slice(head[0].length, end), isMaterialized: head[2] !== undefined });
    rest = rest.slice(end + 1).replace(/^\s*,/, '');
  }
  return [...steps, { name: '', body: rest, isMaterialized: false }];
}

/** The place of the parenthesis that closes the one before `start`. */
function closingOf(text: string, start: number): number {
  let depth = 1;
  for (const { 0: found, index } of text.slice(start).matchAll(/'[^']*'|[()]/g)) {
    depth += found === '(' ? 1 : found === ')' ? -1 : 0;
    if (depth === 0) return start + index;
  }
  throw new Error(`unclosed parenthesis: ${text}`);
}

/** It reads no table, so a later step may contain it. */
function isInlined({ body, isMaterialized }: Step, sources: ReadonlyMap<string, Source>): boolean {
  if (IS_CHANGE.test(body)) return false;
  if (IS_PARAMETER.test(body)) return true;
  return !isMaterialized && [...body.matchAll(SOURCE)].every(([, , source = '']) => sources.has(source));
}

function typeOf({ name, dataTypeID }: pg.FieldDef, text: string): string {
  const type = TYPES[dataTypeID];
  invariant(type, `column ${name} of type ${dataTypeID} in ${text}`);
  return type;
}

/** PostgreSQL rejects a parameter that no part of the statement mentions. */
function onlyUsed(text: string, known: readonly unknown[]): { text: string; values: unknown[] } {
  const used = [...new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))];
  return {
    text: text.replace(/\$(\d+)/g, (_, number: string) => `$${used.indexOf(Number(number)) + 1}`),
    values: used.map((number) => known[number - 1]),
  };
}
