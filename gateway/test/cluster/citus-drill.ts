/**
 * `npm run drill:citus -- /usr/lib/postgresql/15/bin 10`: runs the gateway on a local Citus cluster. It makes and receives
 * payments, reconciles, loses and restores a worker as often as the last argument says, rebalances, measures and verifies.
 * Each step prints a line. Exits with code 1 after a failed step.
 */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { systemClock, utcDayOf } from '../../src/foundation/clock.ts';
import { migrateDatabase } from '../../src/main/compose/migrate-database.ts';
import { adyen } from '../../src/rails/adyen/form-provider-under-test.ts';
import { startSpeiStage } from '../support/deposits/spei-stage.ts';
import { configOf, freePort } from '../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { measureAcceptRate } from './accept-rate.ts';
import { type CitusServers, inNewSession, startCitus } from './citus-servers.ts';
import {
  APPROVAL_ABOVE,
  allEnd,
  assertAccepted,
  assertPaidOnce,
  bePaid,
  command,
  type DrillScene,
  payoutsOf,
  send,
} from './drill-payments.ts';
import { loseWorker } from './worker-loss.ts';

const MERCHANTS = 6;

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

/**
 * Commands that read every merchant table, across all merchants and for one merchant, and commands that change each kind of
 * object.
 */
const COMMANDS = [
  'merchant list',
  'merchant show M1',
  'credit M1 UAH 5.00 --reference drill-1 --reason drill',
  'debit M1 UAH 5.00 --reference drill-2 --reason drill',
  'ledger balance M1 --at 2026-01-01',
  'ledger list',
  'ledger list --merchant M1',
  'ledger trial-balance --at 2026-01-01',
  'ledger volumes --since 2026-01-01 --until 2026-02-01',
  'payout list',
  'payout list --merchant M1',
  'payout overdue',
  'payout show M1 calm-0',
  'payout methods M1',
  'payout awaiting',
  'deposit list',
  'deposit payments',
  'deposit transfers',
  'deposit refunds',
  'deposit show M1 D-1',
  'deposit held',
  'deposit overdue',
  'find calm-0',
  'find 4242',
  'pause merchant M2 --reason drill',
  'resume merchant M2',
  'pause rail wayforpay --reason drill',
  'resume rail wayforpay',
  'callback list',
  'callback test M1',
  'callback resend M1 --undelivered',
  'request list',
  'rail list',
  'process list',
  'queue list',
  'route list',
  'difference list',
  'difference days --since 2026-01-01 --until 2026-01-31',
  'token list',
  'person list',
  'audit list',
  'audit verify',
  'event list',
  'batch list M1',
  'key rotate M1',
  'vault status',
  'vault rotate',
  'merchant suspend M3',
  'merchant activate M3',
  'verify',
];

async function runCommands(servers: CitusServers): Promise<string> {
  const failures: string[] = [];
  for (const line of COMMANDS) {
    const { exitCode, stderr, stdout } = await command(servers, line);
    if (exitCode !== 0) failures.push(`gateway ${line}: exit ${exitCode}: ${(stderr || stdout).slice(0, 300)}`);
  }
  assert.deepEqual(failures, []);
  return `${COMMANDS.length} commands`;
}

async function payOut({ stage, merchants }: DrillScene, prefix: string): Promise<string> {
  const sent = await send(payoutsOf(merchants, prefix));
  assertAccepted(sent);
  await allEnd(sent, stage);
  await assertPaidOnce(sent, stage);
  return `${sent.length} payouts ended`;
}

async function moveShard(servers: CitusServers): Promise<void> {
  await inNewSession(servers, (session) =>
    session.query(`select citus_move_shard_placement(shardid, nodename, nodeport, '127.0.0.1', other.port, 'block_writes')
      from (select shardid, nodename, nodeport from citus_shards where table_name = 'merchants'::regclass order by shardid limit 1) s,
      lateral (select n.nodeport as port from pg_dist_node n where n.nodeport <> s.nodeport and n.groupid > 0) other`),
  );
}

async function drill(servers: CitusServers): Promise<void> {
  const single = await servers.singleDatabase();
  await migrateDatabase(configOf({ DATABASE_URL: single.ownerConnectionString }), false, () => {});
  await step('distribute', async () => {
    const config = configOf({ DATABASE_URL: servers.database.ownerConnectionString });
    const { applied } = await migrateDatabase(config, true, () => {});
    return `${applied.length} migrations`;
  });
  const port = await freePort();
  const gatewayUrl = `http://127.0.0.1:${port}`;
  const cards = await adyen.start({ gatewayUrl, folder: tmpdir() });
  const variables = { ...cards.variables, PORT: String(port), PUBLIC_URL: gatewayUrl };
  const stage = await startSpeiStage(variables, servers.database);
  const { gateway } = stage;
  try {
    const merchants: TestMerchant[] = [];
    for (let index = 0; index < MERCHANTS; index++)
      merchants.push(await gateway.merchant({ settings: APPROVAL_ABOVE }));
    const scene: DrillScene = { servers, stage, cards, merchants };
    await step('payouts and callbacks', () => payOut(scene, 'calm'));
    await step('deposits and card payments on the form', async () => {
      await bePaid(scene, merchants, '1');
      return `${merchants.length} of each paid`;
    });
    await step('reconciliation of payouts', async () => {
      const { reconciliation } = gateway.operations;
      for (const rail of reconciliation.rails) await reconciliation.run(rail, utcDayOf(systemClock.now()));
      return reconciliation.rails.join(', ');
    });
    await step('verify', () => gateway.verify().then(() => 'all invariants hold'));
    await step('commands', () => runCommands(servers));
    for (let round = 0; round < Number(rounds); round++)
      await step(`loss and return ${round + 1}`, () => loseWorker(scene, round));
    await step('rebalance', async () => {
      await moveShard(servers);
      return `a shard moved, and ${await payOut(scene, 'moved')}`;
    });
    await step('verify', () => gateway.verify().then(() => 'all invariants hold'));
  } finally {
    await cards.close();
    await stage.stp.close();
    await gateway.stop();
  }
  await step('acceptance', async () => {
    const [cluster, one] = [await measureAcceptRate(servers.database), await measureAcceptRate(single)];
    return `${Math.round(cluster)} payouts per second on the cluster, ${Math.round(one)} on its coordinator alone`;
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
