/**
 * Runs every statement of storage on a Citus cluster with the parameters of a real run, and rolls it back. Citus plans each
 * statement itself, and rejects some that PostgreSQL accepts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { migrateDatabase } from '../../src/main/compose/migrate-database.ts';
import { runSteps, type Send } from '../../src/storage/core/cluster-steps.ts';
import { STEP_BY_STEP } from '../../src/storage/core/cluster-text.ts';
import { recordStatements } from '../plans/record-statements.ts';
import type { RecordedStatement } from '../plans/recorded-statement.ts';
import { sitesInStorage } from '../plans/storage-sites.ts';
import { configOf } from '../support/gateway/running-gateway.ts';
import { CITUS_PROGRAMS, NO_CITUS } from './citus-programs.ts';
import { startCitus } from './citus-servers.ts';

/**
 * PostgreSQL raises these because of the rows: the database is empty, and the acceptance divides by zero to roll itself back.
 */
const ABOUT_ROWS: ReadonlySet<unknown> = new Set(['23503', '22012']);

test('a Citus cluster runs every statement of storage', { skip: NO_CITUS }, async () => {
  const statements = await recordedStatements();
  const servers = await startCitus(CITUS_PROGRAMS ?? '');
  const client = new pg.Client({ connectionString: servers.database.ownerConnectionString });
  try {
    await migrateDatabase(configOf({ DATABASE_URL: servers.database.ownerConnectionString }), true, () => {});
    await client.connect();
    const rejected: string[] = [];
    const send: Send = (query) => client.query(query);
    for (const { forCluster: text, values, site } of statements) {
      await client.query('begin');
      const run = text.startsWith(STEP_BY_STEP) ? (query: pg.QueryConfig) => runSteps(query, send) : send;
      await run({ text, values: [...values] }).catch((error: pg.DatabaseError) => {
        if (!ABOUT_ROWS.has(error.code)) rejected.push(`${site}: ${error.message}`);
      });
      await client.query('rollback');
    }
    assert.deepEqual(rejected, []);
    assert.ok(statements.length > 300, `${statements.length} statements`);
  } finally {
    await client.end();
    await servers.close();
  }
});

/** Records each statement once per set of parameters that are null. */
async function recordedStatements(): Promise<readonly RecordedStatement[]> {
  const recorded = await recordStatements();
  const { exerciseEverything } = await import('../plans/exercise.ts');
  await exerciseEverything();
  const sites = sitesInStorage();
  const planned = recorded.filter(
    ({ site, text }) => sites.has(site) && /^\s*(?:with|select|insert|update|delete)\b/i.test(text),
  );
  const keyOf = ({ text, values }: RecordedStatement) => `${text} ${values.map((value) => value === null).join()}`;
  return [...new Map(planned.map((statement) => [keyOf(statement), statement])).values()];
}
