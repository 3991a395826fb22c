/**
 * Sends known card numbers and keys through the gateway, together with failures of every kind. They may appear only encrypted.
 * The test searches the debug log, every table, every response, callback and metric, and the output of the commands.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startAdyenTransfers } from '../../../../rail-simulators/src/adyen-transfers/server.ts';
import { systemClock } from '../../../../rail-simulators/src/clock.ts';
import type { ProviderServer } from '../../../../rail-simulators/src/kernel/start-provider.ts';
import { readSettingsOf } from '../../../../rail-simulators/src/simulators.ts';
import { SCOPE_NAMES } from '../../../contract/permissions.ts';
import { runCommandLine } from '../../../src/cli/run-command-line.ts';
import { systemClock as gatewayClock } from '../../../src/foundation/clock.ts';
import { Secret } from '../../../src/foundation/secret.ts';
import { overHttp } from '../../../src/main/manage-transport.ts';
import { freePort, MASTER_KEY, type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import { signedForm, type TestMerchant } from '../../support/merchants/test-merchant.ts';
import { fullySigned, post, type RequestFields } from '../../support/payouts/payout-request.ts';
import { dumpTables, findSecrets, formsOf } from '../../support/secrets/hiding-places.ts';
import { until } from '../../support/tools/until.ts';

const SECRETS = {
  'card of 16 digits': '4929420573595709',
  'card of 19 digits': '6304195883207146283',
  'card of customs_card': '5168742231234562',
  'card that is refused': '4716108999716530',
  'expiry date': '11/38',
  'merchant key': 'PlantedKeyOfTheMerchant0123456789',
  'form key': 'PlantedFormKeyOfTheMerchant01234567',
  'rotated key': 'PlantedKeyAfterRotation0123456789',
  'master key': MASTER_KEY,
} as const;

let gateway: RunningGateway;
/** The rail of method 8, which sends the card with its expiry date. */
let adyen: ProviderServer;
let merchant: TestMerchant;
const answers: string[] = [];
const printed: string[] = [];

before(async () => {
  const rail = { timeoutMs: 2_000, notFoundProofMs: 300, askAfterMs: [200, 400] } as const;
  const port = await freePort();
  adyen = await startAdyen(port);
  const variables = { PORT: String(port), ADYEN_TRANSFERS_URL: `${adyen.url}/btl/v4` };
  gateway = await startGateway({ variables, pace: { rail, recordingMs: 2_000 } });
  merchant = await gateway.merchant({ key: SECRETS['merchant key'], formKey: SECRETS['form key'] });
  await fullRun();
});
after(() => gateway.verifyAndStop().finally(() => adyen.close()));

/** Uses the settings of development, except that the book is kept in memory. */
function startAdyen(gatewayPort: number): Promise<ProviderServer> {
  const webhookUrl = `http://127.0.0.1:${gatewayPort}/rail-notifications/adyen-transfers`;
  const { bookPath: _, ...settings } = readSettingsOf('adyenTransfers', { ADYEN_TRANSFERS_PORT: '0' }, '/');
  const delays = { stepMs: 100, returnMs: 100, lateMs: 300, holdMs: 5_000 };
  return startAdyenTransfers({
    ...settings,
    webhookUrl,
    delays,
    host: '127.0.0.1',
    clock: systemClock,
    log: () => {},
  });
}

async function send(body: RequestFields | string, path = '/merchant/api/payout_send'): Promise<void> {
  answers.push((await post(gateway.url + path, body)).text);
}

/** Produces every outcome of a payout, with the secrets in the requests. */
async function fullRun(): Promise<void> {
  const card = SECRETS['card of 16 digits'];
  const long = SECRETS['card of 19 digits'];
  const pay = (method: number, id: string, change: RequestFields) => send(merchant.request(method, id, change));
  for (const cents of ['00', '40', '41', '44', '45', '50', '51', '52', '60', '61', '62']) {
    await pay(1, `run-${cents}`, { account: card, amount: `10.${cents}` });
  }
  await pay(1, 'long', { account: long });
  await pay(8, 'expiry', { account: card, exp_date: SECRETS['expiry date'] });
  await pay(34, 'customs', { customs_card: SECRETS['card of customs_card'] });
  await pay(70, 'sandbox', { account: SECRETS['card that is refused'] });
  await refusals(card);
  await gateway.bank.faults({ down: true });
  await pay(1, 'down', { account: card });
  await until('the bank was unreachable', () => gateway.log.some((line) => line.includes('"answer":"unknown"')));
  gateway.receiver.answer(merchant.id, (response) => response.writeHead(500).end('no'));
  await gateway.bank.faults({ down: false });
  await loseConnections(card);
  await gateway.operations.merchants.rotateKey(merchant.id, { key: new Secret(SECRETS['rotated key']) });
  await until('at most two payouts are pending', async () => (await openPayouts()) <= 2, 30_000);
  await commandLine();
}

async function refusals(card: string): Promise<void> {
  const request = merchant.request(1, 'refused', { account: card });
  await send({ ...request, sign: 'wrong' });
  await send({ ...request, merchant: card });
  await send({ ...request, payout_id: card });
  await send(merchant.request(1, 'refused', { account: `${card} ` }));
  await send(merchant.request(1, 'refused', { account: card, full_name: card }));
  await send(merchant.request(1, 'refused', { account: card, currency: card }));
  await send(merchant.request(22, 'refused', { account: SECRETS['card of 19 digits'] }));
  await send(merchant.request(1, 'run-00', { account: SECRETS['card that is refused'] }));
  await send(fullySigned({ merchant: merchant.id, payout_id: 'none', [card]: 1 }, merchant.key));
  await send(
    fullySigned({ merchant: merchant.id, payout_id: 'none', [card]: 'x' }, merchant.key),
    '/merchant/api/payout_status',
  );
  await send(
    fullySigned({ merchant: merchant.id, payout_id: 'none', [merchant.key]: 'x' }, merchant.key),
    '/payment/balance',
  );
  await send(JSON.stringify(request).slice(0, -1));
  await send(JSON.stringify(request), `/merchant/api/payout_send/${card}`);
  await send(JSON.stringify(request), `/${merchant.key}?account=${card}&key=${merchant.key}`);
  await openForms();
  await send(JSON.stringify(request), '/rail-notifications/wayforpay');
  await send(JSON.stringify(request), `/rail-notifications/${card}`);
  await gateway.operations.merchants.edit(merchant.id, { profile: {}, settings: { reply_wait_ms: '100' } });
}

/** Opens a correctly signed link, a link with a wrong signature and a link that contains the key. */
async function openForms(): Promise<void> {
  const link = { merchant: merchant.id, order: 'N1', amount: '5.00', currency: 'EUR', item_name: 'Tea', country: 'DE' };
  for (const path of [
    signedForm(link, merchant.formKey),
    signedForm(link, merchant.key),
    signedForm({ ...link, [merchant.formKey]: merchant.formKey }, merchant.formKey),
  ])
    answers.push(await (await fetch(gateway.url + path, { redirect: 'manual' })).text());
}

/** Closes connections during commits, because errors of the database contain parameters and reach the log. */
async function loseConnections(card: string): Promise<void> {
  gateway.database.pool.on('error', () => undefined);
  const sending = Array.from({ length: 20 }, (_, index) =>
    send(merchant.request(1, `lost-${index}`, { account: card })),
  );
  for (let round = 0; round < 5; round++) {
    await gateway.database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query not like '%pg_terminate_backend%'`);
  }
  await Promise.all(sending);
  // Violates a constraint: PostgreSQL includes the entire row in the error detail.
  await gateway.database.pool.query(
    `alter table payouts add constraint planted check (payout_id <> 'constraint') not valid`,
  );
  await send(merchant.request(1, 'constraint', { account: card }));
}

async function openPayouts(): Promise<number> {
  const { rows } = await gateway.database.pool.query(
    `select count(*)::int as open from payouts where state = 'pending'`,
  );
  return rows[0].open;
}

async function commandLine(): Promise<void> {
  const commands = [
    ['merchant', 'list'],
    ['merchant', 'show', merchant.id],
    ['payout', 'list'],
    ['payout', 'show', merchant.id, 'run-00'],
    ['payout', 'show', merchant.id, 'run-45'],
    ['payout', 'show', merchant.id, 'customs'],
    ['callback', 'list'],
    ['callback', 'show', merchant.id, 'payout_1'],
    ['verify'],
  ];
  const issued = await gateway.operations.tokens.issue({ name: 'r', merchantId: null, scopes: SCOPE_NAMES, days: 1 });
  assert(issued.ok);
  const folder = await mkdtemp(join(tmpdir(), 'token-'));
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, issued.value.secret.reveal(), { mode: 0o600 });
  const transport = await overHttp(gateway.manageUrl, tokenFile);
  await rm(folder, { recursive: true });
  for (const command of commands) {
    for (const format of [[], ['--json']]) {
      await runCommandLine([...command, ...format], {
        open: async () => ({
          api: { ...transport, newKey: randomUUID },
          close: async () => {},
        }),
        serve: async () => 0,
        migrate: async () => ({ applied: [], distributed: [] }),
        version: async () => '',
        examineInstallation: async () => [],
        backups: () => assert.fail('a backup'),
        untilStopSignal: async () => {},
        examineRequest: () => [],
        playReceiver: async () => [],
        deliverSigned: async () => ({ status: null, reply: '', latencyMs: 0, fault: null }),
        orderSandbox: async () => ({}),
        clock: gatewayClock,
        explain: () => undefined,
        stdout: (text) => void printed.push(text),
        stderr: (text) => void printed.push(text),
      });
    }
  }
}

describe('the run with planted secrets', () => {
  it('the run with planted secrets produced every kind of output', () => {
    assert(answers.some((text) => text.includes('"Pending"')));
    assert(answers.some((text) => text.includes('Sign error')));
    assert(answers.includes(''), 'an empty 500');
    const events = new Set(gateway.log.map((line) => JSON.parse(line).event));
    for (const event of [
      'request_failed',
      'database_connection_lost',
      'payout_rejected',
      'rail_called',
      'callback_attempted',
    ]) {
      assert(events.has(event), event);
    }
    assert(printed.join('').includes('492942'), 'the output shows the masked card');
  });

  it('the search for secrets finds each encoded form of a planted secret', () => {
    const secret = SECRETS['card of 16 digits'];
    for (const [name, form] of formsOf(secret)) assert(findSecrets(`..${form}..`, SECRETS).length > 0, name);
    for (let shift = 0; shift < 6; shift++) {
      const hidden = Buffer.from(`${'z'.repeat(shift)}${secret}zzz`).toString('base64');
      assert(findSecrets(hidden, SECRETS).length > 0, hidden);
    }
  });
});

describe('planted secrets', () => {
  it('no line of the log contains a planted secret', () => {
    for (const line of gateway.log) assert.deepEqual(findSecrets(line, SECRETS), [], line);
  });

  it('no column of any table contains a planted secret', async () => {
    const dumps = await dumpTables(gateway.database.pool);
    assert((dumps.get('public.vault_records') ?? '').length > 0);
    for (const [table, dump] of dumps) {
      const found = findSecrets(dump, withoutShort(SECRETS));
      assert.deepEqual(found, [], table);
    }
  });

  it('no response contains a planted secret', () => {
    for (const text of answers) assert.deepEqual(findSecrets(text, SECRETS), [], text);
  });

  it('no callback and no event contains a planted secret', () => {
    assert(gateway.receiver.arrivals.length > 10);
    for (const { body, headers } of gateway.receiver.arrivals) {
      assert.deepEqual(findSecrets(body + JSON.stringify(headers), SECRETS), [], body);
    }
  });

  it('the metrics contain no planted secret', async () => {
    const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
    assert(metrics.length > 1_000);
    assert.deepEqual(findSecrets(metrics, SECRETS), []);
  });

  it('the command line does not print any planted secret', () => {
    assert.deepEqual(findSecrets(printed.join(''), SECRETS), []);
  });

  it('the vault does not contain a readable secret, and wraps one data key per record', async () => {
    const { rows } = await gateway.database.pool.query('select ciphertext, wrapped_key from vault_records');
    const bytes = rows.map(
      ({ ciphertext, wrapped_key }) => `${ciphertext.toString('latin1')}${wrapped_key.toString('latin1')}`,
    );
    assert.deepEqual(findSecrets(bytes.join('\n'), withoutShort(SECRETS)), []);
    assert.equal(
      new Set(rows.map(({ wrapped_key }) => wrapped_key.toString('hex'))).size,
      rows.length,
      'each record has its own key',
    );
  });
});

/** Omits short secrets, because random bytes can contain any five characters. */
function withoutShort(secrets: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).filter(([, secret]) => secret.length > 10));
}
