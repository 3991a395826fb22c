import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readMigrations } from './migration-file.ts';
import { splitStatements } from './split-statements.ts';

it('statements end at their semicolons, and comments are left out', () => {
  assert.deepEqual(splitStatements('select 1; -- one; and\n/* two; */ select 2 - 1 / 1;\n\n'), [
    'select 1',
    'select 2 - 1 / 1',
  ]);
});

it('a semicolon within quotes, names and dollar quotes ends nothing', () => {
  const statements = [
    `comment on table t is 'first; -- the operator''s; second'`,
    'select 1 as "a;b"',
    `do $$ begin perform 1; end $$`,
    `do $body$ begin perform '$$;'; end $body$`,
    'prepare p as select $1::int',
  ];
  assert.deepEqual(splitStatements(statements.join(';\n')), statements);
});

it('every migration falls into statements that each begin with a verb', async () => {
  for (const { name, sql } of await readMigrations()) {
    const statements = splitStatements(sql);
    assert.ok(statements.length > 0, name);
    for (const statement of statements)
      assert.match(statement, /^(?:create|alter|comment|insert|grant|revoke|do|drop|update)\b/, name);
  }
});
