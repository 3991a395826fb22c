/** Tests that the statements of storage follow the Citus rules. It checks their text and runs none of them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACROSS_MERCHANTS, ON_ONE_SERVER } from './across-merchants.ts';
import { findRefusals } from './statement-rules.ts';
import { readStorageStatements, type Statement } from './storage-statements.ts';

const statements = readStorageStatements();
const written = (sql: string): Statement => ({ file: 'some-store.ts', sql });

describe('the statements of storage for Citus', () => {
  it('the reader finds every statement of storage, including composed statements', () => {
    assert.ok(statements.length > 150, String(statements.length));
    for (const part of [
      'insert into payouts',
      'update ledger_accounts',
      'from callback_lanes as lane cross join lateral',
    ])
      assert.ok(
        statements.some(({ sql }) => sql.includes(part)),
        part,
      );
  });

  it('Citus can run every statement of storage', () => {
    assert.deepEqual(statements.flatMap(findRefusals), []);
  });

  it('statements cross merchants only where the list allows it, and the list has no unused entry', () => {
    for (const { file, tables } of ACROSS_MERCHANTS) {
      const there = statements.filter((statement) => statement.file === file);
      for (const table of tables === 'all' ? [''] : tables)
        assert.ok(
          there.some(({ sql }) => sql.includes(table)),
          `${file}: ${table}`,
        );
    }
    for (const only of ON_ONE_SERVER) assert.ok(statements.some(({ sql }) => sql === only));
  });
});

describe('statements that Citus rejects or that would query all nodes', () => {
  const planted = [
    "select * from payouts where state = 'pending'",
    'select * from payouts as p where p.payout_id = $1',
    'update callbacks set state = $2 where callback_id = $1',
    'delete from vault_records where token = $1',
    'insert into payouts (payout_id, state) select payout_id, state from incoming',
    'select p.payout_id from payouts as p join callbacks as c on c.subject_id = p.payout_id where p.merchant_id = $1',
    'select d.order_id from clabes as k join deposits as d using (merchant_id, transaction_id) where k.clabe = $1',
    'select merchant_id from callback_lanes where merchant_id = any($1::text[]) for update skip locked',
    'with recursive t as (select merchant_id from payouts where merchant_id = $1 union select merchant_id from t) select * from t',
    'select p.state, j.fence from unnest($1::text[], $2::text[]) as k(merchant_id, payout_id) join payouts as p using (merchant_id, payout_id) left join payout_jobs as j using (merchant_id, payout_id)',
    'select c.callback_id from unnest($1::text[], $2::int[]) as lane(merchant_id, wanted) cross join lateral (select * from callbacks as due where due.merchant_id = lane.merchant_id order by due.due_at limit lane.wanted) as c',
    'select p.state from (select merchant_id, payout_id from payout_jobs where merchant_id = $1 limit $2) as j cross join lateral (select * from payouts as each where each.merchant_id = j.merchant_id limit 1) as p',
    'with locked as materialized (select pg_advisory_xact_lock(lock) from (select 1 as lock) as l), moved as (update payouts set state = $1 where merchant_id = $2) select count(*) from locked',
    'update payouts set merchant_id = $2 where merchant_id = $1',
    'update payouts set finished_at = now() where merchant_id = $1',
    'update deposits set expires_at = expires_at - $3::interval where merchant_id = $1',
    'with due as (select merchant_id, payout_id from payout_jobs where due_at <= $1) update payout_jobs as j set fence = 1 from due as d where j.merchant_id = d.merchant_id',
  ];
  for (const sql of planted)
    it(`the rules find a statement that Citus cannot route: ${sql}`, () =>
      assert.equal(findRefusals(written(sql)).length, 1));
});

describe('statements that Citus runs', () => {
  const fine = [
    "select * from payouts where merchant_id = $1 and state = 'pending'",
    'select p.state from unnest($1::text[], $2::text[]) as k(merchant_id, payout_id) join payouts as p using (merchant_id, payout_id) left join payout_jobs as j on j.merchant_id = p.merchant_id and j.payout_id = p.payout_id',
    'with listed as materialized (select merchant_id, session_id from form_tokens where token_hash = $1) select s.order_id from listed join form_sessions as s using (merchant_id, session_id)',
    'select c.callback_id from callback_lanes as lane cross join lateral (select * from callbacks as due where due.merchant_id = lane.merchant_id order by due.due_at limit 3) as c where lane.merchant_id = any($1)',
    'select 1 from merchants where merchant_id = $1 for update',
    'insert into payouts (merchant_id, payout_id) select merchant_id, payout_id from incoming on conflict do nothing returning payout_id',
    'update incoming_transfer_keys set merchant_id = $3 where rail = $1 and transfer_key = $2',
    'with locked as materialized (select pg_advisory_xact_lock(lock)::text as held from (select 1 as lock) as l), moved as (update payouts set state = $1 where merchant_id = $2) select count(*) from locked',
    'insert into pauses (scope, since) values ($1, now())',
  ];
  for (const sql of fine)
    it(`the rules accept a statement that Citus runs: ${sql}`, () => assert.deepEqual(findRefusals(written(sql)), []));
});
