import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { systemClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { examineInstallation } from '../doctor/doctor.ts';
import { examineValueFiles } from '../doctor/doctor-key-files.ts';
import { type EnvironmentVariables, readConfig } from './config.ts';

const KEY = Buffer.alloc(32, 5).toString('base64');
const folder = mkdtempSync(join(tmpdir(), 'variable-files-'));
after(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: string | Buffer, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode });
  chmodSync(path, mode);
  return path;
}

function faultsOf(variables: EnvironmentVariables): readonly string[] {
  const read = readConfig(variables);
  return read.ok ? [] : read.error;
}

describe('a variable whose value is in a file', () => {
  it('a variable gets its value from the file in NAME_FILE, without the last line break', () => {
    for (const content of [KEY, `${KEY}\n`, `${KEY}\r\n`]) {
      const read = readConfig({ GATEWAY_MASTER_KEY_FILE: fileOf('key', content), PORT_FILE: fileOf('port', '9000\n') });
      assert.ok(read.ok);
      assert.equal(read.value.masterKey?.reveal(), KEY);
      assert.equal(read.value.port, 9_000);
    }
  });

  it('an empty NAME_FILE is treated as unset', () => {
    assert.deepEqual(faultsOf({ GATEWAY_MASTER_KEY_FILE: '', GATEWAY_MASTER_KEY: KEY }), []);
  });

  it('a variable that is set both directly and by a file is an error', () => {
    const variables = { GATEWAY_MASTER_KEY: KEY, GATEWAY_MASTER_KEY_FILE: fileOf('twice', KEY) };
    const expected = 'GATEWAY_MASTER_KEY and GATEWAY_MASTER_KEY_FILE are both set: unset one of them';
    assert.deepEqual(faultsOf(variables), [expected]);
  });

  it('the error about an unusable value file contains the variable and the file', () => {
    const isFolder = join(folder, 'folder');
    mkdirSync(isFolder);
    const files = {
      [join(folder, 'missing')]: 'cannot be read (ENOENT)',
      [isFolder]: 'is not a file',
      [fileOf('empty', '\n')]: 'is empty',
      [fileOf('binary', Buffer.from([65, 0, 66]))]: 'is not a text',
      [fileOf('long', 'x'.repeat(65_537))]: 'is longer than 65536 bytes',
    };
    for (const [path, fault] of Object.entries(files))
      assert.deepEqual(faultsOf({ ALERT_URL_FILE: path }), [`ALERT_URL_FILE names ${path}, which ${fault}`]);
  });

  it('the error about a value from a file does not repeat the value', () => {
    const [fault = ''] = faultsOf({ GATEWAY_MASTER_KEY_FILE: fileOf('weak', 'hunter2hunter2') });
    assert.match(fault, /^GATEWAY_MASTER_KEY accepts/);
    assert.ok(!fault.includes('hunter2'));
  });

  it('the variable of a key file, such as STP_PRIVATE_KEY_FILE, is not read as the file of another variable', () => {
    const path = join(folder, 'nowhere.pem');
    const [fault] = faultsOf({ STP_PRIVATE_KEY_FILE: path, GATEWAY_MASTER_KEY: KEY });
    assert.equal(fault, undefined);
  });

  it('the doctor reports a value file that other users can read, but not a file that a platform mounted for the gateway’s group', async () => {
    const path = fileOf('exposed', 'http://127.0.0.1:9/alerts', 0o644);
    const parts = { nodeVersion: process.versions.node, clock: systemClock, random: systemRandom };
    const found = await examineValueFiles({ ALERT_URL: path });
    assert.deepEqual(
      found.map(({ name, ok, found: text }) => [name, ok, text]),
      [['ALERT_URL_FILE', false, `${path} is readable by other users`]],
    );
    chmodSync(path, 0o640);
    assert.equal((await examineValueFiles({ ALERT_URL: path })).length, 1);
    chmodSync(path, 0o600);
    assert.deepEqual(await examineValueFiles({ ALERT_URL: path }), []);
    // Only root can make the file of another owner, as a platform does.
    if (process.getuid?.() === 0) {
      chownSync(path, 65_534, 0);
      chmodSync(path, 0o440);
      assert.deepEqual(await examineValueFiles({ ALERT_URL: path }), []);
    }
    const findings = await examineInstallation({ ...parts, variables: { ALERT_URL: 'x', ALERT_URL_FILE: path } });
    assert.ok(findings.some(({ found: text }) => text.startsWith('ALERT_URL and ALERT_URL_FILE are both set')));
  });
});
