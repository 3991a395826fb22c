/**
 * The primary fails permanently under load, and the standby replaces it: at the same address, or as another host in
 * DATABASE_URL.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SKIPPED_NUMBERS } from '../../../src/domain/recovery/begin-recovery.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { migrate } from '../../../src/storage/migrations/migrate.ts';
import { startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import { startLoad } from '../../support/payouts/payout-load.ts';
import { openOffice, openStressScene } from '../../support/payouts/stress-scene.ts';
import { PRIMARY, STANDBY, startPostgresPair } from '../../support/postgres/postgres-pair.ts';
import { startHeldRelay } from '../../support/servers/held-relay.ts';
import { type Choices, createChoices } from '../../support/tools/seeded.ts';
import { until } from '../../support/tools/until.ts';

/** The number of payouts that are accepted before the failover, and again after it. */
const ENOUGH = process.env['TEST_FULL'] ? 500 : 40;
const DYING_MS = 500;
const WITHOUT_DATABASE_MS = 1_500;

/** How a gateway finds the new primary. */
const WAYS = ['the same address', 'another host'] as const;
/** The core run uses the harder way. */
const ROUNDS = process.env['TEST_FULL']
  ? Array.from({ length: 10 }, (_, index) => ({ round: index + 1, way: WAYS[index % 2] ?? WAYS[0] }))
  : [{ round: 1, way: WAYS[1] }];

for (const { round, way } of ROUNDS)
  test(`no acknowledged payout is lost or executed twice when a standby replaces its dead primary behind ${way} (round ${round})`, () =>
    failOver(way, createChoices(`failover ${round}`)));

async function failOver(way: (typeof WAYS)[number], choices: Choices): Promise<void> {
  const pair = await startPostgresPair();
  const current = await startHeldRelay(() => socketOf(pair.connection().host, pair.connection().port));
  const each = [PRIMARY, STANDBY].map(({ port }) => startHeldRelay(() => socketOf(pair.connection().host, port)));
  const hosts = await Promise.all(each);
  const { user, database } = pair.connection();
  const address = { host: '127.0.0.1', port: current.port, user, database };
  const named =
    way === 'another host' ? hosts.map(({ port }) => `127.0.0.1:${port}`).join(',') : `127.0.0.1:${current.port}`;
  const url = `postgresql://${user}@${named}/${database}?target_session_attrs=read-write`;
  try {
    await migrate(address);
    const scene = await openStressScene({ DATABASE_URL: url }, address);
    const gateway = await startGatewayProcess(scene.variables);
    const load = startLoad({ merchants: scene.merchants, url: () => gateway.url, choices, clients: 8 });
    try {
      await until('payouts are accepted', () => load.acknowledged.length > ENOUGH);
      const standby = `postgresql://${user}@127.0.0.1:${hosts[1]?.port}/${database}`;
      await assertNoRecoveryBegins({ ...scene.variables, DATABASE_URL: standby });
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
    for (const relay of [current, ...hosts]) await relay.close();
    await pair.close();
  }
}

/** A standby replays its primary's WAL, like a server during a restore. */
async function assertNoRecoveryBegins(variables: EnvironmentVariables): Promise<void> {
  const { operations, close } = await openOffice(variables);
  const begun = await operations.recovery.begin({ by: 'Ann', reason: 'x', knownUntil: null, skip: SKIPPED_NUMBERS });
  await close();
  assert.deepEqual(begun, { ok: false, error: { kind: 'database_replays' } });
}

const socketOf = (host: string, port: number) => ({ path: `${host}/.s.PGSQL.${port}` });
