/**
 * The demo's simulators alone: the demo uses those that already run and leaves them running, and starts the others in one
 * process.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../rail-simulators/src/clock.ts';
import { startVoPay } from '../../rail-simulators/src/vopay/server.ts';
import { findFreePort } from '../src/free-port.ts';
import { adyen } from '../src/providers/adyen.ts';
import { vopay } from '../src/providers/vopay.ts';
import { openSimulators, type SimulatorPlan } from '../src/simulator.ts';
import { isAnswered } from './demo-run.ts';

async function adyenPlan(t: TestContext): Promise<SimulatorPlan> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const url = `http://127.0.0.1:${await findFreePort()}`;
  return { kind: adyen.kind, url, secret: 's', environment: { ADYEN_BOOK: join(folder, 'adyen.jsonl') } };
}

/** Starts a simulator as if another process had started it. */
async function vopayRunning(t: TestContext): Promise<SimulatorPlan> {
  const account = { accountId: 'gateway', key: 'k', sharedSecret: 's', webhookUrl: 'http://127.0.0.1:9/' };
  const here = { host: '127.0.0.1', port: 0, clock: systemClock, log: () => {} };
  const { url, close } = await startVoPay({ ...here, ...account, secret: 's', control: true });
  t.after(() => close());
  return { kind: vopay.kind, url, secret: 's', environment: {} };
}

const noTrouble = (line: string) => assert.fail(line);

describe('the simulators of the demo', () => {
  it('the demo ends only the simulators that it started', async (t) => {
    const plans = [await adyenPlan(t), await vopayRunning(t)] as const;
    const { opened, close } = await openSimulators(plans, noTrouble);
    assert.deepEqual(
      opened.map(({ isOurs }) => isOurs),
      [true, false],
    );
    for (const { ask } of opened) assert.equal((await ask('/control/summary')).status, 200);
    await close();
    assert.deepEqual(await Promise.all(plans.map(({ url }) => isAnswered(url))), [false, true]);
  });

  it('the demo stops every simulator it started when one rejects its secret', async (t) => {
    const [own, running] = [await adyenPlan(t), await vopayRunning(t)];
    await assert.rejects(
      openSimulators([own, { ...running, secret: 'another' }], noTrouble),
      /^DemoFailure: The VoPay simulator on \S+ has another secret: .* as VOPAY_CONTROL_SECRET$/,
    );
    assert.equal(await isAnswered(own.url), false);
  });

  it('the demo distinguishes a simulator from another server on its port', async (t) => {
    const server = createServer((_request, response) => response.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await assert.rejects(
      openSimulators([{ ...(await adyenPlan(t)), url }], noTrouble),
      /^DemoFailure: A program other than the Adyen simulator responds at \S+: .* ADYEN_PORT=\d+ npm start$/,
    );
  });

  it('a simulator that cannot start reports the reason', async (t) => {
    const plan = await adyenPlan(t);
    await assert.rejects(
      openSimulators([{ ...plan, environment: { ADYEN_BOOK: '/dev/null/book' } }], noTrouble),
      /^DemoFailure: Adyen's book \/dev\/null\/book cannot be opened/,
    );
  });
});
