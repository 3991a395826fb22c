/** The database terminates the gateway's connections repeatedly, even during commits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import { startLoad } from '../../support/payouts/payout-load.ts';
import { openStressScene } from '../../support/payouts/stress-scene.ts';
import { createTestDatabase } from '../../support/postgres/postgres.ts';
import { createChoices } from '../../support/tools/seeded.ts';

const LASTS_MS = 10_000;
/** A busy machine completes less work in this time. */
const LASTS_AT_MOST_MS = 180_000;
const ENOUGH = 100;
const LONGEST_PAUSE_MS = 150;
/**
 * After this many terminations without a payout, the pauses double, because a busy machine needs longer for a connection and a
 * commit.
 */
const WITHOUT_PAYOUT = 10;

const TERMINATE = `select count(pg_terminate_backend(pid))::int as ended from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and ($1 = 'all' or state <> 'idle')`;

test('no payout is lost or paid twice when the database terminates connections in a loop', async () => {
  const choices = createChoices('lost connections');
  const database = await createTestDatabase();
  const scene = await openStressScene({ DATABASE_URL: database.connectionString }, database.config);
  const gateway = await startGatewayProcess(scene.variables);
  const load = startLoad({ merchants: scene.merchants, url: () => gateway.url, choices, clients: 8 });
  const client = new pg.Client(database.config);
  await client.connect();
  let ended = 0;
  let longestMs = LONGEST_PAUSE_MS;
  let acknowledged = 0;
  let withoutPayout = 0;
  try {
    const startedAt = performance.now();
    const lasted = () => performance.now() - startedAt;
    const isEnough = () => ended > ENOUGH && load.acknowledged.length > ENOUGH;
    while (lasted() < LASTS_MS || (!isEnough() && lasted() < LASTS_AT_MOST_MS)) {
      // Alternates between terminating busy connections, which interrupts commits, and all connections, which empties the
      // pool.
      const { rows } = await client.query(TERMINATE, [choices.oneOf(['all', 'active'])]);
      ended += rows[0].ended;
      await sleep(choices.between(10, longestMs));
      withoutPayout = load.acknowledged.length > acknowledged ? 0 : withoutPayout + 1;
      acknowledged = load.acknowledged.length;
      if (withoutPayout === WITHOUT_PAYOUT) {
        longestMs *= 2;
        withoutPayout = 0;
      }
    }
    await load.stop().catch((error) => {
      throw new Error(`${error.message}; the gateway's log: ${gateway.errors().slice(-3_000)}`);
    });
    assert(ended > ENOUGH, `only ${ended} connections were terminated`);
    assert(load.acknowledged.length > ENOUGH, `only ${load.acknowledged.length} payouts were acknowledged`);
    await scene.judge(load.acknowledged);
    await gateway.stop();
  } finally {
    load.abandon();
    await gateway.kill();
    await client.end();
    await scene.close();
  }
  await database.close();
  console.log(
    `${ended} connections ended, ${load.acknowledged.length} payouts, ${load.unanswered()} without an answer, pauses up to ${longestMs} ms`,
  );
});
