/** Runs many seeds in several processes, prints a summary every minute and logs the completed seeds. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { MINUTE_MS, SECOND_MS } from '../../src/foundation/clock.ts';
import { addToRunLog } from './run-log.ts';
import type { Progress, RunResult } from './run-result.ts';
import type { Ordered, Report } from './seed-player.ts';

interface SeedsToPlay extends Omit<Ordered, 'seed'> {
  readonly first: number;
  readonly count: number;
  /** No seed begins after this many minutes. */
  readonly minutes: number;
  readonly processes: number;
  /** If true, no seed begins after a failure. */
  readonly untilFailure: boolean;
  /** Aborts when the program is about to end. A seed in progress then fails only for that reason, and is not recorded. */
  readonly interrupted: AbortSignal;
  /** Each seed adds a line to this file. */
  readonly log: string | undefined;
  /** A seed fails if its process reports nothing for this many seconds. Defaults to 300. */
  readonly silentTicks?: number;
  readonly onEnded: (result: RunResult) => void;
  /** Called with a summary line every minute and at the end. */
  readonly onSum: (line: string) => void;
}

/** Resolves to the seeds that failed. */
export async function playSeeds(wanted: SeedsToPlay): Promise<string[]> {
  const { first, count, days, scale, regime, rejectionStalls, minutes, processes, untilFailure } = wanted;
  const { interrupted, log, onEnded, onSum } = wanted;
  const begunAt = performance.now();
  const failed: string[] = [];
  const sum = { payments: 0, days: 0 };
  const running = new Map<string, Pick<Progress, 'payments' | 'days'>>();
  let next = first;

  const mayBegin = () =>
    !interrupted.aborted &&
    next < first + count &&
    performance.now() - begunAt < minutes * MINUTE_MS &&
    !(untilFailure && failed.length > 0);

  function end(result: RunResult): void {
    if (interrupted.aborted) return;
    running.delete(result.seed);
    sum.payments += result.payments;
    sum.days += result.days;
    if (result.violations.length > 0) failed.push(result.seed);
    if (log !== undefined) addToRunLog(log, { ...result, scale, regime });
    onEnded(result);
  }

  async function playInTurn(): Promise<void> {
    let player: ChildProcess | undefined;
    while (mayBegin()) {
      if (!player?.connected) player = startPlayer();
      const seed = String(next++);
      const onProgress = (progress: Progress) => running.set(seed, progress);
      const result = await playOne(
        player,
        { seed, days, scale, regime, rejectionStalls },
        onProgress,
        wanted.silentTicks ?? SILENT_TICKS,
      );
      end(result);
    }
    if (player?.connected) player.disconnect();
  }

  function printSum(): void {
    const all = [sum, ...running.values()];
    const payments = all.reduce((total, each) => total + each.payments, 0);
    const years = all.reduce((total, each) => total + each.days, 0) / 365;
    const elapsedMs = performance.now() - begunAt;
    const pace = Math.round(payments / (elapsedMs / 1_000));
    onSum(
      `${Math.round(elapsedMs / MINUTE_MS)} min: ${payments} payments in ${years.toFixed(2)} simulated years, ${failed.length} failing seeds, ${pace} payments/s`,
    );
  }

  const timer = setInterval(printSum, MINUTE_MS);
  try {
    await Promise.all(Array.from({ length: processes }, playInTurn));
  } finally {
    clearInterval(timer);
  }
  printSum();
  return failed;
}

/** A run allocates much short-lived memory. A larger young generation copies less of it. */
const YOUNG_GENERATION = '--max-semi-space-size=64';

function startPlayer(): ChildProcess {
  return fork(join(import.meta.dirname, 'seed-player.ts'), { execArgv: [...process.execArgv, YOUNG_GENERATION] });
}

/** Counts only seconds in which this process ran. A run without steps ends earlier (stall-watch.ts). */
const SILENT_TICKS = 300;

/** Reports an exception of the simulation as a violation, and also a process that fails to start or exits early. */
async function playOne(
  player: ChildProcess,
  ordered: Ordered,
  onProgress: (progress: Progress) => void,
  silentTicks: number,
): Promise<RunResult> {
  const begunAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<string | RunResult>();
  let silent = 0;
  const timer = setInterval(() => {
    silent += 1;
    if (silent > silentTicks)
      resolve(`the process of the simulation gave no sign for ${silent} s: its event loop is busy, or it is stopped`);
  }, SECOND_MS);
  const hear = (report: Report) => {
    silent = 0;
    if (report.kind === 'alive') return;
    if (report.kind === 'progress') onProgress(report.progress);
    else resolve(report.kind === 'ended' ? report.result : report.error);
  };
  const leave = () => resolve('the process of the simulation ended');
  const fail = (error: Error) => resolve(`the process of the simulation failed: ${error.message}`);
  player.on('message', hear).on('error', fail).once('exit', leave);
  player.send(ordered);
  const outcome = await promise;
  clearInterval(timer);
  player.off('message', hear).off('exit', leave);
  if (typeof outcome !== 'string') {
    player.off('error', fail);
    return outcome;
  }
  // The next seed gets a new process. Keep the error listener of this process, because more errors may follow.
  if (player.connected) player.disconnect();
  if (player.exitCode === null && player.signalCode === null) {
    const gone = new Promise((done) => player.once('exit', done));
    player.kill('SIGKILL');
    await gone;
  }
  return {
    seed: ordered.seed,
    violations: [outcome],
    payments: 0,
    formPayments: 0,
    refunds: 0,
    chargebacks: 0,
    days: 0,
    turns: 0,
    jumps: 0,
    waits: 0,
    trace: '',
    wallMs: performance.now() - begunAt,
  };
}
