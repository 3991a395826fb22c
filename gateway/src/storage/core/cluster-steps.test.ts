/** The stores write the same rows in both forms: as one statement, and step by step as on a cluster. Both run on PostgreSQL. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type pg from 'pg';
import { type DepositBench, openDepositBench } from '../../../test/support/deposits/stored-deposits.ts';
import { acceptWaiting, approvalCommands } from '../../../test/support/payouts/awaiting-payouts.ts';
import { plainCallbacks, reportOf } from '../../../test/support/payouts/stored-payouts.ts';
import { createTestDatabase } from '../../../test/support/postgres/postgres.ts';
import { OPERATOR_MERCHANT } from '../../domain/merchants/merchant.ts';
import { settlePayout } from '../../domain/payouts/settle-payout.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { createVaultStore } from '../vault/vault-store.ts';
import { runSteps } from './cluster-steps.ts';
import { merchantsOf, STEP_BY_STEP } from './cluster-text.ts';

/** The gateway recognises a cluster by the first table, and finds the server of a merchant by the others. */
const LIKE_A_CLUSTER = `
create table pg_dist_partition (logicalrelid regclass);
create table pg_dist_placement (groupid integer, shardid bigint);
create function get_shard_id_for_distribution_column(text, text) returns bigint language sql as 'select 1::bigint';
insert into pg_dist_placement values (1, 1);
grant select on pg_dist_placement to gateway_app`;

const TABLES = [
  'payouts',
  'payout_jobs',
  'payout_attempts',
  'payout_history',
  'payout_makers',
  'payout_approvals',
  'ledger_accounts',
  'ledger_transfers',
  'deposits',
  'deposit_orders',
  'deposit_history',
  'clabes',
  'incoming_transfers',
  'incoming_transfer_keys',
  'callbacks',
  'callback_lanes',
  'vault_records',
  'vault_expiries',
];

/** Values that the gateway draws at random, and the numbers of transactions. */
const DRAWN = [
  'uuid',
  'token',
  'callback_id',
  'vault_token',
  'wrapped_key',
  'ciphertext',
  'seal',
  'content_hash',
  'written_by',
];

async function payments(bench: DepositBench): Promise<void> {
  bench.merchant(OPERATOR_MERCHANT);
  const [one, other] = [bench.merchant('one', { 'fee_fixed.spei.MXN': '1' }), bench.merchant('other')];
  const deposits = await Promise.all([bench.opened(one, 'A'), bench.opened(one, 'B'), bench.opened(other, 'A')]);
  const [exact, short, ofOther] = deposits.map(({ payTo }) => payTo) as [string, string, string];
  assert.equal((await bench.open(one, 'A')).ok, false);
  const receive = bench.receiverOver(bench.store);
  const paid = bench.transferTo(exact, 10_000n);
  for (let report = 0; report < 2; report++) await receive(paid, 'notification');
  const held = bench.transferTo(short, 4_000n);
  await receive(held, 'notification');
  await receive(bench.transferTo('999999999999999999', 5n), 'reconciliation');
  await receive(bench.transferTo(ofOther, 10_000n), 'notification');
  assert.equal((await bench.resolve(held)).ok, true);

  await bench.fund('m', 1_000_000n);
  for (const payoutId of ['first', 'second', 'third'])
    assert.equal((await bench.payouts.accept(await bench.newPayout('m', payoutId, 10n))).kind, 'created');
  const tooLarge = await bench.newPayout('m', 'too-large', 5_000_000n);
  assert.equal((await bench.payouts.accept(tooLarge)).kind, 'insufficient_funds');
  assert.equal((await bench.payouts.accept(await bench.newPayout('m', 'first', 10n))).kind, 'exists');
  await acceptWaiting({ ...bench, store: bench.payouts }, 'waits');
  const approvals = approvalCommands({ ...bench, store: bench.payouts });
  assert.deepEqual(await approvals.approve('waits'), { ok: true, value: 'approved' });
  const directory = { find: async () => ({ merchant: one, keys: { api: [], form: [] } }) };
  const settle = withParts(settlePayout, {
    store: bench.payouts,
    merchants: directory,
    compose: plainCallbacks,
    onSettled: () => {},
  });
  await bench.attempt('m', 'first');
  await settle({ merchantId: 'm', payoutId: 'first' }, null, reportOf('executed'));
  await settle({ merchantId: 'm', payoutId: 'second' }, null, reportOf('declined'));
  await settle({ merchantId: 'm', payoutId: 'first' }, null, reportOf('reversed'));
  await createVaultStore(bench.database).destroyDue(bench.clock.now() + 1e9, 10);
}

/** The rows that the payments leave, by table. */
async function rowsAfterPayments(prepare: string): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const server = await createTestDatabase();
  await server.pool.query(prepare);
  const bench = await openDepositBench(server);
  try {
    await payments(bench);
    const tables = await Promise.all(
      TABLES.map(async (table) => {
        const { rows } = await server.pool.query(`select (to_jsonb(t) - $1::text[])::text as row from ${table} as t`, [
          DRAWN,
        ]);
        return [table, rows.map(({ row }) => row).sort()] as const;
      }),
    );
    return Object.fromEntries(tables);
  } finally {
    await bench.verifyAndClose();
  }
}

it('payments leave the same rows if their statements run step by step, as on a cluster', async () => {
  const [whole, inSteps] = [await rowsAfterPayments('select 1'), await rowsAfterPayments(LIKE_A_CLUSTER)];
  assert.deepEqual(inSteps, whole);
  for (const table of TABLES.filter((each) => !/^vault/.test(each))) assert.ok(whole[table]?.length, table);
});

/** What a statement in steps sends, with its result. */
async function sentSteps(text: string, values: readonly unknown[]) {
  const { pool, close } = await createTestDatabase();
  const sent: string[] = [];
  try {
    const send = (query: pg.QueryConfig) => {
      sent.push(query.text.trim());
      return pool.query(query);
    };
    const { rows } = await runSteps({ text, values: [...values] }, send);
    return { sent, rows };
  } finally {
    await close();
  }
}

it('a cluster step sends its rows to the next step in a parameter, and contains only expressions that read no table', async () => {
  const text = `${STEP_BY_STEP}
with asked as (select * from json_to_recordset($2) as r(rail text, reference text)),
inserted as (
  insert into rail_references (rail, reference, merchant_id, payout_id) select rail, reference, $1, 'p' from asked
  returning reference, merchant_id),
twice as (select i.reference || $3 as reference from inserted as i)
select reference from twice order by 1`;
  const asked = JSON.stringify([
    { rail: 'a', reference: "it's (1" },
    { rail: 'a', reference: '2' },
  ]);
  const { sent, rows } = await sentSteps(text, ['M1', asked, '!']);
  assert.deepEqual(rows, [{ reference: '2!' }, { reference: "it's (1!" }]);
  assert.deepEqual(sent, [
    `insert into rail_references (rail, reference, merchant_id, payout_id) select rail, reference, $1, 'p' from (select * from json_to_recordset($2) as r(rail text, reference text)) as asked
  returning reference, merchant_id`,
    'select reference from (select i.reference || $1 as reference from json_to_recordset($2) as i(reference text, merchant_id text)) as twice order by 1',
  ]);
});

it('a cluster step for the merchants of a step without rows is skipped, because Citus would query every server', async () => {
  const text = `${STEP_BY_STEP}
with found as (select merchant_id from rail_references where rail = $1),
gone as (delete from payouts where merchant_id = ${merchantsOf('found')} returning merchant_id)
select count(*)::int as count from gone`;
  const { sent, rows } = await sentSteps(text, ['none']);
  assert.deepEqual(rows, [{ count: 0 }]);
  assert.equal(sent.length, 2);
});

it('a prepared statement runs again after a cluster step was skipped', async () => {
  const text = `${STEP_BY_STEP}
with found as (select merchant_id from rail_references where rail = $1),
gone as (delete from payouts where merchant_id = ${merchantsOf('found')} returning merchant_id)
select count(*)::int as count from gone`;
  const { pool, close } = await createTestDatabase();
  const client = await pool.connect();
  try {
    await client.query(`insert into rail_references values ('one', 'reference', 'M1', 'p')`);
    const counts = [];
    for (const rail of ['none', 'one', 'none', 'one']) {
      const { rows } = await runSteps({ name: 'gone', text, values: [rail] }, (query) => client.query(query));
      counts.push(rows[0]?.count);
    }
    assert.deepEqual(counts, [0, 0, 0, 0]);
  } finally {
    client.release();
    await close();
  }
});
