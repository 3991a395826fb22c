/**
 * The gateway process for tests that kill it: `gateway serve`, configured by the environment as usual, with the pace in
 * TEST_PACE (JSON). It prints its URLs as JSON once it serves.
 */
import { flushCompileCache } from 'node:module';
import { runCommandLine } from '../../../src/cli/run-command-line.ts';
import { systemClock } from '../../../src/foundation/clock.ts';
import { systemRandom } from '../../../src/foundation/random.ts';
import { createCommandHost } from '../../../src/main/command-host.ts';
import { findSupervisor } from '../../../src/main/processes/cluster-process.ts';
import { listenForSignals } from '../../../src/main/processes/process-signals.ts';
import { sleepLongBetweenRounds } from './long-pauses.ts';

const { TEST_PACE = '{}', ...variables } = process.env;
const supervisor = findSupervisor(variables);

const host = createCommandHost({
  variables,
  nodeVersion: process.versions.node,
  clock: { ...systemClock, sleep: sleepLongBetweenRounds },
  random: systemRandom,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  ...listenForSignals(supervisor !== undefined),
  supervisor,
  pace: JSON.parse(TEST_PACE),
  onServing: ({ url, opsUrl }) => {
    // Flush now, because a killed process does not write its compile cache.
    flushCompileCache();
    console.log(JSON.stringify({ url, opsUrl }));
  },
});

process.exitCode = await runCommandLine(['serve', ...process.argv.slice(2)], host);
