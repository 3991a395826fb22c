/**
 * What the operating system tells a serving process, as its command host hears it: SIGINT and SIGTERM end it, SIGHUP has a
 * supervisor replace its processes, and ends whoever has none to replace.
 */
import type { CommandHostParts } from './command-host.ts';

type Signals = Required<Pick<CommandHostParts, 'untilToldToStop' | 'onToldToReplace' | 'onExit'>>;

/**
 * `isSupervised`: a terminal sends Ctrl-C, and its own end, to the processes of a supervisor as well, which hear of it from
 * their supervisor.
 */
export function hearSignals(isSupervised: boolean): Signals {
  return {
    untilToldToStop: () => (isSupervised ? untilSignalled(['SIGTERM'], ['SIGINT', 'SIGHUP']) : untilSignalled(ENDING)),
    onToldToReplace: (replace) => void process.removeAllListeners('SIGHUP').on('SIGHUP', replace),
    onExit: (end) => void process.on('exit', end),
  };
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at the first of the signals; a second one ends the process at once. */
function untilSignalled(signals: readonly NodeJS.Signals[], ignored: readonly NodeJS.Signals[] = []): Promise<void> {
  for (const signal of ignored) process.on(signal, () => {});
  return new Promise((resolve) => {
    let told = false;
    for (const signal of signals) {
      process.on(signal, () => {
        if (told) process.exit(1);
        told = true;
        resolve();
      });
    }
  });
}
