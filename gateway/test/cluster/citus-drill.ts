/**
 * `npm run drill:citus -- /usr/lib/postgresql/15/bin 10`: runs the gateway on a local Citus cluster. It makes and receives
 * payments, reconciles, loses and restores a worker as often as the last argument says, rebalances, measures and verifies.
 * Each step prints a line. Exits with code 1 after a failed step.
 */
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { systemClock, utcDayOf } from '../../src/foundation/clock.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { migrateDatabase } from '../../src/main/compose/migrate-database.ts';
import { examineDatabase } from '../../src/main/doctor/doctor-database.ts';
import { adyen } from '../../src/rails/adyen/form-provider-under-test.ts';
import { type SpeiStage, startSpeiStage } from '../support/deposits/spei-stage.ts';
import { createFormPayer } from '../support/form/form-payer.ts';
import type { Provider } from '../support/form-providers/provider.ts';
import { runCommand } from '../support/gateway/run-command.ts';
import { configOf, freePort, MASTER_KEY } from '../support/gateway/running-gateway.ts';
import { signedForm, type TestMerchant } from '../support/merchants/test-merchant.ts';
import { until } from '../support/tools/until.ts';
import { measureAcceptRate } from './accept-rate.ts';
import { type CitusServers, startCitus } from './citus-servers.ts';

const MERCHANTS = 6;
const EACH = 5;
const METHODS = [1, 16, 34] as const;
const CARD_LINK = { currency: 'EUR', country: 'DE', email: 'payer@example.com', item_name: 'A book', amount: '10.50' };
/** An amount in UAH above the limit from which the drill's merchants require approval. */
const LARGE_AMOUNT = '600.00';
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

/** Counts a payout response without an outcome, such as an HTTP 500, as rejected. */
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
      const answer = await one.merchant
        .pay(one.method, one.payoutId)
        .catch((error: Error) => ({ status: 'Error', error: error.message }));
      return { ...one, answer, isAccepted: answer['status'] !== 'Error' };
    }),
  );
  const refused = answers.filter(({ isAccepted }) => !isAccepted).map(({ answer }) => JSON.stringify(answer));
  return { accepted: answers.filter(({ isAccepted }) => isAccepted), refused, of: answers.length };
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

/** Returns the merchants by the worker that stores their rows. */
async function placesOf({ database: { pool } }: CitusServers): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ id: string; port: number }>(
    `select m.merchant_id as id, s.nodeport as port from merchants m
     join citus_shards s on s.shardid = get_shard_id_for_distribution_column('merchants', m.merchant_id)`,
  );
  const ports = [...new Set(rows.map(({ port }) => port))].sort((one, other) => one - other);
  return new Map(rows.map(({ id, port }) => [id, ports.indexOf(port)]));
}

/** Makes a card payment with 3-D Secure on the gateway's page. */
async function payOnForm(
  cards: Provider,
  { gateway }: SpeiStage,
  merchant: TestMerchant,
  order: string,
): Promise<void> {
  const payer = createFormPayer(gateway.url, {});
  const form = await payer.open(signedForm({ ...CARD_LINK, merchant: merchant.id, order }, merchant.formKey));
  const page = await payer.press(form, 'pay', cards.typed(order, undefined));
  await cards.act({ reference: '', providerReference: '' }, undefined, { payer, page });
  await until('the callback', () => gateway.receiver.about(merchant.id, order, 'callback')[0], FINAL_WITHIN_MS);
}

/** Makes a SPEI deposit and a card payment for each merchant. */
async function bePaid(
  merchants: readonly TestMerchant[],
  stage: SpeiStage,
  cards: Provider,
  order: string,
): Promise<void> {
  for (const merchant of merchants) {
    const { clabe } = await merchant.deposit(order);
    await stage.stp.pay(clabe);
    const about = () => stage.gateway.receiver.about(merchant.id, order, 'callback')[0];
    await until(`the callback of deposit ${merchant.id}/${order}`, about, FINAL_WITHIN_MS);
    await payOnForm(cards, stage, merchant, `C-${order}`);
  }
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
  'deposit show M1 D1',
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

function command({ database }: CitusServers, line: string) {
  const variables = { DATABASE_URL: database.ownerConnectionString, GATEWAY_MASTER_KEY: MASTER_KEY };
  return runCommand(line.split(' '), variables);
}

/** Submits a batch of payouts, and approves a payout, with the operator's commands. */
async function batchAndApprove(servers: CitusServers, { id, pay, final }: TestMerchant, name: string): Promise<void> {
  const succeed = async (line: string) => {
    const { exitCode, stdout, stderr } = await command(servers, line);
    assert.equal(exitCode, 0, `gateway ${line}: ${stderr || stdout}`);
    return stdout;
  };
  const file = join(tmpdir(), `${name}.csv`);
  const rows = ['1', '2'].map((row) => `${name}-row-${row},1,4111111111111111,10.00,UAH`);
  await writeFile(file, ['payout_id,method,account,amount,currency', ...rows].join('\n'));
  const batch = /batch (\S+)/.exec(await succeed(`batch upload ${id} ${file}`))?.[1] ?? '';
  await rm(file);
  const isSubmitted = async () => (await command(servers, `batch submit ${id} ${batch}`)).exitCode === 0;
  await until(`batch ${id}/${batch} is checked and submitted`, isSubmitted, FINAL_WITHIN_MS);
  assert.equal((await pay(1, `${name}-large`, { amount: LARGE_AMOUNT }))['status'], 'Pending');
  await succeed(`payout approve ${id} ${name}-large --reason drill`);
  for (const payoutId of ['row-1', 'row-2', 'large']) await final(`${name}-${payoutId}`, FINAL_WITHIN_MS);
}

async function runCommands(servers: CitusServers): Promise<string> {
  const failures: string[] = [];
  for (const line of COMMANDS) {
    const { exitCode, stderr, stdout } = await command(servers, line);
    if (exitCode !== 0) failures.push(`gateway ${line}: exit ${exitCode}: ${(stderr || stdout).slice(0, 300)}`);
  }
  assert.deepEqual(failures, []);
  return `${COMMANDS.length} commands`;
}

/** Returns the doctor's finding about the cluster. */
async function doctorOf({ database }: CitusServers) {
  const config = configOf({ DATABASE_URL: database.ownerConnectionString });
  const parts = { variables: {}, nodeVersion: process.version, clock: systemClock, random: systemRandom };
  const findings = await examineDatabase(config, parts, { workers: [], processes: [] });
  return findings.find(({ name }) => name === 'Cluster');
}

/**
 * Kills a worker. Merchants on the other worker must still be served: their payouts, deposits and card payments, a batch and
 * an approval.
 */
async function loseWorker(
  servers: CitusServers,
  stage: SpeiStage,
  merchants: readonly TestMerchant[],
  places: ReadonlyMap<string, number>,
  round: number,
  cards: Provider,
): Promise<string> {
  const lost = round % 2;
  const others = merchants.filter(({ id }) => places.get(id) !== lost);
  await servers.stopWorker(lost);
  const logged = stage.gateway.log.length;
  const name = `away-${round}`;
  const { accepted, refused, of } = await payOut(others, name);
  const work = async () => {
    await bePaid(others, stage, cards, name);
    for (const merchant of others.slice(0, 1)) await batchAndApprove(servers, merchant, name);
  };
  const failure = await work().then(
    () => null,
    (error: Error) => error.message,
  );
  const problems = () =>
    stage.gateway.log
      .slice(logged)
      .filter((line) => /"level":"(?:error|warn)"/.test(line))
      .join('');
  const diagnosis = await doctorOf(servers);
  const ends = await allEnd(accepted, stage).then(
    () => null,
    (error: Error) => `${error.message}; log: ${problems()}`,
  );
  await servers.startWorker(lost);
  if (ends !== null) throw new Error(ends);
  if (failure !== null) throw new Error(`${failure}; log: ${problems()}`);
  assert.equal(diagnosis?.ok, false, `the doctor misses the lost worker: ${diagnosis?.found}`);
  assert.equal(
    accepted.length,
    of,
    `the other worker’s merchants: ${accepted.length} of ${of} payouts accepted: ${refused}; log: ${problems()}`,
  );
  const all = merchants.length * EACH;
  let attempt = 0;
  const isServed = async () => (await payOut(merchants, `back-${round}-${attempt++}`)).accepted.length === all;
  await until('all merchants are served', isServed, FINAL_WITHIN_MS);
  const healthy = await doctorOf(servers);
  assert.equal(healthy?.ok, true, `the doctor after the return: ${healthy?.found}`);
  return `${of} payouts, ${others.length} deposits and ${others.length} card payments of the other worker’s merchants ended and reported meanwhile, with a batch and an approval`;
}

/** Uses a new session, because Citus keeps broken connections to the lost worker in older sessions. */
async function moveShard({ database }: CitusServers): Promise<void> {
  const session = new pg.Client({ connectionString: database.ownerConnectionString });
  await session.connect();
  try {
    await session.query(`select citus_move_shard_placement(shardid, nodename, nodeport, '127.0.0.1', other.port, 'block_writes')
      from (select shardid, nodename, nodeport from citus_shards where table_name = 'merchants'::regclass order by shardid limit 1) s,
      lateral (select n.nodeport as port from pg_dist_node n where n.nodeport <> s.nodeport and n.groupid > 0) other`);
  } finally {
    await session.end();
  }
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
      merchants.push(await gateway.merchant({ settings: { 'approval_above.UAH': '500' } }));
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
    await step('card payments on the form', async () => {
      for (const merchant of merchants) await payOnForm(cards, stage, merchant, 'C1');
      return `${merchants.length} paid`;
    });
    await step('reconciliation of payouts', async () => {
      const { reconciliation } = gateway.operations;
      for (const rail of reconciliation.rails) await reconciliation.run(rail, utcDayOf(systemClock.now()));
      return reconciliation.rails.join(', ');
    });
    await step('verify', () => gateway.verify().then(() => 'all invariants hold'));
    await step('commands', () => runCommands(servers));
    const places = await placesOf(servers);
    for (let round = 0; round < Number(rounds); round++)
      await step(`loss and return ${round + 1}`, () => loseWorker(servers, stage, merchants, places, round, cards));
    await step('rebalance', async () => {
      await moveShard(servers);
      const { accepted, of } = await payOut(merchants, 'moved');
      assert.equal(accepted.length, of);
      await allEnd(accepted, stage);
      return `a shard moved, and ${of} payouts ended`;
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
