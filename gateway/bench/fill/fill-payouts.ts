/**
 * Fills the tables with final payouts that look like the gateway's: copies of a specimen's rows, in batches, with matching
 * balances. The indexes stay in place unless only reads are measured, so that they have the shape of indexes that grew. Every
 * batch is one transaction, so an interrupted fill continues where it stopped.
 */

import { timeInIdSql } from '../../src/storage/core/time-in-id.ts';
import { monotonicMs } from '../load/monotonic-clock.ts';
import { payoutIdSql } from '../load/payout-ids.ts';
import type { PayoutShape, RowShape } from '../specimen/specimen.ts';
import { type AdminClient, numberOf, openAdminClient } from '../stage/admin-client.ts';
import { MERCHANTS, merchantSql } from '../stage/bench-merchants.ts';
import type { Stage } from '../stage/stage.ts';
import { withoutIndexes } from './without-indexes.ts';

/** Each filler has its own merchants, so two fillers never lock the same rows. */
const FILLERS = 2;
const BATCH = 100_000;
/** The acceptance times of a fill are spread over this many days, up to now. */
const DAYS = 60;

/** The parts of a stage that a fill uses. */
type FilledStage = Pick<Stage, 'admin'> & {
  readonly gateway: { readonly core: Pick<Stage['gateway']['core'], 'connection'> };
};

/** Fills until the database holds `wanted` filled payouts, including those of earlier fills. */
export async function fillPayouts(
  stage: FilledStage,
  shape: PayoutShape,
  wanted: number,
  onProgress: (line: string) => void,
  { onlyForReads = false }: { readonly onlyForReads?: boolean } = {},
): Promise<void> {
  const { admin } = stage;
  await admin.query('create table if not exists bench_fill (filler integer primary key, filled bigint not null)');
  const missing = wanted - (await filledSoFar(admin));
  if (missing <= 0) return;
  await admin.query('alter system set full_page_writes = off');
  await admin.query('alter system set autovacuum = off');
  await admin.query('select pg_reload_conf()');
  try {
    const fillAll = () => fill(stage, shape, missing, onProgress);
    const indexed = new Set(shape.rows.map(({ table }) => table));
    await (onlyForReads ? withoutIndexes(admin, [...indexed], onProgress, fillAll) : fillAll());
  } finally {
    await admin.query('alter system reset all');
    await admin.query('select pg_reload_conf()');
  }
  onProgress('vacuum, analyze, checkpoint');
  for (const table of tablesOf(shape)) await admin.query(`vacuum (analyze) ${table}`);
  await admin.query('checkpoint');
}

async function filledSoFar(admin: AdminClient): Promise<number> {
  return numberOf(admin, 'select coalesce(sum(filled), 0) from bench_fill');
}

async function fill(stage: FilledStage, shape: PayoutShape, missing: number, onProgress: (line: string) => void) {
  const first = await reserveNumbers(stage.admin, missing);
  const startedAt = monotonicMs();
  let done = 0;
  const progress = (count: number) => {
    done += count;
    const perSecond = (done / (monotonicMs() - startedAt)) * 1_000;
    const left = Math.round((missing - done) / perSecond);
    onProgress(`filled ${done} of ${missing}, ${Math.round(perSecond)}/s, ${left} s to go`);
  };
  await Promise.all(
    Array.from({ length: FILLERS }, async (_, filler) => {
      const client = await openAdminClient(stage.gateway.core.connection);
      await client.query('set synchronous_commit = off');
      // A filler takes every FILLERS-th number, so that its merchants belong to it alone.
      for (let at = filler; at < missing; at += BATCH) {
        const count = Math.ceil((Math.min(at - filler + BATCH, missing) - at) / FILLERS);
        if (count <= 0) break;
        await fillBatch(client, shape, { filler, count, names: namesSql({ first, missing }, at, count) });
        progress(count);
      }
      await client.close();
    }),
  );
}

/** Reserves `count` numbers that no running process will use. The first is a multiple of the number of merchants. */
async function reserveNumbers(admin: AdminClient, count: number): Promise<number> {
  const drawn = await numberOf(admin, `select nextval('transaction_ids')`);
  const first = Math.ceil((drawn + 1_024) / MERCHANTS) * MERCHANTS;
  await admin.query(`select setval('transaction_ids', $1)`, [Math.ceil((first + count) / 1_024) * 1_024]);
  return first;
}

interface Batch {
  readonly filler: number;
  readonly count: number;
  /** The query that returns the names of its payouts. */
  readonly names: string;
}

async function fillBatch(client: AdminClient, shape: PayoutShape, { filler, count, names }: Batch) {
  await client.query('begin');
  await client.query(`create temporary table k on commit drop as ${names}`);
  for (const row of shape.merchantRows)
    await client.query(`${insertSql(row, '(select distinct on (merchant_id) * from k) as k')} on conflict do nothing`);
  for (const row of shape.rows) await client.query(insertSql(row, 'k'));
  for (const sql of balanceSql(shape)) await client.query(sql);
  await client.query(
    `insert into bench_fill values ($1, $2) on conflict (filler) do update set filled = bench_fill.filled + excluded.filled`,
    [filler, count],
  );
  await client.query('commit');
}

/** Returns the names of the payouts from `at`, ordered by time, because rows that grew are stored in that order. */
function namesSql({ first, missing }: { first: number; missing: number }, at: number, count: number): string {
  const number = `(${first + at}::bigint + n * ${FILLERS})`;
  const part = `(${at} + n * ${FILLERS}) / ${missing}::double precision`;
  return `
    select ${number} as number, ${merchantSql(number)} as merchant_id, ${payoutIdSql(number, 'F')} as payout_id,
      at, ${timeInIdSql('at')} as time_in_id
    from generate_series(0, ${count - 1}) as n
    cross join lateral (
      select date_trunc('milliseconds', now() - interval '${DAYS} days' * (1 - ${part})) as at) as t
    order by n`;
}

function insertSql({ table, columns }: RowShape, from: string): string {
  const names = columns.map(([name]) => `"${name}"`).join(', ');
  return `insert into ${table} (${names}) select ${columns.map(([, expression]) => expression).join(', ')} from ${from}`;
}

/**
 * Inserts each account with a balance of zero: PostgreSQL would reject a first balance below the floor before it finds the
 * existing row.
 */
function balanceSql({ balances }: PayoutShape): string[] {
  const changes = balances.map(({ currency, account, change }) => `('${currency}', '${account}', ${change}::bigint)`);
  const each = `(select merchant_id, count(*) as payouts from k group by 1) as m
    cross join (values ${changes.join(', ')}) as c(currency, account, change)`;
  return [
    `insert into ledger_accounts (merchant_id, currency, account, balance)
     select m.merchant_id, c.currency, c.account, 0 from ${each} on conflict do nothing`,
    `update ledger_accounts as a set balance = a.balance + c.change * m.payouts from ${each}
     where a.merchant_id = m.merchant_id and a.currency = c.currency and a.account = c.account and c.change <> 0`,
  ];
}

function tablesOf({ rows }: PayoutShape): string[] {
  return [...new Set([...rows.map(({ table }) => table), 'ledger_accounts'])];
}
