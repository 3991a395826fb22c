/**
 * `npm run drill:citus -- /usr/lib/postgresql/15/bin 10`: the gateway on a Citus cluster of this machine. It pays and is paid,
 * reconciles, loses a worker and gets it back as often as the last argument says, rebalances, measures and verifies. Each
 * step prints a line. Exits with 1 after a failed step.
 */
import assert from 'node:assert/strict';
import { systemClock, utcDayOf } from '../../src/foundation/clock.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { migrateDatabase } from '../../src/main/compose/migrate-database.ts';
import { examineDatabase } from '../../src/main/doctor/doctor-database.ts';
import { type SpeiStage, startSpeiStage } from '../support/deposits/spei-stage.ts';
import { configOf } from '../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { until } from '../support/tools/until.ts';
import { measureAcceptRate } from './accept-rate.ts';
import { type CitusServers, startCitus } from './citus-servers.ts';

const MERCHANTS = 6;
const EACH = 5;
const METHODS = [1, 16, 34] as const;
const FINAL_WITHIN_MS = 180_000;

const [programs = '/usr/lib/postgresql/15/bin', rounds = '2'] = process.argv.slice(2);
let failed = 0;

async function step(name: string, work: () => Promise<string>): Promise<void> {
  const startedAt = performance.now();
  const line = await work().catch((error: Error) => {
    failed += 1;
    return `FAILED: ${error.message}`;
  });
  console.log(`${name}: ${line} (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`);
}

/** A payout's answer without an outcome, such as an HTTP 500, counts as refused. */
async function payOut(merchants: readonly TestMerchant[], prefix: string) {
  const asked = merchants.flatMap((merchant) =>
    Array.from({ length: EACH }, (_, index) => ({
      merchant,
      payoutId: `${prefix}-${index}`,
      method: METHODS[index % METHODS.length] ?? 1,
    })),
  );
  const answers = await Promise.all(
    asked.map(async (one) => {
      const answer = await one.merchant.pay(one.method, one.payoutId).catch(() => undefined);
      return { ...one, isAccepted: answer !== undefined && answer['status'] !== 'Error' };
    }),
  );
  return { accepted: answers.filter(({ isAccepted }) => isAccepted), of: answers.length };
}

type Accepted = Awaited<ReturnType<typeof payOut>>['accepted'];

async function allEnd(accepted: Accepted, stage: SpeiStage): Promise<void> {
  for (const { merchant, payoutId } of accepted) {
    await merchant.final(payoutId, FINAL_WITHIN_MS);
    await until(
      `the callback of ${merchant.id}/${payoutId}`,
      () => stage.gateway.receiver.about(merchant.id, payoutId).length > 0,
      FINAL_WITHIN_MS,
    );
  }
}

/** The merchants by the worker that holds their rows. */
async function placesOf({ database: { pool } }: CitusServers): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ id: string; port: number }>(
    `select m.merchant_id as id, s.nodeport as port from merchants m
     join citus_shards s on s.shardid = get_shard_id_for_distribution_column('merchants', m.merchant_id)`,
  );
  const ports = [...new Set(rows.map(({ port }) => port))].sort((one, other) => one - other);
  return new Map(rows.map(({ id, port }) => [id, ports.indexOf(port)]));
}

/** The doctor's finding about the cluster. */
async function doctorOf({ database }: CitusServers) {
  const config = configOf({ DATABASE_URL: database.ownerConnectionString });
  const parts = { variables: {}, nodeVersion: process.version, clock: systemClock, random: systemRandom };
  const findings = await examineDatabase(config, parts, { workers: [], processes: [] });
  return findings.find(({ name }) => name === 'Cluster');
}

/** The merchants of the other worker are served meanwhile, and their payouts are sent after the return. */
async function loseWorker(
  servers: CitusServers,
  stage: SpeiStage,
  merchants: readonly TestMerchant[],
  places: ReadonlyMap<string, number>,
  round: number,
): Promise<string> {
  const lost = round % 2;
  const others = merchants.filter(({ id }) => places.get(id) !== lost);
  await servers.stopWorker(lost);
  const { accepted, of } = await payOut(others, `away-${round}`);
  const diagnosis = await doctorOf(servers);
  await servers.startWorker(lost);
  assert.equal(diagnosis?.ok, false, `the doctor misses the lost worker: ${diagnosis?.found}`);
  assert.equal(accepted.length, of, `the other worker’s merchants: ${accepted.length} of ${of} payouts accepted`);
  const all = merchants.length * EACH;
  let attempt = 0;
  const isServed = async () => (await payOut(merchants, `back-${round}-${attempt++}`)).accepted.length === all;
  await until('all merchants are served', isServed, FINAL_WITHIN_MS);
  await allEnd(accepted, stage);
  const healthy = await doctorOf(servers);
  assert.equal(healthy?.ok, true, `the doctor after the return: ${healthy?.found}`);
  return `${of} payouts of the other worker’s ${others.length} merchants accepted meanwhile, and ended`;
}

async function drill(servers: CitusServers): Promise<void> {
  const single = await servers.singleDatabase();
  await migrateDatabase(configOf({ DATABASE_URL: single.ownerConnectionString }), false, () => {});
  await step('distribute', async () => {
    const config = configOf({ DATABASE_URL: servers.database.ownerConnectionString });
    const { applied } = await migrateDatabase(config, true, () => {});
    return `${applied.length} migrations`;
  });
  const stage = await startSpeiStage({}, servers.database);
  const { gateway } = stage;
  try {
    const merchants: TestMerchant[] = [];
    for (let index = 0; index < MERCHANTS; index++) merchants.push(await gateway.merchant());
    await step('payouts and callbacks', async () => {
      const { accepted, of } = await payOut(merchants, 'calm');
      assert.equal(accepted.length, of);
      await allEnd(accepted, stage);
      return `${of} of ${of} ended`;
    });
    await step('deposits', async () => {
      for (const merchant of merchants) {
        const { clabe } = await merchant.deposit('D1');
        await stage.stp.pay(clabe);
        await until('paid', async () => (await stage.state(merchant, 'D1')) === 'success', FINAL_WITHIN_MS);
      }
      return `${merchants.length} paid`;
    });
    await step('reconciliation of payouts', async () => {
      const { reconciliation } = gateway.operations;
      for (const rail of reconciliation.rails) await reconciliation.run(rail, utcDayOf(systemClock.now()));
      return reconciliation.rails.join(', ');
    });
    await step('verify', () => gateway.verify().then(() => 'all invariants hold'));
    const places = await placesOf(servers);
    for (let round = 0; round < Number(rounds); round++)
      await step(`loss and return ${round + 1}`, () => loseWorker(servers, stage, merchants, places, round));
    await step('rebalance', async () => {
      await servers.database.pool.query(`select citus_move_shard_placement(shardid, nodename, nodeport, '127.0.0.1', other.port, 'block_writes')
        from (select shardid, nodename, nodeport from citus_shards where table_name = 'merchants'::regclass order by shardid limit 1) s,
        lateral (select n.nodeport as port from pg_dist_node n where n.nodeport <> s.nodeport and n.groupid > 0) other`);
      const { accepted, of } = await payOut(merchants, 'moved');
      assert.equal(accepted.length, of);
      await allEnd(accepted, stage);
      return `a shard moved, and ${of} payouts ended`;
    });
    await step('verify', () => gateway.verify().then(() => 'all invariants hold'));
  } finally {
    await stage.stp.close();
    await gateway.stop();
  }
  await step('acceptance', async () => {
    const [cluster, one] = [await measureAcceptRate(servers.database), await measureAcceptRate(single)];
    return `${Math.round(cluster)} payouts a second on the cluster, ${Math.round(one)} on its coordinator alone`;
  });
}

const servers = await startCitus(programs);
console.log(servers.version);
try {
  await drill(servers);
} finally {
  await servers.close();
}
process.exitCode = failed === 0 ? 0 : 1;
