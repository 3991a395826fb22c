/** The entry of `gateway …`: the process around the command line. Signals, standard streams and the exit code are here. */
import { runCommandLine } from '../cli/run-command-line.ts';
import { systemClock } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/ids.ts';
import { createCommandHost } from './command-host.ts';

/** A reader that has gone away (`gateway payout list | head`) is no failure. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const host = createCommandHost({
  variables: process.env,
  nodeVersion: process.versions.node,
  clock: systemClock,
  random: systemRandom,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  untilToldToStop,
});

process.exitCode = await runCommandLine(process.argv.slice(2), host);

/** Resolves at the first signal to end; a second one ends the process at once. */
function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    let told = false;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (told) process.exit(1);
        told = true;
        resolve();
      });
    }
  });
}
