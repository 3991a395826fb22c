/** A test run with one process that ignores signals, without a database, for the test of interrupted runs. */
import { spawn } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beginTestRun, endOnSignal } from './test-run.ts';

const DEAF =
  "for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {}); setInterval(() => {}, 1000)";

const testRun = await beginTestRun();
endOnSignal(testRun);
spawn(process.execPath, ['-e', DEAF], { detached: true, stdio: 'ignore' });
const file = join(testRun.folder, 'runner');
await writeFile(`${file}.unfinished`, String(process.pid));
await rename(`${file}.unfinished`, file);
setInterval(() => {}, 1_000);
