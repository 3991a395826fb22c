/** The entry point of `gateway …`. It connects the command line to the standard streams and sets the exit code. */
import { hostname, userInfo } from 'node:os';
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
  systemUser: systemUser(),
});

/** The person who became root counts, where sudo names one. A container may have a user without a name. */
function systemUser(): string {
  const own = () => {
    try {
      return userInfo().username;
    } catch {
      return `user ${process.getuid?.() ?? 'unknown'}`;
    }
  };
  return `${process.env['SUDO_USER'] ?? own()}@${hostname()}`;
}

process.exitCode = await runCommandLine(process.argv.slice(2), host);
