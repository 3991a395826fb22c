/**
 * The loss of a worker while payouts arrive, and its return. The merchants of the other worker are served meanwhile. Afterwards
 * all merchants are, and no payout of the moment of the loss is lost or paid twice.
 */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../src/foundation/clock.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { examineDatabase } from '../../src/main/doctor/doctor-database.ts';
import { configOf } from '../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { until } from '../support/tools/until.ts';
import { type CitusServers, inNewSession } from './citus-servers.ts';
import {
  allEnd,
  assertAccepted,
  assertPaidOnce,
  batchAndApprove,
  bePaid,
  command,
  type DrillScene,
  expire,
  FINAL_WITHIN_MS,
  payoutsOf,
  send,
} from './drill-payments.ts';

/** Between the first payouts and the loss. It differs by round, so that the loss meets different statements. */
const LOST_AFTER_MS = [0, 15, 30, 60, 120];

/** Returns the doctor's finding about the cluster. */
async function doctorOf({ database }: CitusServers) {
  const config = configOf({ DATABASE_URL: database.ownerConnectionString });
  const parts = { variables: {}, nodeVersion: process.version, clock: systemClock, random: systemRandom };
  const findings = await examineDatabase(config, parts, { workers: [], processes: [] });
  return findings.find(({ name }) => name === 'Cluster');
}

/** Returns the place of the worker that stores each merchant's rows. */
async function placesOf(servers: CitusServers): Promise<ReadonlyMap<string, number>> {
  const { rows } = await inNewSession(servers, (session) =>
    session.query<{ id: string; port: number }>(
      `select m.merchant_id as id, s.nodeport as port from merchants m
       join citus_shards s on s.shardid = get_shard_id_for_distribution_column('merchants', m.merchant_id)`,
    ),
  );
  return new Map(rows.map(({ id, port }) => [id, servers.workerPorts.indexOf(port)]));
}

/** Makes payments of every kind, and waits for their final states and callbacks. Returns the payouts. */
async function serve(scene: DrillScene, merchants: readonly TestMerchant[], name: string) {
  const sent = await send(payoutsOf(merchants, name));
  assertAccepted(sent);
  await bePaid(scene, merchants, name);
  const [first] = merchants as [TestMerchant];
  await expire(scene, first, `E-${name}`);
  const payouts = [...sent, ...(await batchAndApprove(scene, first, name))];
  await allEnd(payouts, scene.stage);
  const { exitCode, stdout, stderr } = await command(scene.servers, 'queue list');
  assert.equal(exitCode, 0, `gateway queue list: ${stderr || stdout}`);
  return payouts;
}

/** Kills a worker, serves the merchants of the other worker, and starts it again. */
export async function loseWorker(scene: DrillScene, round: number): Promise<string> {
  const { servers, stage, merchants } = scene;
  const places = await placesOf(servers);
  const lost = round % servers.workerPorts.length;
  const [theirs, others] = [true, false].map((isLost) =>
    merchants.filter(({ id }) => (places.get(id) === lost) === isLost),
  ) as [TestMerchant[], TestMerchant[]];
  assert.ok(theirs.length > 0 && others.length > 0, 'each worker must hold a merchant');
  const logged = stage.gateway.log.length;
  const inFlight = send(payoutsOf(merchants, `loss-${round}`));
  await setTimeout(LOST_AFTER_MS[round % LOST_AFTER_MS.length]);
  await servers.stopWorker(lost);
  const served = await serve(scene, others, `away-${round}`).catch((error: Error) => error);
  // After the payments, so it proves that the worker was away all the time.
  const diagnosis = await doctorOf(servers);
  await servers.startWorker(lost);
  if (served instanceof Error) throw new Error(`${served.message}; log: ${problemsSince(stage.gateway.log, logged)}`);
  assert.equal(diagnosis?.ok, false, `the doctor misses the lost worker: ${diagnosis?.found}`);

  const interrupted = await inFlight;
  assertAccepted(interrupted.filter(({ merchant }) => others.includes(merchant)));
  let open = interrupted.filter(({ isAccepted }) => !isAccepted);
  const unanswered = open.length;
  const isServed = async () => {
    open = (await send(open)).filter(({ isAccepted }) => !isAccepted);
    return open.length === 0;
  };
  await until('the repeated payouts of the lost worker are accepted', isServed, FINAL_WITHIN_MS);
  await allEnd(interrupted, stage);
  await assertPaidOnce([...served, ...interrupted], stage);
  const healthy = await doctorOf(servers);
  assert.equal(healthy?.ok, true, `the doctor after the return: ${healthy?.found}`);
  return `meanwhile ${served.length} payouts (2 of a batch, 1 approved), ${others.length} deposits and ${others.length} card payments of ${others.length} merchants ended and were called back, and a deposit expired; ${interrupted.length} payouts met the loss, ${unanswered} were repeated after it, and each was paid once`;
}

/** Returns the first problem of each kind. */
function problemsSince(log: readonly string[], start: number): string {
  const problems = log.slice(start).filter((line) => /"level":"(?:error|warn)"/.test(line));
  return [...Map.groupBy(problems, (line) => /"event":"\w+"(?:,"route":"[^"]*")?/.exec(line)?.[0]).values()]
    .map(([first = '', ...more]) => `${first.slice(0, 600)} (${more.length} more)`)
    .join('\n');
}
