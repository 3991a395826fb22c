/** Checks the query plans of every storage statement on large tables: none may read much more than it returns. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/postgres/postgres.ts';
import { fillTables, pretendRows } from './large-tables.ts';
import { faultsOfPlan, type PlanNode } from './read-plan.ts';
import { recordStatements } from './record-statements.ts';
import type { RecordedStatement } from './recorded-statement.ts';
import { sitesInStorage } from './storage-sites.ts';

/** Statements that may read more than they return, each with the reason. */
const MAY_READ_MORE: Readonly<Record<string, string>> = {
  'queue-statistics.ts: const stages = await database.query<StageRow>(PAYOUTS, [at]);':
    'the whole queue, which is short unless something is wrong; the reader spaces its reads by their cost',
  'queue-statistics.ts: const [callbacks] = await database.query<{ waiting: number }>(WAITING_CALLBACKS);':
    'the same, out of the index of due callbacks',
  'overdue-store.ts: const payments = await database.query<Row>(COUNT_PAYMENTS, parametersOf(now, rails.payments));':
    'open attempts, six times an hour',
  'overdue-store.ts: const payouts = await database.query<Row>(COUNT_PAYOUTS, parametersOf(now, rails.payouts));':
    'the whole queue, six times an hour',
  'overdue-store.ts: const rows = await database.query<PaymentRow>(LIST_PAYMENTS, [...parametersOf(now, deadlines), limit]);':
    'an operator’s list of open attempts',
  'overdue-store.ts: const rows = await database.query<PendingRow>(LIST_PAYOUTS, [...parametersOf(now, deadlines), limit, merchantId]);':
    'an operator’s list of the whole queue',
  'pause-store.ts: const merchants = await transaction.query<{ merchant_id: string }>(':
    'the whole queue, when an operator ends a pause',
  'recovery-store.ts: const rows = await database.query<UnaskedPayouts>(UNASKED, [timestamp(since), timestamp(waitingBefore)]);':
    'the whole queue, when an operator asks for the progress of a recovery',
  'keyset-list.ts: ? await database.query<Row & Checked>(text, values)':
    'an identifier, out of the block ranges that may have it, whose cost the planner cannot know in a small table; or the whole queue',
  'list-store.ts: const jobs = await database.query(text, [FEW_ROWS + 1, ...(isNamed ? [merchantId] : [])]);':
    'five thousand jobs at most',
  'deposit-record-store.ts: const rows = await database.query<IncomingTransferRow & { order_id: string | null }>(HELD, [limit]);':
    'an operator’s list of all held money',
  'adjustment-store.ts: const rows = await database.query<AdjustmentRow & { merchant_id: string }>(':
    'the adjustments with a shortfall, out of their own index; the planner cannot know how few they are',
  'form-sessions.ts: const destroyed = await database.prepared(':
    'destroys two thousand at a time; of twenty thousand, a full read is as fast',
  'balance-history.ts: const [row] = await database.query<{ closed_until: Instant | null }>(CLOSED_FOR_ALL);':
    'a row per account, when an operator asks for the trial balance',
  'balance-history.ts: const lines = await database.query<TrialRow>(TRIAL_BALANCE, [timestamp(since), timestamp(at)]);':
    'a row per account and the postings of the last hour, when an operator asks for the trial balance',
  'vault-store.ts: const [row] = await database.query<{ count: bigint }>(': 'a rotation, which reads every record',
  'vault-store.ts: const [row] = await database.query<{ id: string }>(': 'stops at the first matching record',
};

/** Statements that may cost more, but only through an index. */
const MAY_COST_MORE: Readonly<Record<string, string>> = {
  'event-store.ts: const rows = await database.query<EventRow>(':
    'checks five thousand rows at most, in the order of the index',
  'event-store.ts: const [row] = await database.query<{ written_by: string }>(':
    'the last of five thousand rows, in the order of the index',
  'keyset-list.ts: return database.query<Row>(text, values);':
    'checks 1,500 rows at most in the order of the index, if few of them fit the filters',
  'list-payouts.ts: const rows = await database.prepared<PayoutRow>(`list-payouts-${list}`, LISTS[list], [':
    'over a long period, the few rows of one state are filtered from all others (decision 27), only by the index',
  'list-deposits.ts: const rows = await database.prepared<DepositRow>(`list-deposits-${list}`, LISTS[list], [':
    'the same',
  'reconciliation-store.ts: const rows = await database.query<Row>(statement, [rail, timestamp(next.at), timestamp(end)]);':
    'a part of a day’s ledger, which is contiguous, a few times a day',
};

/** Statements that need two concurrent processes, a hanging bank or a cluster. Each reads by key, like its neighbours. */
const NOT_EXERCISED: ReadonlySet<string> = new Set([
  "accept-on-cluster.ts: const moved = await transaction.prepared('cluster-move', MOVE, arraysOf(changes, Object.keys(CHANGE).length));",
  "accept-on-cluster.ts: await transaction.prepared('cluster-add', ADD, [merchants, ...lines]);",
  'accept-on-cluster.ts: for (const [name, text] of INSERTS) await transaction.prepared(name, text, values);',
  "claim-payouts.ts: await transaction.prepared('record-attempts', CLUSTER_ATTEMPTS, [...attempts, rail, timestamp(now)]);",
  "claim-payouts.ts: await transaction.prepared('list-references', CLUSTER_REFERENCES, [merchants, payouts, rail, references]);",
  "lane-store.ts: const held = await transaction.prepared<CallbackKeyRow>('cluster-hold-deliveries', HOLD_ON_CLUSTER, values);",
  "lane-store.ts: await transaction.prepared('cluster-record-deliveries', INSERT_ON_CLUSTER, columnArrays(recorded, REPORT));",
  'accept-refund.ts: const [row] = await transaction.query<{ payout_id: string }>(',
  "address-pool.ts: const [row] = await database.prepared<{ clabe: string }>('reuse-address', REUSE, [merchantId, timestamp(now)]);",
  'adjustment-store.ts: await transaction.query(',
  'begin-attempt.ts: const [row] = await transaction.query<DepositRow>(',
  "lane-store.ts: written.push(...(await database.prepared<CallbackKeyRow>('recorded-deliveries', RECORDED, keys)));",
  'callback-store.ts: await transaction.query(WAKE_LANE, [key.merchantId, timestamp(now)]);',
  "lane-store.ts: if ((await transaction.prepared('lock-lane', LOCK_ONE, [merchant])).length > 0) locked.push(merchant);",
  'payout-store.ts: const found = await database.prepared<PayoutKeyRow & { place: number }>(',
  'pause-store.ts: const woken = await transaction.query(',
  "payout-job-store.ts: await database.prepared('postpone-payouts', POSTPONE, [merchants, JSON.stringify(rows)]);",
]);

/** The error code if the result columns of a prepared statement change. */
const RESULT_TYPE_CHANGED = '0A000';

let test: TestDatabase;
let connection: pg.PoolClient;
let statements: readonly RecordedStatement[] = [];
let exercisedSites: ReadonlySet<string> = new Set();
const SIZES = { 'twenty thousand': 1, 'ten million': 500 };

before(async () => {
  const recorded = await recordStatements();
  const { exerciseEverything } = await import('./exercise.ts');
  await exerciseEverything();
  exercisedSites = new Set(recorded.map(({ site }) => site));
  statements = [...new Map(recorded.map((statement) => [keyOf(statement), statement])).values()];
  test = await createTestDatabase();
  await fillTables(test.pool);
  connection = await test.pool.connect();
  await connection.query('set random_page_cost = 1.1');
});
after(async () => {
  connection.release();
  await test.close();
});

/** A statement has a separate plan for each set of null parameters. */
function keyOf({ text, values }: RecordedStatement): string {
  return `${text} ${values.map((value) => (value === null ? 'null' : 'value')).join()}`;
}

/** Replaces each merchant of the run by a generated merchant, because only those are in the planner's statistics. */
function ofSomeMerchant(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ofSomeMerchant);
  return ['M1', 'deposits', 'payments'].includes(value as string) ? 'many-1' : value;
}

async function planOf({ text, values }: RecordedStatement, kind: 'generic' | 'custom'): Promise<PlanNode> {
  const { rows } =
    kind === 'generic'
      ? await connection.query(`explain (generic_plan, format json) ${text}`)
      : await connection.query(`explain (format json) ${text}`, values.map(ofSomeMerchant));
  return rows[0]['QUERY PLAN'][0].Plan;
}

/**
 * PostgreSQL plans a prepared statement five times for its values. After that it may use a generic plan, which does not know a
 * limit.
 */
async function faultsOf(statement: RecordedStatement): Promise<string[]> {
  const custom = faultsOfPlan(await planOf(statement, 'custom'));
  if (!statement.isPrepared) return custom;
  const generic = faultsOfPlan(await planOf(statement, 'generic'), Number.POSITIVE_INFINITY);
  return [...custom, ...generic.map((fault) => `${fault}, once its values are forgotten`)];
}

function isPlanned({ site, text }: RecordedStatement): boolean {
  return sitesInStorage().has(site) && /^\s*(?:with|select|insert|update|delete)\b/i.test(text);
}

describe('the statements of storage', () => {
  it('the exercise runs every statement of storage', () => {
    const unexercised = [...sitesInStorage()].filter(
      ([site, words]) => !exercisedSites.has(site) && !NOT_EXERCISED.has(words),
    );
    assert.deepEqual(unexercised, []);
    assert.ok(exercisedSites.size > 80, `${exercisedSites.size}`);
  });

  for (const [size, times] of Object.entries(SIZES)) {
    it(`no statement of storage reads much more than it returns from ${size} rows`, async () => {
      await pretendRows(test.pool, times);
      const sites = sitesInStorage();
      const faults: string[] = [];
      for (const statement of statements.filter(isPlanned)) {
        const words = sites.get(statement.site) ?? '';
        if (words in MAY_READ_MORE) continue;
        const found = await faultsOf(statement);
        const counted = words in MAY_COST_MORE ? found.filter((fault) => !fault.startsWith('costs')) : found;
        faults.push(...counted.map((fault) => `${words} ${fault}`));
      }
      assert.deepEqual(faults, []);
    });
  }

  const BAD: readonly (readonly [string, readonly unknown[], RegExp])[] = [
    ['select * from payouts where account_shown = $1', ['x'], /reads all of payouts/],
    ['select * from payouts where merchant_id = $1 and amount > $2 order by amount limit 10', ['M1', 1], /sorts/],
    ['select * from payouts as p where ($1::text is null or p.payout_id = $1) limit 10', ['P7'], /reads all/],
    ['select count(*) from ledger_transfers where merchant_id = $1', ['M1'], /reads 1\d{5} rows/],
    ['select state from callbacks where merchant_id = $1 and subject_id = $2', ['M1', 'P7'], /costs/],
  ];
  for (const [text, values, fault] of BAD) {
    it(`a statement that reads too much is found: ${text}`, async () => {
      await pretendRows(test.pool, SIZES['ten million']);
      assert.match((await faultsOf({ text, forCluster: text, values, isPrepared: true, site: '' })).join('; '), fault);
    });
  }

  it('prepared statements give the same columns after a newer version adds a column to a table', async () => {
    const next = await createTestDatabase();
    const served = await next.pool.connect();
    const prepared = statements.filter((statement) => statement.isPrepared && isPlanned(statement));
    const refused = async (statement: RecordedStatement, at: number): Promise<string[]> => {
      await served.query('begin');
      const query = { name: `served-${at}`, text: statement.text, values: [...statement.values] };
      const error = await served.query(query).then(
        () => null,
        (failure: pg.DatabaseError) => failure,
      );
      await served.query('rollback');
      return error?.code === RESULT_TYPE_CHANGED ? [`${statement.site} ${error.message}`] : [];
    };
    for (const [at, statement] of prepared.entries()) await refused(statement, at);
    const tables = await next.pool.query<{ tablename: string }>(
      'select tablename from pg_tables where schemaname = current_schema()',
    );
    for (const { tablename } of tables.rows) await next.pool.query(`alter table ${tablename} add column colour text`);
    const faults: string[] = [];
    for (const [at, statement] of prepared.entries()) faults.push(...(await refused(statement, at)));
    served.release();
    await next.close();
    assert.deepEqual(faults, []);
    assert.ok(prepared.length > 30, `${prepared.length}`);
  });
});
