/**
 * How an SQL floor is measured: the same rows, one subject per commit, at the concurrency where that goes best; through
 * pgbench where there is one, else through the plain client. What is written is sql-floors.ts.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

export interface SqlFloor {
  readonly by: 'pgbench' | 'plain client';
  /** Subjects a second at the best concurrency. */
  readonly rate: number;
  readonly concurrency: number;
}

/** What is written for one subject. */
export interface SqlFloorOf {
  readonly name: string;
  /** What has to be there first. */
  readonly prepare: readonly string[];
  /** One subject's rows, in one statement and so in one commit; `:id` is a number of its own for each. */
  readonly statement: string;
  /** Where it leaves rows, each with a merchant_id. */
  readonly tables: readonly string[];
}

const CONCURRENCIES = [8, 16, 32, 64];

/** `config` is of the schema's owner. Leaves nothing behind. */
export async function measureSqlFloor(config: pg.ClientConfig, of: SqlFloorOf, seconds: number): Promise<SqlFloor> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    for (const sql of of.prepare) await client.query(sql);
    const by = hasPgbench() ? 'pgbench' : 'plain client';
    const measure = by === 'pgbench' ? withPgbench : withPlainClient;
    let best: SqlFloor = { by, rate: 0, concurrency: 0 };
    for (const [round, concurrency] of CONCURRENCIES.entries()) {
      const rate = await measure(config, of, concurrency, seconds, round);
      if (rate > best.rate) best = { by, rate, concurrency };
    }
    return best;
  } finally {
    for (const table of of.tables) await client.query(`delete from ${table} where merchant_id like 'sql-floor-%'`);
    await client.end();
  }
}

function hasPgbench(): boolean {
  return spawnSync('pgbench', ['--version']).status === 0;
}

async function withPgbench(
  config: pg.ClientConfig,
  of: SqlFloorOf,
  concurrency: number,
  seconds: number,
  round: number,
): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-pgbench-'));
  const script = path.join(folder, 'subject.sql');
  writeFileSync(script, `\\set id random(1, 9000000000000)\n${of.statement.replaceAll('\n', ' ')};\n`);
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
  of: SqlFloorOf,
  concurrency: number,
  seconds: number,
  round: number,
): Promise<number> {
  const clients = Array.from({ length: concurrency }, () => new pg.Client(config));
  await Promise.all(clients.map((client) => client.connect()));
  const statement = of.statement.replaceAll(':id', '$1');
  const startedAt = performance.now();
  let next = (round + 1) * 1_000_000_000;
  let done = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - startedAt < seconds * 1_000) {
        await client.query({ name: of.name, text: statement, values: [next++] });
        done += 1;
      }
    }),
  );
  const elapsed = performance.now() - startedAt;
  await Promise.all(clients.map((client) => client.end()));
  return (done / elapsed) * 1_000;
}
