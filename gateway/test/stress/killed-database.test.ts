/** kill -9 of PostgreSQL under load: the embedded one, which its gateway has to start again by itself. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedPostgres } from '../../src/storage/embedded/embedded-postgres.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { startLoad } from '../support/payout-load.ts';
import { createChoices } from '../support/seeded.ts';
import { openStressScene } from '../support/stress-scene.ts';
import { until } from '../support/until.ts';

const KILLS = 3;

test('PostgreSQL killed under load: it comes back, and nothing that was acknowledged is lost', async () => {
  const choices = createChoices('killed database');
  const dataDirectory = await mkdtemp(join(tmpdir(), 'gateway-stress-'));
  const embedded = await openEmbeddedPostgres({ dataDirectory, log: () => {} });
  try {
    await migrate(embedded.connectionConfig);
    const scene = await openStressScene({ GATEWAY_DATA_DIR: dataDirectory }, embedded.connectionConfig);
    const gateway = await startGatewayProcess(scene.variables);
    const load = startLoad({ merchants: scene.merchants, url: () => gateway.url, choices, clients: 8 });
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const before = load.acknowledged.length;
        await sleep(choices.between(300, 1_500));
        process.kill(await postmasterOf(embedded.folder), 'SIGKILL');
        await until('payouts are accepted again', () => load.acknowledged.length > before + 30, 30_000);
      }
      await load.stop();
      assert(load.unanswered() > 0, 'the kills went unnoticed');
      await scene.judge(load.acknowledged);
      await gateway.stop();
    } finally {
      load.abandon();
      await gateway.kill();
      await scene.close();
    }
    console.log(`${load.acknowledged.length} payouts, ${load.unanswered()} requests without an answer`);
  } finally {
    await embedded.close();
    await rm(embedded.folder, { recursive: true, force: true });
    await rm(dataDirectory, { recursive: true, force: true });
  }
});

/** The first line of postmaster.pid. */
async function postmasterOf(folder: string): Promise<number> {
  const file = await until('a running server', () =>
    readFile(join(folder, 'cluster/postmaster.pid'), 'utf8').catch(() => undefined),
  );
  return Number(file.split('\n', 1)[0]);
}
