/** What `npm start` says, in one sentence, when it can't begin. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { type DemoRun, makeDataDirectory, removeDataDirectory, runDemo, SIMULATOR_PORTS } from './demo-run.ts';

let dataDir = '';
const runs: DemoRun[] = [];

before(async () => {
  dataDir = await makeDataDirectory();
});
after(async () => {
  for (const run of runs) run.process.kill('SIGTERM');
  await Promise.all(runs.map((run) => run.ended));
  await removeDataDirectory(dataDir);
});

describe('a sentence says', () => {
  async function refusal(variables: Record<string, string>): Promise<string> {
    const run = runDemo(dataDir, variables);
    runs.push(run);
    assert.equal(await run.ended, 1);
    const [, sentence = ''] = /^ {2}✗ ([\s\S]*)\n$/m.exec(run.printed()) ?? [];
    assert.doesNotMatch(run.printed(), /✓|\n {4}at /);
    return sentence.replaceAll('\n    ', ' ');
  }

  it('that production is no place for the demo', async () => {
    assert.match(
      await refusal({ GATEWAY_ENV: 'production' }),
      /^npm start is a demo for development: in production run npx gateway serve$/,
    );
  });

  it('every fault of the settings', async () => {
    const sentence = await refusal({ LOG_LEVEL: 'loud', INBOX_PORT: 'x' });
    assert.match(sentence, /LOG_LEVEL accepts .*; INBOX_PORT accepts/);
  });

  it('that a file stands where the data should be', async () => {
    const file = join(dataDir, 'a-file');
    await writeFile(file, '');
    assert.match(await refusal({ GATEWAY_DATA_DIR: file }), /a file stands in its place: set GATEWAY_DATA_DIR$/);
  });

  it('that the data directory has nowhere to be', async () => {
    assert.match(await refusal({ GATEWAY_DATA_DIR: '/dev/null/data' }), /set GATEWAY_DATA_DIR$/);
  });

  it('that something else is where simulators should be, and names each', async (t) => {
    const places = await Promise.all(SIMULATOR_PORTS.map(async (name) => [name, await occupiedPort(t)] as const));
    const sentence = await refusal(Object.fromEntries(places));
    assert.match(sentence, /^Ports .* in use: stop what listens there/);
    for (const [name, port] of places) assert.ok(sentence.includes(`${port} (${name})`), name);
  });
});

async function occupiedPort(t: TestContext): Promise<string> {
  const server = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return String((server.address() as AddressInfo).port);
}
