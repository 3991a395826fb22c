/** A gateway in a separate process that tests kill, stop and restart. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { GatewayOptions } from '../../../src/main/compose/compose.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { within } from '../tools/until.ts';
import { MASTER_KEY, ORIGIN } from './running-gateway.ts';

/** A test run bundles it once (test/run/bundle-gateway.ts). */
const ENTRY = process.env['TEST_GATEWAY_ENTRY'] ?? join(import.meta.dirname, 'serve-gateway.ts');
const STARTS_WITHIN_MS = 120_000;
const STOPS_WITHIN_MS = 120_000;

/** Lets the gateway recover from a crash within seconds. The order of the deadlines is the default. */
export const QUICK_PACE = {
  rail: { timeoutMs: 1_500, notFoundProofMs: 1_000, askAfterMs: [300, 1_000, 2_000] },
  payment: { timeoutMs: 6_000, notFoundProofMs: 1_000, askAfterMs: [300, 1_000, 2_000] },
  recordingMs: 1_500,
  callbacks: { leaseMs: 4_000, sendingEndsMs: 2_000 },
  batchLeaseMs: 2_000,
} as const satisfies GatewayOptions['pace'];

/** The longest time for which a dead process keeps a payout or a lane: grace, timeout and recording, or the lane's lease. */
export const LONGEST_LEASE_MS = 5_000;

export interface GatewayProcess {
  /** The URL for merchants. Empty for a worker. */
  readonly url: string;
  readonly opsUrl: string;
  readonly pid: number;
  /** Returns everything that the process wrote to standard error. */
  errors(): string;
  /** Sends a signal without waiting for its effect. */
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGHUP'): void;
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM. Rejects unless the process ends in time with exit code 0. */
  stop(): Promise<void>;
}

/** Resolves once the gateway serves. `options` are the arguments after `gateway serve`. */
export async function startGatewayProcess(
  variables: EnvironmentVariables,
  ...options: readonly string[]
): Promise<GatewayProcess> {
  const child = spawn(process.execPath, [ENTRY, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TMPDIR: process.env['TMPDIR'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      TEST_PACE: JSON.stringify(QUICK_PACE),
      METRICS_PORT: '0',
      MANAGE_PORT: '0',
      MANAGE_ORIGIN: ORIGIN,
      GATEWAY_MASTER_KEY: MASTER_KEY,
      LOG_LEVEL: 'warn',
      ...variables,
    },
  });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => void errors.push(chunk.toString()));
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const line = await within(STARTS_WITHIN_MS, 'the start of a gateway', firstLine(child, exited, errors)).catch(
    (error) => {
      child.kill('SIGKILL');
      throw error;
    },
  );
  const { url, opsUrl }: Record<'url' | 'opsUrl', string | null> = JSON.parse(line);
  return {
    url: url ?? '',
    opsUrl: opsUrl ?? '',
    pid: child.pid ?? 0,
    errors: () => errors.join(''),
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      const [code] = await within(STOPS_WITHIN_MS, 'the end of a gateway', exited).catch((error) => {
        child.kill('SIGKILL');
        throw error;
      });
      if (code !== 0) throw new Error(`the gateway ended with ${code}: ${errors.join('').slice(-2_000)}`);
    },
  };
}

async function firstLine(child: ChildProcess, exited: Promise<unknown>, errors: readonly string[]): Promise<string> {
  const stdout = child.stdout;
  if (!stdout) throw new Error('the process has no standard output');
  const line = once(stdout, 'data').then(([chunk]) => String(chunk).trim());
  const ended = exited.then(() => {
    throw new Error(`the gateway ended at its start: ${errors.join('').slice(-2_000)}`);
  });
  return Promise.race([line, ended]);
}
