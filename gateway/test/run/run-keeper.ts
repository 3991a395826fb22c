/**
 * The process beside a test run that outlives it: it waits until its standard input ends, which happens however the runner
 * ends, and then removes what is left of the run whose folder it is given.
 */
import { endTestRun } from './end-test-run.ts';

const [folder = ''] = process.argv.slice(2);
process.stdin.on('error', () => {}).resume();
await new Promise((resolve) => process.stdin.once('close', resolve));
await endTestRun(folder);
