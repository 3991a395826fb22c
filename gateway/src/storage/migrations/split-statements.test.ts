import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readMigrations } from './migration-file.ts';
import { splitStatements } from './split-statements.ts';

it('splitStatements splits at semicolons and omits comments', () => {
  assert.deepEqual(splitStatements('select 1; -- one; and\n/* two; */ select 2 - 1 / 1;\n\n'), [
    'select 1',
    'select 2 - 1 / 1',
  ]);
});

it('splitStatements keeps a semicolon within quotes, names and dollar quotes', () => {
  const statements = [
    `comment on table t is 'first; -- the operator''s; second'`,
    'select 1 as "a;b"',
    `do $$ begin perform 1; end $$`,
    `do $body$ begin perform '$$;'; end $body$`,
    'prepare p as select $1::int',
  ];
  assert.deepEqual(splitStatements(statements.join(';\n')), statements);
});

it('splitStatements splits every migration into statements that begin with a verb', async () => {
  for (const { name, sql } of await readMigrations()) {
    const statements = splitStatements(sql);
    assert.ok(statements.length > 0, name);
    for (const statement of statements)
      assert.match(statement, /^(?:create|alter|comment|insert|grant|revoke|do|drop|update|delete)\b/, name);
  }
});
