/** The entry point of `gateway …`. It connects the command line to the standard streams and sets the exit code. */
import { runCommandLine } from '../cli/run-command-line.ts';
import { systemClock } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/ids.ts';
import { createCommandHost } from './command-host.ts';
import { findSupervisor } from './processes/cluster-process.ts';
import { hearSignals } from './processes/process-signals.ts';

/** A reader that closed the pipe (`gateway payout list | head`) is not a failure. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const supervisor = findSupervisor(process.env);

const host = createCommandHost({
  variables: process.env,
  nodeVersion: process.versions.node,
  clock: systemClock,
  random: systemRandom,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  ...hearSignals(supervisor !== undefined),
  supervisor,
});

process.exitCode = await runCommandLine(process.argv.slice(2), host);
