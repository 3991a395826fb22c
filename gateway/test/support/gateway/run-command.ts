/** Runs a `gateway` command in this process, with the real command's host and its output in memory. */
import { runCommandLine } from '../../../src/cli/run-command-line.ts';
import { systemClock } from '../../../src/foundation/clock.ts';
import { systemRandom } from '../../../src/foundation/random.ts';
import { createCommandHost } from '../../../src/main/command-host.ts';

export async function runCommand(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const output = { stdout: '', stderr: '' };
  const host = createCommandHost({
    variables,
    nodeVersion: process.versions.node,
    clock: systemClock,
    random: systemRandom,
    stdout: (text) => {
      output.stdout += text;
    },
    stderr: (text) => {
      output.stderr += text;
    },
    untilStopSignal: async () => {},
    systemUser: 'ann@server',
  });
  const exitCode = await runCommandLine(words, host);
  return { ...output, exitCode };
}
