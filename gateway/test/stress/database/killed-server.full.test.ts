/** kill -9 of the embedded PostgreSQL under load. Its gateway must restart it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedPostgres } from '../../../src/storage/embedded/embedded-postgres.ts';
import { migrate } from '../../../src/storage/migrations/migrate.ts';
import { startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import { startLoad } from '../../support/payouts/payout-load.ts';
import { openStressScene } from '../../support/payouts/stress-scene.ts';
import { createChoices } from '../../support/tools/seeded.ts';
import { until } from '../../support/tools/until.ts';

const KILLS = process.env['TEST_FULL'] ? 5 : 1;

test('no acknowledged payout is lost when PostgreSQL is killed under load and restarts', async () => {
  const choices = createChoices('killed database');
  const dataDirectory = await mkdtemp(join(tmpdir(), 'gateway-stress-'));
  const embedded = await openEmbeddedPostgres({ dataDirectory, log: () => {} });
  try {
    await migrate(embedded.connectionConfig);
    const scene = await openStressScene({ GATEWAY_DATA_DIR: dataDirectory }, embedded.connectionConfig);
    const gateway = await startGatewayProcess(scene.variables);
    const load = startLoad({ merchants: scene.merchants, url: () => gateway.url, choices, clients: 8 });
    const killed = new Set<number>();
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        await sleep(choices.between(300, 1_500));
        const postmaster = await postmasterOf(embedded.folder, killed);
        process.kill(postmaster, 'SIGKILL');
        killed.add(postmaster);
        const before = load.acknowledged.length;
        await until('payouts are accepted again', () => load.acknowledged.length > before + 30);
      }
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
    await embedded.close();
    await rm(embedded.folder, { recursive: true, force: true });
    await rm(dataDirectory, { recursive: true, force: true });
  }
});

/** Resolves to the pid in postmaster.pid, once it belongs to a server that the test has not killed yet. */
function postmasterOf(folder: string, killed: ReadonlySet<number>): Promise<number> {
  return until('a running server', async () => {
    const file = await readFile(join(folder, 'cluster/postmaster.pid'), 'utf8').catch(() => '');
    const postmaster = Number(file.split('\n', 1)[0]);
    return postmaster > 0 && !killed.has(postmaster) && postmaster;
  });
}
