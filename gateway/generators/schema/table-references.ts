/** References between tables: a foreign key or, on hot tables without one, columns that match another table's key. */
import type { Schema, SchemaTable } from './read-schema.ts';

export interface TableReference {
  readonly from: string;
  readonly to: string;
  /** The columns of `from`. */
  readonly columns: readonly string[];
  /** True if PostgreSQL enforces the reference. */
  readonly isEnforced: boolean;
}

/** Columns with equal names and different meanings: ids of payouts and deposits are unrelated, and so are kinds. */
const OTHER_MEANING = new Set(['payouts deposits', 'differences payout_adjustments']);

export function primaryKeyOf({ constraints }: SchemaTable): readonly string[] {
  return constraints.find(({ kind }) => kind === 'primary key')?.columns ?? [];
}

/** Returns at most one reference per pair of tables. */
export function findReferences({ tables }: Schema): TableReference[] {
  const found = new Map<string, TableReference>();
  for (const reference of [...tables.flatMap(foreignKeys), ...tables.flatMap((table) => namedKeys(table, tables))]) {
    const pair = [reference.from, reference.to].sort().join(' ');
    if (!found.has(pair)) found.set(pair, reference);
  }
  return [...found.values()];
}

function foreignKeys({ name, constraints }: SchemaTable): TableReference[] {
  return constraints.flatMap(({ columns, target }) =>
    target === null ? [] : [{ from: name, to: target, columns, isEnforced: true }],
  );
}

/**
 * If one key contains another, only the longer key counts, such as the key of attempts, which contains the key of their
 * deposit.
 */
function namedKeys(table: SchemaTable, tables: readonly SchemaTable[]): TableReference[] {
  const names = table.columns.map(({ name }) => name);
  const named = ownersOfKeys(tables).filter(
    ({ owner, key }) =>
      owner !== table.name &&
      key.every((column) => names.includes(column)) &&
      !(isMerchants(primaryKeyOf(table)) && isWithin(primaryKeyOf(table), key)) &&
      !OTHER_MEANING.has(`${table.name} ${owner}`),
  );
  return named
    .filter(({ key }) => !named.some((other) => isWithin(key, other.key)))
    .filter(({ key }) => !isOwner(table, key, tables))
    .map(({ owner, key }) => ({ from: table.name, to: owner, columns: key, isEnforced: false }));
}

const isMerchants = (key: readonly string[]) => key[0] === 'merchant_id';

/** True if rows with the longer key belong to the row with the shorter key. */
function isWithin(key: readonly string[], longer: readonly string[]): boolean {
  return longer.length > key.length && key.every((column) => longer.includes(column));
}

/** Returns the keys of merchants' rows, each with the first table that has it. */
function ownersOfKeys(tables: readonly SchemaTable[]): { owner: string; key: readonly string[] }[] {
  const owners = new Map<string, { owner: string; key: readonly string[] }>();
  for (const table of tables) {
    const key = primaryKeyOf(table);
    const name = [...key].sort().join();
    if (key.length > 1 && isMerchants(key) && !owners.has(name)) owners.set(name, { owner: table.name, key });
  }
  return [...owners.values()];
}

function isOwner({ name }: SchemaTable, key: readonly string[], tables: readonly SchemaTable[]): boolean {
  const wanted = [...key].sort().join();
  return ownersOfKeys(tables).some(({ owner, key: other }) => owner === name && [...other].sort().join() === wanted);
}
