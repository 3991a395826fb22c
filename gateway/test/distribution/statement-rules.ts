/**
 * The Citus rules that can be checked in the text of a statement. Each rule was either a rejection seen on a cluster, or is a
 * cost that must be chosen deliberately. A statement is checked scope by scope: a scope is a query without its subqueries.
 */
import { MERCHANT_VIEWS, spreadBy, TABLE_LAYOUTS, type TableLayout } from '../../src/storage/cluster/distribution.ts';
import { ACROSS_MERCHANTS, ON_ONE_SERVER } from './across-merchants.ts';
import type { Statement } from './storage-statements.ts';

const LAYOUTS: Readonly<Record<string, TableLayout>> = {
  ...TABLE_LAYOUTS,
  ...Object.fromEntries(MERCHANT_VIEWS.map((view) => [view, { kind: 'merchant' } as const])),
};

interface TableUse {
  readonly table: string;
  readonly alias: string;
  /** The keyword before the table: from, join, left join, into, update, using … */
  readonly by: string;
  readonly layout: TableLayout;
}

interface Scope {
  readonly sql: string;
  readonly uses: readonly TableUse[];
}

interface Rule {
  readonly refusal: string;
  readonly offends: (scope: Scope, statement: Statement) => boolean;
}

const isOwned = ({ layout }: TableUse) => layout.kind === 'merchant';
const LISTED = /\b(?:unnest|json_to_recordset) ?\(/;

const RULES: readonly Rule[] = [
  {
    refusal: 'reads or changes a merchant’s table without naming the merchant, and is not on the list of exceptions',
    offends: ({ sql, uses }, { file }) =>
      uses.some((use) => isOwned(use) && !namesMerchant(sql, use, uses) && !mayCross(file, use.table)),
  },
  {
    refusal:
      'joins a directory, or a table of the coordinator, with a merchant’s table: read it first, "as materialized"',
    offends: ({ uses }) => {
      const read = uses.filter(({ by }) => by !== 'into');
      return read.some(isOwned) && read.some((use) => !isOwned(use));
    },
  },
  {
    refusal: 'locks rows without one merchant in the filter',
    offends: ({ sql, uses }) =>
      /\bfor (?:no key )?update\b|\bskip locked\b/.test(sql) &&
      uses.some(isOwned) &&
      !/merchant_id = \$\d/.test(sql) &&
      !ON_ONE_SERVER.includes(sql),
  },
  {
    refusal: 'returns a value of type void: cast it to text',
    offends: ({ sql }, statement) =>
      statement.sql.startsWith('with ') && /^select pg_advisory_xact_lock\([^()]*\)(?!::)/.test(sql),
  },
  {
    refusal: 'recurs over a distributed table',
    offends: ({ sql }, statement) =>
      /\brecursive\b/.test(sql) && Object.keys(LAYOUTS).some((table) => statement.sql.includes(` ${table} `)),
  },
  {
    refusal: 'outer joins a list of values: join the outer table to another table by merchant_id',
    offends: ({ sql, uses }) =>
      LISTED.test(sql) &&
      uses.some((use) => isOwned(use) && /left|right|full/.test(use.by) && !joinsTable(sql, use, uses)),
  },
  {
    refusal: 'takes a limited number of rows for each row of a non-table: let a table lead',
    offends: ({ sql }) => /\blateral \(select limited\)/.test(sql) && !isLedByTables(sql),
  },
  {
    refusal: 'changes the distribution column',
    offends: ({ sql, uses }) =>
      uses.some(
        ({ by, layout }) => by === 'update' && new RegExp(`\\bset (?:[^()]*, )?${spreadBy(layout)} =`).test(sql),
      ),
  },
  {
    refusal: 'writes a value that each node would compute differently',
    offends: ({ sql, uses }) =>
      uses.some(({ by, layout }) => layout.kind !== 'local' && (by === 'into' || by === 'update')) &&
      /\b(?:now|clock_timestamp|random|nextval) ?\(|::interval\b|\binterval ''/.test(sql),
  },
];

export function findRefusals(statement: Statement): string[] {
  return scopesOf(statement.sql).flatMap((scope) =>
    RULES.filter((rule) => rule.offends(scope, statement)).map(
      (rule) => `${statement.file}: ${rule.refusal}: ${scope.sql}`,
    ),
  );
}

/** Returns the scopes from the innermost query outwards. A subquery is `(inner)` in its enclosing scope. */
function scopesOf(statement: string): Scope[] {
  const scopes: string[] = [];
  const inner = /\( ?((?:with|select|insert|update|delete)\b[^()]*)\)/;
  let rest = protectCalls(statement);
  for (let match = inner.exec(rest); match; match = inner.exec(rest)) {
    const text = match[1] ?? '';
    scopes.push(text);
    const mark = /\blimit\b/.test(text) ? '‹select limited›' : '‹select›';
    rest = protectCalls(rest.replace(match[0], mark));
  }
  return [...scopes, rest].flatMap((text) => restore(text).split(/ union (?:all )?/)).map(readScope);
}

/** Replaces parentheses without a query by ‹…› until the scopes are split. */
function protectCalls(text: string): string {
  let before: string;
  let after = text;
  do {
    before = after;
    after = before.replace(/\((?! ?(?:with|select|insert|update|delete)\b)([^()]*)\)/g, '‹$1›');
  } while (after !== before);
  return after;
}

const restore = (text: string) => text.replaceAll('‹', '(').replaceAll('›', ')').trim();

const USE =
  /\b((?:left |right |full |cross )?join|from|into|update|using) (?:only )?([a-z_]+)(?: as ([a-z_]+)| (?!as\b|on\b|using\b|where\b|set\b|join\b|left\b|right\b|full\b|cross\b|order\b|group\b|limit\b|for\b|select\b|values\b|returning\b|union\b|offset\b|default\b)([a-z_]+))?/g;

function readScope(sql: string): Scope {
  const uses = [...sql.matchAll(USE)].flatMap(([, by = '', table = '', as, bare]): TableUse[] => {
    const layout = Object.hasOwn(LAYOUTS, table) ? LAYOUTS[table] : undefined;
    return layout ? [{ table, alias: as ?? bare ?? table, by, layout }] : [];
  });
  return { sql, uses };
}

function namesMerchant(sql: string, { alias, by, table }: TableUse, uses: readonly TableUse[]): boolean {
  if (by === 'into') return new RegExp(`\\binto ${table}(?: as \\w+)? ?\\([^)]*\\bmerchant_id\\b`).test(sql);
  if (/\busing \(merchant_id\b/.test(sql)) return true;
  const isAlone = uses.filter((use) => use.by !== 'into').length === 1;
  const column = isAlone ? `(?:${alias}\\.)?merchant_id` : `${alias}\\.merchant_id`;
  return new RegExp(`(?<![\\w.])${column} (?:=|in\\b)|= ${column}\\b|\\(${column}, [^()]*\\) (?:=|in\\b)`).test(sql);
}

/** True if the scope reads only tables, apart from lateral joins per row. */
function isLedByTables(sql: string): boolean {
  return [...sql.matchAll(/\b(?:from|join) (?!lateral\b)([a-z_]+|\()/g)].every(([, name = '']) =>
    Object.hasOwn(LAYOUTS, name),
  );
}

/** True if the condition of an outer join compares the merchant of another table. */
function joinsTable(sql: string, { alias }: TableUse, uses: readonly TableUse[]): boolean {
  return uses.some(
    (other) =>
      other.alias !== alias && isOwned(other) && sql.includes(`on ${alias}.merchant_id = ${other.alias}.merchant_id`),
  );
}

function mayCross(file: string, table: string): boolean {
  return ACROSS_MERCHANTS.some(
    (entry) => entry.file === file && (entry.tables === 'all' || entry.tables.includes(table)),
  );
}
