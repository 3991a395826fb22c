/** The messages of `npm start` when it cannot start. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { checkPorts, readDemoSettings } from '../src/demo-settings.ts';
import {
  type DemoRun,
  makeDataDirectory,
  OWN_VARIABLES,
  removeDataDirectory,
  runDemo,
  SIMULATOR_PORTS,
} from './demo-run.ts';

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

describe('refusals of npm start', () => {
  async function refusal(variables: Record<string, string>): Promise<string> {
    const run = runDemo(dataDir, variables);
    runs.push(run);
    assert.equal(await run.ended, 1);
    const [, sentence = ''] = /^ {2}✗ ([\s\S]*)\n$/m.exec(run.printed()) ?? [];
    assert.doesNotMatch(run.printed(), /✓|\n {4}at /);
    return sentence.replaceAll('\n    ', ' ');
  }

  it('npm start rejects production in one sentence', async () => {
    assert.match(
      await refusal({ GATEWAY_ENV: 'production' }),
      /^npm start is a demo for development\. In production, run npx gateway serve\.$/,
    );
  });

  it('npm start reports every invalid setting in one sentence', async () => {
    const faulty = { ...OWN_VARIABLES, LOG_LEVEL: 'loud', INBOX_PORT: 'x' };
    await assert.rejects(readDemoSettings(faulty), /LOG_LEVEL accepts .*; INBOX_PORT accepts/);
  });

  it('npm start reports a port that another server uses, then suggests a free port', async (t) => {
    const port = await occupiedPort(t);
    const settings = await readDemoSettings({ ...OWN_VARIABLES, PORT: port });
    const sentence = new RegExp(`^DemoFailure: Port ${port} \\(PORT\\) in use: .*PORT=${Number(port) + 1} npm start`);
    await assert.rejects(checkPorts(settings), sentence);
  });

  it('npm start reports a file in place of the data directory', async () => {
    const file = join(dataDir, 'a-file');
    await writeFile(file, '');
    assert.match(await refusal({ GATEWAY_DATA_DIR: file }), /a file has its name: set GATEWAY_DATA_DIR$/);
  });

  it('npm start requires GATEWAY_DATA_DIR when the data directory cannot be created', async () => {
    assert.match(await refusal({ GATEWAY_DATA_DIR: '/dev/null/data' }), /set GATEWAY_DATA_DIR$/);
  });

  it('npm start reports every simulator port that another server uses', async (t) => {
    const places = await Promise.all(SIMULATOR_PORTS.map(async (name) => [name, await occupiedPort(t)] as const));
    const sentence = await refusal(Object.fromEntries(places));
    assert.match(sentence, /^Ports .* in use: stop the program that listens there/);
    for (const [name, port] of places) assert.ok(sentence.includes(`${port} (${name})`), name);
  });
});

async function occupiedPort(t: TestContext): Promise<string> {
  const server = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return String((server.address() as AddressInfo).port);
}
