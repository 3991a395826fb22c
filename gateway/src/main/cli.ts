/** The entry point of `gateway …`. It connects the command line to the standard streams and sets the exit code. */
import { hostname, userInfo } from 'node:os';
import { runCommandLine } from '../cli/run-command-line.ts';
import { systemClock } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/random.ts';
import { createCommandHost } from './command-host.ts';
import { explainFailure } from './explain-failure.ts';
import { openSealedVariables } from './key-service/open-sealed-variables.ts';
import { findSupervisor } from './processes/cluster-process.ts';
import { listenForSignals } from './processes/process-signals.ts';

/** A reader that closed the pipe (`gateway payout list | head`) is not a failure. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const WITHOUT_VARIABLES: readonly string[] = ['--help', '-h', 'help', '--version'];

const supervisor = findSupervisor(process.env);

const commandLine = process.argv.slice(2);

const host = createCommandHost({
  variables: await openedVariables(),
  nodeVersion: process.versions.node,
  clock: systemClock,
  random: systemRandom,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  ...listenForSignals(supervisor !== undefined),
  supervisor,
  systemUser: systemUser(),
});

/** Uses the user behind sudo instead of root. A container may have a user without a name. */
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

/** Help needs no variables. A command whose variables cannot be opened must not run with others. */
async function openedVariables(): Promise<NodeJS.ProcessEnv> {
  if (commandLine.length === 0 || commandLine.some((word) => WITHOUT_VARIABLES.includes(word))) return process.env;
  try {
    return await openSealedVariables(process.env, systemClock);
  } catch (error) {
    process.stderr.write(`${explainFailure(error) ?? String(error)}\n`);
    process.exit(2);
  }
}

process.exitCode = await runCommandLine(commandLine, host);
