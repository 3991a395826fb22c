/**
 * kill -9 of the gateway under load at random moments. `npm test` kills it at each step of a payment instead
 * (kill-moments.test.ts).
 */
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import { startLoad } from '../../support/payouts/payout-load.ts';
import { openStressScene } from '../../support/payouts/stress-scene.ts';
import { createTestDatabase } from '../../support/postgres/postgres.ts';
import { createChoices } from '../../support/tools/seeded.ts';
import { until } from '../../support/tools/until.ts';

const KILLS = 20;
const LONGEST_LIFE_MS = 900;
/** With fewer payouts, little could be lost. On a slow machine the last process accepts the missing payouts. */
const LEAST_PAYOUTS = 20 * KILLS;

test('after repeated kills under load, every payment is executed exactly once and every merchant is called back', async () => {
  const choices = createChoices('kill');
  const database = await createTestDatabase();
  const scene = await openStressScene({ DATABASE_URL: database.connectionString }, database.config);
  const { merchants, variables } = scene;
  const url = () => `http://127.0.0.1:${variables['PORT']}`;
  const load = startLoad({ merchants, url, choices, clients: 12 });
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const gateway = await startGatewayProcess(variables);
      await sleep(choices.between(0, LONGEST_LIFE_MS));
      await gateway.kill();
    }
    const survivor = await startGatewayProcess(variables);
    try {
      await until(`${LEAST_PAYOUTS} payouts are accepted`, () => load.acknowledged.length >= LEAST_PAYOUTS);
      await load.stop();
      await scene.judge(load.acknowledged);
      await survivor.stop();
    } finally {
      await survivor.kill();
    }
  } finally {
    load.abandon();
    await scene.close();
  }
  await database.close();
  const { length } = load.acknowledged;
  console.log(
    `${length} payouts, ${load.unanswered()} requests without an answer, ${load.refused()} refused connections`,
  );
});
