/** The command line over HTTP: its token, its identity in the audit log, and what it refuses. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SCOPE_NAMES } from '../../contract/permissions.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { systemRandom } from '../../src/foundation/ids.ts';
import { createCommandHost } from '../../src/main/command-host.ts';
import { MASTER_KEY, type RunningGateway, startGateway } from '../support/running-gateway.ts';

let gateway: RunningGateway;
let folder: string;
let tokenFile: string;
before(async () => {
  gateway = await startGateway();
  folder = await mkdtemp(join(tmpdir(), 'token-'));
  tokenFile = join(folder, 'token');
  const issued = await gateway.operations.tokens.issue({
    ...{ name: 'a script', merchantId: null, scopes: SCOPE_NAMES, days: 1 },
  });
  assert.ok(issued.ok);
  await writeFile(tokenFile, `${issued.value.secret.reveal()}\n`, { mode: 0o600 });
});
after(async () => {
  await gateway.verifyAndStop();
  await rm(folder, { recursive: true });
});

async function run(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const output = { stdout: '', stderr: '' };
  const host = createCommandHost({
    ...{ variables, nodeVersion: process.versions.node, clock: systemClock, random: systemRandom },
    stdout: (text) => {
      output.stdout += text;
    },
    stderr: (text) => {
      output.stderr += text;
    },
    untilToldToStop: async () => {},
    systemUser: 'ann@server',
  });
  const exitCode = await runCommandLine(words, host);
  return { ...output, exitCode };
}

const newestActors = async (act: string) =>
  (await gateway.operations.audit({ merchantId: null, act, object: null, limit: 2, before: null })).map(
    ({ phase, actor, address }) => [phase, actor.kind, actor.name, address === null],
  );

describe('the command line', () => {
  it('acts over HTTP with the token of a file, and the audit log names the token', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const words = ['credit', id, 'EUR', '5', '--reference', 'r1', '--reason', 'opening', '--json'];
    const credited = await run([...words, '--url', gateway.manageUrl], { GATEWAY_TOKEN_FILE: tokenFile });
    assert.deepEqual([credited.stderr, credited.exitCode], ['', 0]);
    assert.equal(JSON.parse(credited.stdout).balance.available, '5.00');
    assert.deepEqual(await newestActors('funds.credit'), [
      ['done', 'token', 'a script', false],
      ['begun', 'token', 'a script', false],
    ]);
  });

  it('acts without a network as an emergency of the system’s user, and the audit log names the person', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const words = ['credit', id, 'EUR', '5', '--reference', 'r2', '--reason', 'opening', '--as', 'Ben'];
    const { connectionString: DATABASE_URL } = gateway.database;
    const own = { DATABASE_URL, GATEWAY_MASTER_KEY: MASTER_KEY, PORT: '0', METRICS_PORT: '0', MANAGE_PORT: '0' };
    const credited = await run(words, own);
    assert.deepEqual([credited.stderr, credited.exitCode], ['', 0]);
    assert.deepEqual(await newestActors('funds.credit'), [
      ['done', 'emergency', 'Ben (ann@server)', true],
      ['begun', 'emergency', 'Ben (ann@server)', true],
    ]);
  });

  it('names the rails of the running processes, although the shell has none of their variables', async () => {
    const { connectionString: DATABASE_URL } = gateway.database;
    const own = { DATABASE_URL, GATEWAY_MASTER_KEY: MASTER_KEY, PORT: '0', METRICS_PORT: '0', MANAGE_PORT: '0' };
    const [running, ...others] = JSON.parse((await run(['process', 'list', '--json'], own)).stdout);
    assert.deepEqual([running.role, running.rails.includes('wayforpay'), others.length], ['all', true, 0]);
    const rails: readonly { name: string }[] = JSON.parse((await run(['rail', 'list', '--json'], own)).stdout);
    assert(rails.some(({ name }) => name === 'wayforpay'));
    const hours = await run(['rail', 'hours', 'wayforpay', 'always'], own);
    assert.deepEqual([hours.stderr, hours.exitCode], ['', 0]);
    assert.match((await run(['rail', 'hours', 'stp', 'always'], own)).stderr, /^There is no rail "stp"/);
  });

  it('rejects a token file that others may read, a missing one and a command that needs the database', async () => {
    const list = ['merchant', 'list', '--url', gateway.manageUrl];
    assert.match((await run(list)).stderr, /^--url needs a token/);
    const named = [...list, '--token-file', tokenFile];
    assert.equal((await run(named)).exitCode, 0);
    await chmod(tokenFile, 0o640);
    const wide = await run(named);
    await chmod(tokenFile, 0o600);
    assert.deepEqual([/Run: chmod 600/.test(wide.stderr), wide.exitCode], [true, 2]);
    const local = await run(['payout', 'list', '--url', gateway.manageUrl, '--token-file', tokenFile]);
    assert.match(local.stderr, /^This command works on the database/);
    const nobody = await run(['merchant', 'list', '--url', 'http://127.0.0.1:9', '--token-file', tokenFile]);
    assert.match(nobody.stderr, /gave no answer \(/);
  });
});
