/**
 * The SQL floor: the rows of one accepted payout, one payout per commit, at the concurrency where that goes best; through
 * pgbench where there is one, else through the plain client. It takes the shortest way there is: one statement, no
 * look-up of what exists, no decision; only the rows have to be the same.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

export interface SqlFloor {
  readonly by: 'pgbench' | 'plain client';
  /** Payouts a second at the best concurrency. */
  readonly rate: number;
  readonly concurrency: number;
}

const CONCURRENCIES = [8, 16, 32, 64];
const MERCHANTS = 100;
/** As many merchants as the gateway is measured with, so that one balance is no bottleneck here either. */
const MERCHANT = `'sql-floor-' || (:id::bigint % ${MERCHANTS})`;

/** One payout's rows; `:id` is a number of its own for each. */
const ACCEPT_ONE = `
with p as (
  insert into payouts (merchant_id, payout_id, transaction_id, method, currency, amount, amount_text, fee, rail, account_shown,
    fields, vault_token, content_hash, state, code, accepted_at)
  values (${MERCHANT}, 'P' || :id, :id, 9, 'EUR', 100, '1.00', 0, 'stand-in-bank', '555555******4444', '{}', 'T' || :id,
    decode(repeat('ab', 32), 'hex'), 'pending', '40', now())),
v as (insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at)
  values (${MERCHANT}, 'T' || :id, '0123456789abcdef', decode(repeat('ab', 60), 'hex'), decode(repeat('cd', 60), 'hex'), now())),
j as (insert into payout_jobs (merchant_id, payout_id, rail, method, stage, stage_since, due_at)
  values (${MERCHANT}, 'P' || :id, 'nobody', 9, 'queued', now(), now())),
h as (insert into payout_history (merchant_id, payout_id, entry, at, event, to_state, actor)
  values (${MERCHANT}, 'P' || :id, 1, now(), 'accepted', 'pending', 'merchant')),
t as (insert into ledger_transfers (merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, posted_at)
  values (${MERCHANT}, 'payout/P' || :id || '/reserve', 1, 'reserve', 'EUR', 'available', 'reserved', 100, now()))
update ledger_accounts set balance = balance + case account when 'available' then -100 else 100 end
where merchant_id = ${MERCHANT} and currency = 'EUR' and account in ('available', 'reserved')`;

/** `config` is of the schema's owner. Leaves nothing behind. */
export async function measureSqlFloor(config: pg.ClientConfig, seconds: number): Promise<SqlFloor> {
  const client = new pg.Client(config);
  await client.connect();
  await client.query(
    `insert into ledger_accounts select 'sql-floor-' || m, 'EUR', account, case account when 'available' then 1000000000000 else 0 end
     from generate_series(0, ${MERCHANTS - 1}) as m, unnest(array['available', 'reserved']) as account`,
  );
  try {
    const by = hasPgbench() ? 'pgbench' : 'plain client';
    const measure = by === 'pgbench' ? withPgbench : withPlainClient;
    let best: SqlFloor = { by, rate: 0, concurrency: 0 };
    for (const [round, concurrency] of CONCURRENCIES.entries()) {
      const rate = await measure(config, concurrency, seconds, round);
      if (rate > best.rate) best = { by, rate, concurrency };
    }
    return best;
  } finally {
    const tables = ['payouts', 'vault_records', 'payout_jobs', 'payout_history', 'ledger_transfers', 'ledger_accounts'];
    for (const table of tables) await client.query(`delete from ${table} where merchant_id like 'sql-floor-%'`);
    await client.end();
  }
}

function hasPgbench(): boolean {
  return spawnSync('pgbench', ['--version']).status === 0;
}

async function withPgbench(
  config: pg.ClientConfig,
  concurrency: number,
  seconds: number,
  round: number,
): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-pgbench-'));
  const script = path.join(folder, 'accept.sql');
  writeFileSync(script, `\\set id random(1, 9000000000000)\n${ACCEPT_ONE.replaceAll('\n', ' ')};\n`);
  const { host, port, user, database } = config;
  const args = [
    '-n',
    '-f',
    script,
    '-M',
    'prepared',
    '-c',
    concurrency,
    '-j',
    2,
    '-T',
    seconds,
    '--random-seed',
    round + 1,
  ];
  const where = ['-h', host, '-p', port ?? 5432, '-U', user, database];
  try {
    const { stdout } = await promisify(execFile)('pgbench', [...args, ...where].map(String));
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function withPlainClient(
  config: pg.ClientConfig,
  concurrency: number,
  seconds: number,
  round: number,
): Promise<number> {
  const clients = Array.from({ length: concurrency }, () => new pg.Client(config));
  await Promise.all(clients.map((client) => client.connect()));
  const statement = ACCEPT_ONE.replaceAll(':id', '$1');
  const startedAt = performance.now();
  let next = (round + 1) * 1_000_000_000;
  let done = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - startedAt < seconds * 1_000) {
        await client.query({ name: 'accept-one', text: statement, values: [next++] });
        done += 1;
      }
    }),
  );
  const elapsed = performance.now() - startedAt;
  await Promise.all(clients.map((client) => client.end()));
  return (done / elapsed) * 1_000;
}
