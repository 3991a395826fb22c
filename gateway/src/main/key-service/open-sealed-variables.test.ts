/** Variables that a key service sealed: opened at startup, and never guessed. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startVault, type VaultUnderTest } from '../../../test/support/servers/vault-transit.ts';
import type { Clock } from '../../foundation/clock.ts';
import { readConfig } from '../config/config.ts';
import { openSealedVariables } from './open-sealed-variables.ts';

const MASTER_KEY = 'ab'.repeat(32);
const TOKEN = 'hvs.token';

describe('variables that a key service sealed', () => {
  let vault: VaultUnderTest;
  const pauses: number[] = [];
  /** Passes immediately. */
  const clock: Clock = {
    now: () => 0,
    sleep: async (ms) => {
      pauses.push(ms);
    },
  };
  const service = () => ({ KEY_SERVICE_URL: vault.url, KEY_SERVICE_TOKEN: TOKEN, KEY_SERVICE_KEY: 'gateway' });

  before(async () => {
    vault = await startVault('gateway', TOKEN);
  });
  after(() => vault.close());

  it('the key service decrypts the master key, even if it was sealed under an older version of the transit key', async () => {
    const first = vault.seal(`${MASTER_KEY}\n`);
    vault.rotate();
    for (const sealed of [first, vault.seal(MASTER_KEY)]) {
      const opened = await openSealedVariables({ ...service(), GATEWAY_MASTER_KEY: sealed }, clock);
      assert.equal(opened['GATEWAY_MASTER_KEY'], MASTER_KEY);
      const config = readConfig(opened);
      assert(config.ok && config.value.masterKey?.reveal() === MASTER_KEY, JSON.stringify(config));
    }
    assert.deepEqual(vault.requests.at(-1), { path: '/v1/transit/decrypt/gateway', token: TOKEN });
  });

  it('the key service decrypts any other variable, and the content of the file in a _FILE variable', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sealed-'));
    const file = join(folder, 'database_url');
    await writeFile(file, `${vault.seal('postgresql://u:p@db/gateway')}\n`, { mode: 0o600 });
    const opened = await openSealedVariables({ ...service(), DATABASE_URL_FILE: file }, clock);
    assert.equal(opened['DATABASE_URL'], 'postgresql://u:p@db/gateway');
    assert(readConfig(opened).ok);
    await rm(folder, { recursive: true });
  });

  it('the gateway does not call a key service at startup if no variable is sealed', async () => {
    const variables = { GATEWAY_MASTER_KEY: MASTER_KEY };
    const before = vault.requests.length;
    assert.equal(await openSealedVariables(variables, clock), variables);
    assert.equal(vault.requests.length, before);
  });

  it('startup without a variable of the key service fails with that variable’s name', async () => {
    const sealed = { GATEWAY_MASTER_KEY: vault.seal(MASTER_KEY) };
    await assert.rejects(openSealedVariables(sealed, clock), /GATEWAY_MASTER_KEY was sealed .* KEY_SERVICE_URL/);
    const remote = { ...sealed, ...service(), KEY_SERVICE_URL: 'http://vault.example' };
    await assert.rejects(openSealedVariables(remote, clock), /KEY_SERVICE_URL accepts https/);
  });

  it('startup reports a failure of the key service without the value', async () => {
    const sealed = vault.seal(MASTER_KEY);
    const reject = (over: object, reason: RegExp) =>
      assert.rejects(
        openSealedVariables({ ...service(), GATEWAY_MASTER_KEY: sealed, ...over }, clock),
        (error: Error) => {
          assert.match(error.message, reason);
          assert(!error.message.includes(sealed) && !error.message.includes(TOKEN));
          return true;
        },
      );
    pauses.length = 0;
    await reject({ KEY_SERVICE_TOKEN: 'hvs.other' }, /refuses the token/);
    await reject({ KEY_SERVICE_KEY: 'other' }, /does not know this path/);
    await reject({ GATEWAY_MASTER_KEY: `${sealed.slice(0, -8)}AAAAAAA=` }, /cannot decrypt the value/);
    assert.deepEqual(pauses, []);
  });

  it('the error about a key service does not quote any part of a response that is not JSON, because it may contain the value', async () => {
    const secret = 'short';
    const variables = { ...service(), GATEWAY_MASTER_KEY: vault.seal(secret) };
    const plaintext = Buffer.from(secret).toString('base64');
    for (const garbles of [(text: string) => text, (text: string) => `{"data": ${text}`, () => 'null']) {
      vault.garbles = garbles;
      await assert.rejects(openSealedVariables(variables, clock), (error: Error) => {
        assert.match(error.message, /does not contain a value/);
        return !error.message.includes(plaintext);
      });
    }
    vault.garbles = null;
  });

  it('startup waits some seconds for a key service that is sealed or unreachable and then reports it', async () => {
    const variables = { ...service(), GATEWAY_MASTER_KEY: vault.seal(MASTER_KEY) };
    vault.isSealed = true;
    await assert.rejects(openSealedVariables(variables, clock), /is unavailable \(HTTP 503\)/);
    const patient: Clock = {
      ...clock,
      sleep: async () => {
        vault.isSealed = false;
      },
    };
    assert.equal((await openSealedVariables(variables, patient))['GATEWAY_MASTER_KEY'], MASTER_KEY);
    const gone = { ...variables, KEY_SERVICE_URL: 'http://127.0.0.1:1' };
    await assert.rejects(openSealedVariables(gone, clock), /is unavailable \(connect ECONNREFUSED/);
  });
});
