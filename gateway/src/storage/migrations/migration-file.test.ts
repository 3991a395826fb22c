import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Migration, readMigration, readMigrations } from './migration-file.ts';

/** Finds statements that would block or break the version that serves during the migration. */
function faultsOf({ name, sql, isTransactional, breaksBefore }: Migration): string[] {
  const code = sql.replace(/--.*$/gm, '');
  const made = new Set([...code.matchAll(/create table (?:if not exists )?(\w+)/gi)].map(([, table]) => table));
  const faults: string[] = [];
  for (const [, concurrently, table] of code.matchAll(
    /create (?:unique )?index (concurrently )?(?:if not exists )?\w+\s+on (\w+)/gi,
  )) {
    if (!concurrently && !made.has(table)) faults.push(`${name}: an index on ${table} without "concurrently"`);
  }
  if (breaksBefore === null && TAKES_AWAY.test(code))
    faults.push(`${name}: takes away, and does not say what it breaks`);
  if (!isTransactional && !/^[^;]+;\s*$/.test(code)) faults.push(`${name}: more than the one statement`);
  if (!isTransactional && !/if (?:not )?exists/i.test(code)) faults.push(`${name}: cannot be applied again`);
  return faults;
}

const TAKES_AWAY =
  /\bdrop (?:table|column|view|sequence)\b|\brename\b|\bset not null\b|\balter column \w+ (?:set data )?type\b/i;

const written = (sql: string) => faultsOf(readMigration('0005_x', sql));

describe('the migrations', () => {
  it('migrations only add to the schema or declare what they break, and build indexes without blocking writers', async () => {
    assert.deepEqual((await readMigrations()).flatMap(faultsOf), []);
  });

  it('each kind of breaking migration is detected', () => {
    assert.deepEqual(written('create table a (b int); create index c on a (b); alter table d add column e int;'), []);
    assert.equal(written('create index c on payouts (state);').length, 1);
    assert.equal(written('alter table payouts drop column fee;').length, 1);
    assert.equal(written('alter table payouts alter column fee type int;').length, 1);
    assert.deepEqual(written('-- migration: breaks versions before 0004\nalter table payouts drop column fee;'), []);
    const alone = '-- migration: not transactional\n';
    assert.deepEqual(written(`${alone}create index concurrently if not exists c on payouts (state);`), []);
    assert.equal(written(`${alone}create index concurrently if not exists c on payouts (state); select 1;`).length, 1);
    assert.equal(written(`${alone}create index concurrently c on payouts (state);`).length, 1);
  });

  it('a migration with an unknown marker is rejected', () => {
    assert.throws(() => readMigration('0005_x', '-- migration: without transaction\nselect 1;'), /unknown marker/);
  });
});
