/** Runs one statement repeatedly with pgbench, PostgreSQL's native load generator. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { Samples } from '../load/latency.ts';

export interface StatementLoad {
  readonly connection: pg.ClientConfig;
  readonly name: string;
  /** Each execution has a different `:id`, which increases across all connections. */
  readonly statement: string;
  readonly connections: number;
  readonly seconds: number;
  /** The value of the first `:id`. */
  readonly firstId: number;
}

export interface StatementTimes {
  readonly rate: number;
  /** The duration of each execution, in milliseconds. */
  readonly times: Float64Array;
}

export function hasPgbench(): boolean {
  return spawnSync('pgbench', ['--version']).status === 0;
}

export async function runPgbench(load: StatementLoad): Promise<StatementTimes> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-pgbench-'));
  const script = path.join(folder, 'subject.sql');
  const { host, port, user, database } = load.connection;
  // Increasing, like the gateway's own keys: random keys would make an index slower.
  const numbering = `\\set n :n + 1\n\\set id :first + :n * ${load.connections} + :client_id\n`;
  writeFileSync(script, `${numbering}${load.statement.replaceAll(/\s*\n\s*/g, ' ')};\n`);
  const how = ['-n', '-f', script, '-M', 'prepared', '-D', 'n=0', '-D', `first=${load.firstId}`];
  const much = ['-c', load.connections, '-j', Math.min(2, load.connections), '-T', load.seconds];
  const where = ['-h', host, '-p', port ?? 5432, '-U', user, database];
  const log = ['-l', '--log-prefix', path.join(folder, 'times')];
  try {
    const { stdout } = await promisify(execFile)('pgbench', [...how, ...much, ...log, ...where].map(String));
    return { rate: Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? 0), times: readTimes(folder) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads the log. Its lines begin with the client, the transaction number and the duration in microseconds. */
function readTimes(folder: string): Float64Array {
  const times = new Samples();
  for (const name of readdirSync(folder).filter((file) => file.startsWith('times'))) {
    for (const line of readFileSync(path.join(folder, name), 'utf8').split('\n')) {
      const micros = Number(line.split(' ', 3)[2]);
      if (micros > 0) times.add(micros / 1_000);
    }
  }
  return times.toArray();
}
