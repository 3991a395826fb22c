/**
 * Listens for the operating system's signals to a serving process. SIGINT and SIGTERM stop it. SIGHUP makes a supervisor
 * replace its processes, and stops a process without a supervisor.
 */
import type { CommandHostParts } from '../command-host.ts';

type Signals = Required<Pick<CommandHostParts, 'untilStopSignal' | 'onReplaceSignal' | 'onExit'>>;

/**
 * With `isSupervised`, ignores Ctrl-C and hang-ups, which a terminal also sends to a supervisor's processes. They wait for the
 * supervisor's order.
 */
export function listenForSignals(isSupervised: boolean): Signals {
  return {
    untilStopSignal: () => (isSupervised ? untilSignalled(['SIGTERM'], ['SIGINT', 'SIGHUP']) : untilSignalled(ENDING)),
    onReplaceSignal: (replace) => void process.removeAllListeners('SIGHUP').on('SIGHUP', replace),
    onExit: (end) => void process.on('exit', end),
  };
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A Ctrl-C within this time after the first signal belongs to the same stop: a terminal, npm and a launcher each deliver it. A
 * deliberate second Ctrl-C comes later.
 */
const SAME_STOP_MS = 2_000;

/**
 * Resolves at the first of the signals. Only another Ctrl-C, later than SAME_STOP_MS, ends the process immediately. A SIGTERM
 * never does: a service manager sends it to the launcher and to this process, and the launcher forwards its own with any
 * delay.
 */
export function untilSignalled(
  signals: readonly NodeJS.Signals[],
  ignored: readonly NodeJS.Signals[] = [],
): Promise<void> {
  for (const signal of ignored) process.on(signal, () => {});
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    for (const signal of signals) {
      process.on(signal, () => {
        const now = performance.now();
        firstAt ??= now;
        if (signal === 'SIGINT' && now - firstAt > SAME_STOP_MS) process.exit(1);
        resolve();
      });
    }
  });
}
