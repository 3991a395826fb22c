/** A program of this repository that takes part in a benchmark, as a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { systemClock } from '../../src/foundation/clock.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

/** The role of a process. The benchmark reports CPU time by role. */
export type ProcessKind = 'api' | 'worker' | 'gateway' | 'banks' | 'receiver' | 'http floor';

export interface StagedProcess {
  readonly kind: ProcessKind;
  readonly pid: number;
  /** The metrics URL of a gateway process. Null for other programs. */
  readonly opsUrl: URL | null;
  stop(): Promise<void>;
}

export interface Program {
  readonly kind: ProcessKind;
  readonly script: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The program is ready as soon as this URL responds. */
  readonly ready: URL;
  readonly opsUrl?: URL;
}

const LOOK_EVERY_MS = 50;
const MOST_LOOKS = 600;

/** Resolves once the program is ready. */
export async function startProgram({
  kind,
  script,
  args,
  environment,
  ready,
  opsUrl,
}: Program): Promise<StagedProcess> {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [path.join(ROOT, script), ...args], {
    env: { PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilAnswered(ready, child);
  return { kind, pid: child.pid ?? 0, opsUrl: opsUrl ?? null, stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

/** Accepts any response, because it proves that the program listens. */
async function untilAnswered(url: URL, child: ChildProcess): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    if (child.exitCode !== null) throw new Error(`a process of the benchmark ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer && answer.status !== 503) return;
    await systemClock.sleep(LOOK_EVERY_MS);
  }
  await end(child);
  throw new Error(`nothing answers at ${url}`);
}
