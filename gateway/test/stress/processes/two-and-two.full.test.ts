/** Two API processes and two workers on one database, killed (kill -9) in turn and restarted under load. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GatewayProcess, startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import { startLoad } from '../../support/payouts/payout-load.ts';
import { openStressScene } from '../../support/payouts/stress-scene.ts';
import { createTestDatabase } from '../../support/postgres/postgres.ts';
import { createChoices } from '../../support/tools/seeded.ts';

/** Kills alternate, so that two kills hit one process of each kind. */
const KILLS = process.env['TEST_FULL'] ? 40 : 2;
const PLACES = ['api', 'worker', 'api', 'worker'] as const;

test('no payout is lost or paid twice and every merchant is called back when two API processes and two workers are killed in turn', async () => {
  const choices = createChoices('two and two');
  const database = await createTestDatabase();
  const scene = await openStressScene({ DATABASE_URL: database.connectionString }, database.config);
  const running = new Map<number, GatewayProcess>();
  const start = async (place: number) => {
    // The bank notifies the first process.
    const variables = place === 0 ? scene.variables : { ...scene.variables, PORT: '0' };
    running.set(place, await startGatewayProcess(variables, '--role', PLACES[place] ?? ''));
  };
  await Promise.all(PLACES.map((_, place) => start(place)));
  const urls = () => [...running.values()].map(({ url }) => url).filter((url) => url !== '');
  const load = startLoad({ merchants: scene.merchants, url: () => choices.oneOf(urls()), choices, clients: 8 });
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const place = kill % PLACES.length;
      await sleep(choices.between(200, 900));
      await running.get(place)?.kill();
      await start(place);
    }
    await load.stop();
    assert(load.acknowledged.length > 10 * KILLS, `only ${load.acknowledged.length} payouts were acknowledged`);
    await scene.judge(load.acknowledged);
    await Promise.all([...running.values()].map((gateway) => gateway.stop()));
  } finally {
    load.abandon();
    for (const gateway of running.values()) await gateway.kill();
    await scene.close();
  }
  await database.close();
  console.log(`${load.acknowledged.length} payouts, ${load.unanswered()} requests without an answer`);
});
