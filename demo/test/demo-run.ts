/** Runs the demo as a user does, as a process with a separate data directory, and reads its output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROVIDERS } from '../src/providers/providers.ts';
import { STP_SIMULATOR } from '../src/providers/stp.ts';

export const ROOT = join(import.meta.dirname, '../..');

export type Variables = Readonly<Record<string, string>>;

/** The variables of all ports on which a simulator of the demo listens. */
export const SIMULATOR_PORTS: readonly string[] = [
  STP_SIMULATOR.variables.port,
  ...PROVIDERS.flatMap(({ kind, otherPorts }) => [kind.variables.port, ...Object.keys(otherPorts)]),
];

export const OWN_VARIABLES = {
  // The history would take most of the time of these tests, and history.test.ts covers it.
  DEMO_HISTORY: 'off',
  PORT: '0',
  METRICS_PORT: '0',
  MANAGE_PORT: '0',
  INBOX_PORT: '0',
  ...Object.fromEntries(SIMULATOR_PORTS.map((name) => [name, '0'])),
};
/** A time limit far longer than a busy machine needs. */
const PATIENCE_MS = 180_000;
const LOOK_EVERY_MS = 20;

export interface DemoRun {
  readonly process: ChildProcess;
  readonly printed: () => string;
  /** Resolves to the first match in the output. Fails with the entire output. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves to the exit code, or the signal, once the process and its output have ended. */
  readonly ended: Promise<number | string | null>;
}

export async function makeDataDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'demo-'));
}

/** Removes the data directory. For root, the database is elsewhere. */
export async function removeDataDirectory(dataDir: string): Promise<void> {
  await rm(await databaseFolder(dataDir), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

async function databaseFolder(dataDir: string): Promise<string> {
  const pointed = await readFile(join(dataDir, 'postgres-location'), 'utf8').catch(() => '');
  return pointed.trim() || join(dataDir, 'postgres');
}

/** Returns the pid of the running PostgreSQL, or undefined if none runs. */
export async function databasePid(dataDir: string): Promise<number | undefined> {
  const file = join(await databaseFolder(dataDir), 'cluster/postmaster.pid');
  return access(file).then(
    async () => Number.parseInt(await readFile(file, 'utf8'), 10),
    () => undefined,
  );
}

export function runDemo(dataDir: string, variables: Variables = {}, command?: readonly string[]): DemoRun {
  const [program = '', ...args] = command ?? [process.execPath, join(ROOT, 'demo/src/start.ts')];
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE, ...OWN_VARIABLES, GATEWAY_DATA_DIR: dataDir, ...variables };
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => (signal as string | null) ?? (code as number));
  return {
    process: child,
    printed: () => text,
    ended,
    until: (pattern) =>
      eventually(
        () => pattern.exec(text),
        () => `The demo did not print ${pattern}, but:\n${text}`,
      ),
  };
}

/** Repeats `look` until it returns a result. Fails with `complaint`. */
export async function eventually<Found>(
  look: () => Found | Promise<Found>,
  complaint: () => string,
): Promise<NonNullable<Found>> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < PATIENCE_MS) {
    const found = await look();
    if (found) return found;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(complaint());
}

export async function isAnswered(url: string): Promise<boolean> {
  return fetch(url).then(
    async (answer) => {
      await answer.body?.cancel();
      return true;
    },
    () => false,
  );
}
