/**
 * A database in which every growing table is large: some thousands of real rows, from which the planner learns their
 * distribution, and statistics that multiply the row counts. The rows are not consistent with each other.
 */
import type pg from 'pg';

/** Tables that grow with every payment. All others grow with the merchants, or do not grow. */
export const LARGE_TABLES = [
  'payouts',
  'payout_jobs',
  'payout_attempts',
  'payout_history',
  'payout_adjustments',
  'rail_references',
  'ledger_transfers',
  'ledger_snapshots',
  'payment_volumes',
  'vault_records',
  'callbacks',
  'callback_attempts',
  'deposits',
  'deposit_orders',
  'deposit_history',
  'clabes',
  'incoming_transfers',
  'incoming_transfer_keys',
  'form_sessions',
  'form_tokens',
  'payment_attempts',
  'payment_cards',
  'payment_references',
  'deposit_adjustments',
  'deposit_refunds',
  'audit_entries',
  'act_answers',
] as const;

const ROWS = 20_000;
const MERCHANTS = 100;
const MERCHANT = `'many-' || (n % ${MERCHANTS})`;
const TIME = `timestamptz '2026-01-01' + n * interval '10 seconds'`;
const KEY = `decode(md5(n::text), 'hex')`;

/** A `select` list for each table, in column order. `n` is the row number. Every two-hundredth row is not final. */
const ROWS_OF: Readonly<Record<string, string>> = {
  audit_entries: `${MERCHANT}, n / ${MERCHANTS} + 1, ${TIME}, 'A' || n, 'done', (array['funds.credit', 'merchants.edit'])[n % 2 + 1],
    'merchants/' || n % ${MERCHANTS}, 'token', 'T1', 'x', null, 'R' || n, null, '{}', ${KEY}`,
  act_answers: `'token:T' || n % 10, 'K' || n, ${KEY}, ${TIME}, ${TIME}, 200, '{}'`,
  payouts: `${MERCHANT}, 'P' || n, n, 'payout', 9, (array['EUR', 'USD'])[n % 2 + 1], 100, '1.00', 0, 'a_rail', '411111******1111', '{}',
    'T' || n, ${KEY}, case when n % 200 = 0 then 'pending' when n % 50 = 1 then 'blocked' else 'success' end,
    case when n % 200 <> 0 and n % 50 = 1 then 'unspecified' end, ${TIME}, case when n % 200 <> 0 then ${TIME} end, null, null, ''`,
  payout_attempts: `${MERCHANT}, 'P' || n, 1, 'a_rail', 'R' || n, ${TIME}, ${TIME}, case when n % 200 <> 0 then ${TIME} end, 'x', ''`,
  payout_history: `${MERCHANT}, 'P' || n, 2, ${TIME}, 'executed', 'pending', 'success', 'a_rail', ''`,
  payout_adjustments: `${MERCHANT}, 'P' || n, 'reversed', ${TIME}, ''`,
  rail_references: `'a_rail', 'R' || n, ${MERCHANT}, 'P' || n`,
  ledger_transfers: `${MERCHANT}, 'payout/P' || n || '/reserve', 1, 'reserve', 'EUR', 'available', 'reserved', 100, null, ${TIME}`,
  ledger_closings: `'many-' || n, ${TIME}, ${TIME}`,
  ledger_snapshots: `${MERCHANT}, 'EUR', (array['available', 'reserved', 'fees', 'owed', 'clearing:a_rail'])[n / ${MERCHANTS} % 5 + 1], date_trunc('hour', ${TIME}), n`,
  payment_volumes: `${MERCHANT}, date_trunc('hour', ${TIME}), 'payout', (n / ${MERCHANTS} % 10)::text, 'a_rail', 'EUR', 'success', 1, 1, 1, '{}'`,
  vault_records: `${MERCHANT}, 'T' || n, 'key-1', ${KEY}, ${KEY}, ${TIME}, case when n % 200 = 0 then ${TIME} end`,
  callbacks: `${MERCHANT}, 'payout_' || n, 'payout', 'P' || n, '[]', case when n % 200 = 0 then 'due' when n % 200 = 1 then 'undelivered' else 'delivered' end,
    ${TIME}, 1, 0, ${TIME}, case when n % 200 = 0 then ${TIME} end, ${TIME}`,
  callback_attempts: `${MERCHANT}, 'payout_' || n, 1, ${TIME}, 5, 200, 'accepted', 'OK'`,
  callback_lanes: `'many-' || n, ${TIME}`,
  deposits: `${MERCHANT}, n, gen_random_uuid(), 'N' || n, 'spei', 'MXN', 100, '1.00', '{}', 'stp', lpad(n::text, 18, '0'), 'x',
    case when n % 200 = 0 then 'pending' else 'success' end, null, 100, 0, ${TIME}, ${TIME}, ${TIME}, case when n % 200 <> 0 then ${TIME} end`,
  deposit_orders: `${MERCHANT}, 'N' || n, n`,
  deposit_history: `${MERCHANT}, n, 1, ${TIME}, 'opened', null, 'pending', 'merchant', ''`,
  clabes: `lpad(n::text, 18, '0'), ${MERCHANT}, n, ${TIME}, ${TIME} + interval '184 days'`,
  incoming_transfers: `${MERCHANT}, 'stp', 'K' || n, n, lpad(n::text, 18, '0'), 'MXN', 100, '{}', null,
    case when n % 200 = 0 then 'held' else 'credited' end, case when n % 400 = 0 then 'P' || n end, false, 'notification', ${TIME}, ${TIME}`,
  incoming_transfer_keys: `'stp', 'K' || n, ${MERCHANT}`,
  form_sessions: `${MERCHANT}, gen_random_uuid(), ${KEY}, 'N' || n, 'EUR', 100, '1.00', true, null, 'en', null, '{}',
    case when n % 2 = 0 then n end, ${TIME}, ${TIME}`,
  form_tokens: `${KEY}, ${MERCHANT}, gen_random_uuid()`,
  payment_attempts: `${MERCHANT}, n, 1, 'adyen', 'card', 'A' || n, '', '', '{}', case when n % 200 = 0 then 'deciding' else 'paid' end,
    null, false, null, false, '', ${TIME}, ${TIME}, case when n % 200 = 0 then ${TIME} end, 0, case when n % 200 <> 0 then ${TIME} end`,
  payment_cards: `${MERCHANT}, n, 1, '411111******1111', 'T' || n`,
  counted_attempts: `${MERCHANT}, n, 1, ${KEY}, ${KEY}, n % 2 = 0, ${TIME}`,
  payment_references: `'adyen', 'A' || n, ${MERCHANT}, n, 1`,
  deposit_adjustments: `${MERCHANT}, n, 1, 'refunded', 'x' || n, 'EUR', 100, case when n % 2000 = 0 then 50 else 100 end, ${TIME}, ''`,
  deposit_refunds: `${MERCHANT}, 'P' || n, n, 1, ''`,
  payout_jobs: `${MERCHANT}, 'P' || n, 'a_rail', 'payout', 9, 'queued', ${TIME}, ${TIME}`,
  ledger_accounts: `'many-' || (n / 5), 'EUR', (array['available', 'reserved', 'fees', 'owed', 'clearing:a_rail'])[n % 5 + 1], 0`,
};

/** Row counts of tables that have fewer rows than payouts. */
const FEWER: Readonly<Record<string, number>> = {
  merchants: MERCHANTS,
  callback_lanes: MERCHANTS,
  ledger_closings: MERCHANTS,
  ledger_accounts: MERCHANTS * 5,
  payout_jobs: ROWS / 200,
  payout_adjustments: 200,
};

/** Tables that store events, in the order of the transactions that wrote them. */
const IN_COMMIT_ORDER = ['payouts', 'payout_history', 'deposit_history', 'callback_attempts', 'audit_entries'];

export async function fillTables(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  // Give each row a different transaction id, because one insert gives all rows the same.
  for (const table of IN_COMMIT_ORDER) {
    await client.query(`create sequence ${table}_written`);
    await client.query(`alter table ${table} alter written_by set default nextval('${table}_written')::text::xid8`);
    // The planner cannot divide a histogram bucket: with 2,000 buckets, each is smaller than one page of events.
    await client.query(`alter table ${table} alter written_by set statistics 2000`);
  }
  await client.query(`alter table payouts alter accepted_why set default ''`);
  await client.query(
    `insert into merchants select 'many-' || n, '', null, null, null, null, null, null, 'active', '{}', now()
     from generate_series(1, ${MERCHANTS}) as n`,
  );
  for (const [table, columns] of Object.entries(ROWS_OF))
    await client.query(`insert into ${table} select ${columns} from generate_series(1, ${FEWER[table] ?? ROWS}) as n`);
  await client.query('analyze');
  client.release();
}

/**
 * Makes the planner assume `times` as many rows and pages in every large table. PostgreSQL counts pages from the file, not
 * from the statistics, so the rows per page increase; the relative costs of plans stay correct.
 */
export async function pretendRows(pool: pg.Pool, times: number): Promise<void> {
  for (const table of LARGE_TABLES) {
    await pool.query(`alter table ${table} set (autovacuum_enabled = off)`);
    await pool.query(
      `update pg_class set reltuples = (select count(*) from ${table}) * $1::float where oid = $2::regclass`,
      [times, table],
    );
  }
}
