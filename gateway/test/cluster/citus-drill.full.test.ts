/** The drill on a Citus cluster, where a PostgreSQL with the extension is installed or CITUS_PROGRAMS names its programs. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../../generators/pages.ts';

const ROUNDS = process.env['TEST_FULL'] ? '10' : '1';
const [, installed] =
  /postgresql\/(\d+)\//.exec(globSync('/usr/share/postgresql/*/extension/citus.control')[0] ?? '') ?? [];
const programs = process.env['CITUS_PROGRAMS'] ?? (installed && `/usr/lib/postgresql/${installed}/bin`);
const skip = programs === undefined && 'no PostgreSQL with Citus is installed, and CITUS_PROGRAMS is not set';

test(`every step of the drill on a cluster passes, with a worker lost and returned ${ROUNDS} times`, {
  skip,
}, async () => {
  const drill = join(ROOT, 'gateway/test/cluster/citus-drill.ts');
  // It exits with 1 after a failed step.
  const { stdout } = await promisify(execFile)(process.execPath, [drill, programs ?? '', ROUNDS]).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
  console.log(stdout);
  assert.equal(stdout.match(/^loss and return \d+: /gm)?.length, Number(ROUNDS));
});
