/**
 * Runs the Citus drill if a PostgreSQL with the extension is installed, or if CITUS_PROGRAMS names the folder of its programs.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../../generators/pages.ts';
import { CITUS_PROGRAMS, NO_CITUS } from './citus-programs.ts';

const ROUNDS = process.env['TEST_FULL'] ? '10' : '1';

test(`every step of the drill on a cluster passes, with a worker lost and returned ${ROUNDS} times`, {
  skip: NO_CITUS,
}, async () => {
  const drill = join(ROOT, 'gateway/test/cluster/citus-drill.ts');
  // Exits with code 1 after a failed step.
  const { stdout } = await promisify(execFile)(process.execPath, [drill, CITUS_PROGRAMS ?? '', ROUNDS]).catch(
    (error) => {
      throw new Error(`${error.stdout}${error.stderr}`);
    },
  );
  console.log(stdout);
  assert.equal(stdout.match(/^loss and return \d+: /gm)?.length, Number(ROUNDS));
});
