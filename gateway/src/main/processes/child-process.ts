/** One process of a supervisor, from its start to its end. The start, each request and the stop have a time limit. */
import { afterDelay, type Clock, type Instant, SECOND_MS } from '../../foundation/clock.ts';
import type { Order, Report, Subject } from './process-messages.ts';

/** A process as seen by the operating system. */
export interface StartedProcess {
  readonly pid: number;
  send(order: Order): void;
  onReport(listener: (report: Report) => void): void;
  /** `code` is null if a signal ended the process. */
  onEnd(listener: (code: number | null, signal: string | null) => void): void;
  kill(): void;
}

export interface RunningProcess {
  readonly pid: number;
  /** The address for merchants; null for a worker. */
  readonly url: string | null;
  readonly servesSince: Instant;
  readonly ended: Promise<ProcessEnd>;
  /** Resolves to undefined without a response within the time limit. */
  ask(about: Subject): Promise<string | undefined>;
  /** Orders the process to stop; resolves with its exit code. `replaced`: another process serves in its place. */
  leave(replaced: boolean): Promise<number>;
}

interface ProcessEnd {
  /** 1 if a signal ended the process, except a SIGTERM after the order to stop. */
  readonly code: number;
  /** The exit code or the signal. */
  readonly how: string;
  /** False if the supervisor had ordered it to stop. */
  readonly byItself: boolean;
}

/** A process ended before it served. It has printed the reason itself. */
export class ProcessFailed extends Error {
  override readonly name = 'ProcessFailed';
}

const START_PATIENCE_MS = 120 * SECOND_MS;
/** A time longer than a stop takes with all its waits. A process that takes longer hangs. */
const STOP_PATIENCE_MS = 120 * SECOND_MS;
const ANSWER_PATIENCE_MS = 2 * SECOND_MS;

/** Resolves once the process serves; rejects with ProcessFailed. */
export async function untilServing(name: string, process: StartedProcess, clock: Clock): Promise<RunningProcess> {
  let stopSignal = false;
  const waiting = new Map<number, (text: string) => void>();
  const ended = new Promise<ProcessEnd>((resolve) => {
    process.onEnd((code, signal) =>
      resolve({
        code: code ?? codeOfSignal(signal, stopSignal),
        how: signal ?? `exit code ${code}`,
        byItself: !stopSignal,
      }),
    );
  });
  const serving = new Promise<string | null>((resolve) => {
    process.onReport((report) => {
      if (report.kind === 'serving') resolve(report.url);
      else waiting.get(report.question)?.(report.text);
    });
  });
  const failed = ended.then(({ how }) => {
    throw new ProcessFailed(`Process ${name} exited before it was ready (${how})`);
  });
  const inTime = afterDelay(clock, START_PATIENCE_MS, () => process.kill());
  const url = await Promise.race([serving, failed]).finally(inTime);
  return {
    pid: process.pid,
    url,
    servesSince: clock.now(),
    ended,
    ask: createQuestions(process, clock, waiting),
    async leave(replaced) {
      stopSignal = true;
      process.send({ kind: 'stop', replaced });
      const stopped = afterDelay(clock, STOP_PATIENCE_MS, () => process.kill());
      const { code } = await ended.finally(stopped);
      return code;
    },
  };
}

/**
 * A serving process handles SIGTERM until Node tears it down. After the order to stop, SIGTERM can therefore end it only when
 * its work is complete: a service manager signals all processes, and may reach this one late.
 */
function codeOfSignal(signal: string | null, stopSignal: boolean): 0 | 1 {
  return stopSignal && signal === 'SIGTERM' ? 0 : 1;
}

function createQuestions(
  process: StartedProcess,
  clock: Clock,
  waiting: Map<number, (text: string) => void>,
): RunningProcess['ask'] {
  let asked = 0;
  return (about) => {
    const question = ++asked;
    return new Promise<string | undefined>((resolve) => {
      const answered = afterDelay(clock, ANSWER_PATIENCE_MS, () => resolve(undefined));
      waiting.set(question, (text) => {
        answered();
        resolve(text);
      });
      process.send({ kind: 'ask', question, about });
    }).finally(() => waiting.delete(question));
  };
}
