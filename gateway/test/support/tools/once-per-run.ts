/** Work that all processes of a test run need, such as unpacking the browser: one process does it while the others wait. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

const WAIT_MS = 120_000;

/** `work` must detect that it is already done: each process calls it, one after another. */
export async function oncePerRun<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  // The folder for temporary files belongs to the run.
  const [begun, ended] = ['begun', 'ended'].map((state) => join(tmpdir(), `${name}-${state}`)) as [string, string];
  const isFirst = await writeFile(begun, '', { flag: 'wx' }).then(
    () => true,
    () => false,
  );
  if (!isFirst) await until(`${name} of another process`, () => existsSync(ended), WAIT_MS);
  try {
    return await work();
  } finally {
    if (isFirst) await writeFile(ended, '');
  }
}
