/**
 * A process that outlives its test run. It waits until its standard input closes, which happens however the runner ends, and
 * then removes the remains of the run in the given folder.
 */
import { endTestRun } from './end-test-run.ts';

const [folder = ''] = process.argv.slice(2);
process.stdin.on('error', () => {}).resume();
await new Promise((resolve) => process.stdin.once('close', resolve));
await endTestRun(folder);
