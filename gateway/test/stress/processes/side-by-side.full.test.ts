/**
 * Two gateways on one database: one is stopped by SIGSTOP for longer than its lease, then both are replaced under
 * load.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GatewayProcess, LONGEST_LEASE_MS, startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import { type PayoutLoad, startLoad } from '../../support/payouts/payout-load.ts';
import { openStressScene, type StressScene } from '../../support/payouts/stress-scene.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { type Choices, createChoices } from '../../support/tools/seeded.ts';

const STOPS = process.env['TEST_FULL'] ? 3 : 1;
const REPLACEMENTS = process.env['TEST_FULL'] ? 4 : 2;

let choices: Choices;
let database: TestDatabase;
let scene: StressScene;
/** The first gateway, which the bank notifies. */
let steady: GatewayProcess;
let other: GatewayProcess;
let load: PayoutLoad;

before(async () => {
  choices = createChoices('side by side');
  database = await createTestDatabase();
  scene = await openStressScene({ DATABASE_URL: database.connectionString }, database.config);
  [steady, other] = await Promise.all([start(), start('0')]);
});
afterEach(() => load.abandon());
after(async () => {
  await Promise.all([steady.kill(), other.kill()]);
  await scene.close();
  await database.close();
});

function start(port = scene.variables['PORT'] ?? '0'): Promise<GatewayProcess> {
  return startGatewayProcess({ ...scene.variables, PORT: port });
}

test('a gateway that was stopped for longer than its lease does not send anything twice when it continues', async () => {
  const urls = [steady.url, other.url];
  load = startLoad({
    merchants: scene.merchants,
    url: () => choices.oneOf(urls),
    choices,
    prefix: 'stopped-',
    clients: 10,
  });
  for (let stop = 0; stop < STOPS; stop++) {
    await sleep(choices.between(200, 800));
    urls.pop();
    other.signal('SIGSTOP');
    await sleep(LONGEST_LEASE_MS + 500);
    other.signal('SIGCONT');
    urls.push(other.url);
  }
  await load.stop();
  assert(load.acknowledged.length > 10, `only ${load.acknowledged.length} payouts were acknowledged`);
  await scene.judge(load.acknowledged);
});

test('gateways that are replaced one after the other under load neither reject nor lose a request', async () => {
  const urls = [steady.url, other.url];
  load = startLoad({
    merchants: scene.merchants,
    url: () => choices.oneOf(urls),
    choices,
    clients: 6,
    prefix: 'replaced-',
  });
  for (let replaced = 0; replaced < REPLACEMENTS; replaced++) {
    await sleep(choices.between(200, 600));
    const port = new URL(steady.url).port;
    urls.splice(urls.indexOf(steady.url), 1);
    await steady.stop();
    const next = await start(port);
    urls.push(next.url);
    [steady, other] = [other, next];
  }
  await load.stop();
  await scene.judge(load.acknowledged);
  await steady.stop();
  await other.stop();
});
