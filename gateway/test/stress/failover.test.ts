/** The primary is lost for good under load, and the standby takes its place behind the same address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../src/storage/migrations/migrate.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { startHeldRelay } from '../support/held-relay.ts';
import { startLoad } from '../support/payout-load.ts';
import { startPostgresPair } from '../support/postgres-pair.ts';
import { createChoices } from '../support/seeded.ts';
import { openStressScene } from '../support/stress-scene.ts';
import { until } from '../support/until.ts';

/** Payouts that are accepted before the failover, and again after it. */
const ENOUGH = process.env['TEST_FULL'] ? 500 : 40;
const DYING_MS = 500;
const WITHOUT_DATABASE_MS = 1_500;

test('no acknowledged payout is lost or executed twice when a standby replaces its dead primary', async () => {
  const choices = createChoices('failover');
  const pair = await startPostgresPair();
  const door = await startHeldRelay(() => {
    const { host, port } = pair.connection();
    return { path: `${host}/.s.PGSQL.${port}` };
  });
  const { user, database } = pair.connection();
  const address = { host: '127.0.0.1', port: door.port, user, database };
  try {
    await migrate(address);
    const scene = await openStressScene(
      { DATABASE_URL: `postgresql://${user}@127.0.0.1:${door.port}/${database}` },
      address,
    );
    const gateway = await startGatewayProcess(scene.variables);
    const load = startLoad({ merchants: scene.merchants, url: () => gateway.url, choices, clients: 8 });
    try {
      await until('payouts are accepted', () => load.acknowledged.length > ENOUGH);
      await pair.killPrimary();
      await sleep(DYING_MS);
      const before = load.acknowledged.length;
      await sleep(WITHOUT_DATABASE_MS);
      assert.equal(load.acknowledged.length, before, 'a payout was acknowledged while there was no database');
      await pair.promote();
      await until('payouts are accepted again', () => load.acknowledged.length > before + ENOUGH);
      await load.stop();
      await scene.judge(load.acknowledged);
      await gateway.stop();
    } finally {
      load.abandon();
      await gateway.kill();
      await scene.close();
    }
    console.log(`${load.acknowledged.length} payouts, ${load.unanswered()} requests without an answer`);
  } finally {
    await door.close();
    await pair.close();
  }
});
