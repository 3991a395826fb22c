/**
 * A merchant's month in a sandbox world, only over HTTP, while the time of a second world and of a live gateway follows the
 * machine's clock.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { commandOf } from '../../gateway/generators/pages.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../gateway/src/foundation/clock.ts';
import type { WorldServer } from '../../gateway/src/main/sandbox/sandbox-parts.ts';
import { startSpeiStage } from '../../gateway/test/support/deposits/spei-stage.ts';
import { createFormPayer } from '../../gateway/test/support/form/form-payer.ts';
import { runCommand } from '../../gateway/test/support/gateway/run-command.ts';
import {
  createTestMerchant,
  signedForm,
  type TestMerchant,
} from '../../gateway/test/support/merchants/test-merchant.ts';
import { fullySigned, post, xSignHeaders } from '../../gateway/test/support/payouts/payout-request.ts';
import { createTestDatabase, type TestDatabase } from '../../gateway/test/support/postgres/postgres.ts';
import {
  assertGenuine,
  type CallbackReceiver,
  startCallbackReceiver,
} from '../../gateway/test/support/servers/callback-receiver.ts';
import { until } from '../../gateway/test/support/tools/until.ts';
import { isForThisMachine, openSandbox, type Sandbox } from '../src/worlds.ts';

let receiver: CallbackReceiver;
let sandbox: Sandbox;
/** A world whose time goes on as the machine's does. */
let other: Shop;
let dataDir: string;
const logged: string[] = [];
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'worlds-'));
  receiver = await startCallbackReceiver();
  sandbox = await openSandbox(
    { dataDir, host: '127.0.0.1', port: 0, publicUrl: null, log: (line) => logged.push(line) },
    serverOfTests(),
  );
  other = await openShop('OTHER', null);
});
after(async () => {
  await sandbox.close();
  await receiver.close();
  await rm(dataDir, { recursive: true });
});

/** Worlds on the run's PostgreSQL. */
function serverOfTests(): WorldServer {
  const databases = new Map<string, TestDatabase>();
  const drop = async (world: string) => {
    await databases.get(world)?.close();
    databases.delete(world);
  };
  return {
    async open(world) {
      const database = databases.get(world) ?? (await createTestDatabase());
      databases.set(world, database);
      return database.connectionString;
    },
    drop,
    close: async () => void (await Promise.all([...databases.keys()].map(drop))),
  };
}

interface Shop {
  readonly merchant: TestMerchant;
  order(
    order: object,
    key?: string,
  ): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>;
  /** Runs a command of a page with the merchant's own values, and returns its JSON. */
  command(
    words: string,
    shown?: Readonly<Record<string, string>>,
    page?: string,
  ): Promise<Readonly<Record<string, unknown>>>;
  advance(ms: number): Promise<void>;
  reset(): Promise<Readonly<Record<string, unknown>>>;
  now(): number;
}

async function openShop(merchantId: string, seed: string | null): Promise<Shop> {
  const keys = await sandbox.open(merchantId, seed);
  assert.ok(keys);
  const url = `${sandbox.url}/${merchantId}`;
  const merchant = createTestMerchant(() => url, merchantId, keys.key.reveal(), keys.formKey.reveal());
  const order: Shop['order'] = async (ordered, key = merchant.key) => {
    const body = JSON.stringify(ordered);
    const answer = await fetch(`${url}/sandbox`, {
      method: 'POST',
      body,
      headers: xSignHeaders(merchantId, key, body),
    });
    assert.equal(answer.headers.get('gateway-mode'), 'sandbox');
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
  };
  const must = async (ordered: object) => {
    const { status, body } = await order(ordered);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const keyFile = join(dataDir, `${merchantId}.key`);
  await writeFile(keyFile, merchant.key, { mode: 0o600 });
  const command: Shop['command'] = async (words, shown = {}, page = 'docs/merchant/sandbox.md') => {
    const own = commandOf(page, `sandbox ${words}`, { M1: merchantId, 'sandbox.key': keyFile, ...shown });
    const { stdout, stderr } = await runCommand([...own, '--at', sandbox.url, '--json']);
    assert.equal(stderr, '');
    return JSON.parse(stdout);
  };
  await must({
    sandbox_order: 'addresses',
    processUrl: receiver.url(merchantId),
    eventUrl: receiver.url(merchantId, 'event'),
    successUrl: 'http://127.0.0.1:1/thanks',
    failUrl: 'http://127.0.0.1:1/sorry',
  });
  return {
    merchant,
    order,
    command,
    advance: async (ms) => assert.deepEqual((await must({ sandbox_order: 'advance', ms }))['broken'], []),
    reset: () => must({ sandbox_order: 'reset' }),
    now: () => sandbox.world(merchantId)?.clock.now() ?? 0,
  };
}

const SHOWN_PAYMENT = '{"clabe": "646180499000000017", "amount": "100.00"}';
const PAYER = { user_id: 'u1', first_name: 'Ana', last_name: 'Ruiz' };

/** A day costs a second of a busy machine. */
const DAYS = process.env['TEST_FULL'] ? 30 : 6;

/** Everything that the merchant sees in that many days, in the order in which it happened. The sixth day begins with a chargeback. */
async function live({ merchant, command, advance, now }: Shop, days: number) {
  const { id } = merchant;
  const start = now();
  const seen: string[] = [];
  let isShopOpen = true;
  const nameOf = (fields: Readonly<Record<string, string>>) =>
    `${fields['type'] ?? fields['status'] ?? fields['co_inv_st']} ${fields['payout_id'] ?? fields['co_order_no'] ?? fields['order']}`;
  receiver.answer(id, (response, arrival) => {
    const { fields } = arrival;
    // A receiver compares the time of the signature with its own clock.
    assertGenuine(arrival, merchant.key);
    const isTaken = isShopOpen || fields['payout_id'] !== 'A5';
    const time = Math.round((now() - start) / MINUTE_MS);
    seen.push(`${time}m ${nameOf(fields)}${isTaken ? '' : ' not acknowledged'}`);
    response.writeHead(isTaken ? 200 : 500).end(isTaken ? 'OK' : 'the shop is closed');
  });
  const status = async (payoutId: string) => (await merchant.status(payoutId))['status'];

  await merchant.pay(70, 'A1', { account: '4111111111111111', currency: 'TST' });
  await merchant.pay(1, 'A2', { amount: '20.00' });
  await merchant.pay(1, 'A3', { amount: '30.41' });
  await merchant.pay(1, 'A4', { amount: '40.60' });
  await merchant.pay(8, 'A6', { amount: '60.00' });
  assert.equal(await status('A6'), 'Pending');

  const paid = await merchant.deposit('N1', PAYER);
  await merchant.deposit('N2', PAYER);
  await command('bank stp pay', { [SHOWN_PAYMENT]: SHOWN_PAYMENT.replace(/\d{18}/, paid.clabe) });

  const payer = createFormPayer(sandbox.url, {});
  const link = { merchant: id, order: 'N3', amount: '25.00', currency: 'EUR', item_name: 'Tea', country: 'DE' };
  const form = await payer.open(
    `/${id}${signedForm({ ...link, payment_type: 'card', email: 'ana@example.com' }, merchant.formKey)}`,
  );
  assert.equal(form.headers.get('gateway-mode'), 'sandbox');
  assert.match(form.text, /No real money moves/);
  const card = { card_number: '4111111111111111', card_expiry: '03/38', card_cvv: '737', card_holder: 'Ana Ruiz' };
  await payer.press(form, 'pay', { ...card, email: 'ana@example.com' });

  await advance(1 * HOUR_MS);
  assert.deepEqual(await Promise.all(['A2', 'A3', 'A4', 'A6'].map(status)), [
    'Success',
    'Blocked',
    'Success',
    'Success',
  ]);

  isShopOpen = false;
  await merchant.pay(1, 'A5', { amount: '50.00' });
  await advance(3 * DAY_MS - HOUR_MS);
  isShopOpen = true;
  await advance(2 * DAY_MS);
  if (days === 5) return seen;

  const { answer } = await command('bank adyen book');
  const { entries } = answer as { entries: readonly Readonly<Record<string, string>>[] };
  const { reference } = entries.find((entry) => entry['reference'] !== undefined) ?? {};
  await command('bank adyen charge-back', { '{"reference": "…"}': JSON.stringify({ reference }) });
  await advance((days - 5) * DAY_MS);
  assert.ok(Math.abs(now() - start - days * DAY_MS) < SECOND_MS);

  const list = await merchant.list('MXN', { type: 'deposit' });
  const deposits = Object.fromEntries(list.map((entry) => [entry['order_id'], entry['status']]));
  assert.deepEqual(deposits, { N1: 'success', N2: 'fail' });
  return seen;
}

/** A live merchant with an open deposit, and a callback that is due again in an hour. `rows`: everything that their time could change. */
async function openLive() {
  const stage = await startSpeiStage();
  const { gateway, verifyAndStop } = stage;
  const merchant = await gateway.merchant();
  gateway.receiver.answer(merchant.id, (response) => response.writeHead(503, { 'retry-after': '3600' }).end());
  await merchant.deposit('L1', PAYER);
  await merchant.pay(1, 'L2', { amount: '20.00' });
  await merchant.final('L2');
  const { pool } = gateway.database;
  const due = () =>
    pool.query("select due_at from callbacks where attempts = 1 and due_at > now() + interval '50 minutes'");
  await until('the callback waits for its second attempt', async () => (await due()).rowCount === 1);
  const rows = () =>
    Promise.all(
      ['payouts', 'deposits', 'callbacks', 'ledger_transfers'].map(async (table) => {
        const { rows } = await pool.query(`select to_jsonb(t)::text as row from ${table} t order by 1`);
        return rows.map(({ row }) => row);
      }),
    );
  const mode = async () =>
    (await fetch(`${gateway.url}/payment/balance`, { method: 'POST' })).headers.get('gateway-mode');
  return { rows, mode, receiver: gateway.receiver, close: verifyAndStop };
}

describe('a sandbox world', () => {
  it(`${DAYS} days of deposits, payouts, an expiry, a reversal, a chargeback and three days of retries take seconds, and the books balance`, async () => {
    const pending = await other.merchant.deposit('N9', PAYER);
    const shop = await openShop('M-1', 'seed 7');
    // The second life of the full run begins after a reset.
    if (process.env['TEST_FULL']) await shop.reset();
    const gateway = await openLive();
    const before = await gateway.rows();
    const first = await live(shop, DAYS).finally(async () => {
      // No deposit of a live merchant expired, and no callback of theirs came again.
      assert.deepEqual(await gateway.rows(), before);
      assert.deepEqual([await gateway.mode(), gateway.receiver.arrivals.length], ['live', 1]);
      await gateway.close();
    });

    const ofRetries = first.filter((line) => line.endsWith('Success A5 not acknowledged'));
    assert.ok(ofRetries.length >= 12, first.join('\n'));
    const minutes = ofRetries.map((line) => Number.parseInt(line, 10));
    assert.deepEqual(
      minutes,
      minutes.toSorted((a, b) => a - b),
    );
    assert.ok((minutes.at(-1) ?? 0) - (minutes[0] ?? 0) > 40 * 60);
    assert.equal(first.filter((line) => / Success A5$/.test(line)).length, 1);
    for (const happened of [
      'Success A1',
      'Success A2',
      'success N1',
      'payout.reversed A4',
      'fail N2',
      'success N3',
      'deposit.charged_back N3',
    ])
      assert.equal(first.filter((line) => line.endsWith(happened)).length, 1, `${happened}:\n${first.join('\n')}`);

    // The other world did not move, and nothing of it expired.
    assert.ok(Math.abs(other.now() - Date.now()) < SECOND_MS);
    assert.equal((await other.merchant.list('MXN', { type: 'deposit' }))[0]?.['status'], 'pending');
    assert.ok(pending.clabe);

    const reset = await shop.reset();
    assert.deepEqual([reset['now'], reset['seed']], ['2030-01-07 09:00:00', 'seed 7']);
    assert.deepEqual(await shop.merchant.list('TST'), []);
    // The full run alone lives twice.
    if (!process.env['TEST_FULL']) return;
    const again = await live(shop, 5);
    assert.ok(again.length > 15);
    assert.deepEqual(again, first.slice(0, again.length));
  });

  it('a sandbox world accepts only its merchant’s key and keeps its settings over a reset', async () => {
    const shop = await openShop('M-2', null);
    const refused = await shop.order({ sandbox_order: 'advance', ms: DAY_MS }, 'another key');
    assert.equal(refused.status, 401);
    assert.ok(Math.abs(shop.now() - Date.now()) < SECOND_MS);
    assert.match(shop.merchant.key, /^SANDBOX/);
    assert.equal((await shop.order({ sandbox_order: 'advance', ms: 0 })).status, 400);
    assert.equal((await shop.order({ sandbox_order: 'delete' })).status, 400);
    const payLater = async (payoutId: string) => {
      const paid = await shop.merchant.pay(70, payoutId, { account: '4111111111111111', currency: 'TST' });
      return paid['status'];
    };
    assert.equal((await shop.order({ sandbox_order: 'addresses', settings: { sandbox_mode: 'later' } })).status, 400);
    assert.equal((await shop.order({ sandbox_order: 'addresses', settings: { sandbox_mode: 'delayed' } })).status, 200);
    assert.equal(await payLater('S1'), 'Pending');
    const { now } = await shop.command('reset');
    assert.equal(await payLater('S1'), 'Pending');
    const { clabe } = await shop.merchant.deposit('N1', PAYER);
    const callbacks = { 'http://127.0.0.1:9000/callbacks': receiver.url('M-2') };
    await shop.command('addresses', callbacks);
    for (const language of ['typescript', 'python', 'php']) {
      const page = `sdk/${language}/README.md`;
      await shop.command('addresses', callbacks, page);
      const shown = SHOWN_PAYMENT.replace(/\d{18}/, '646180499000000005');
      await shop.command('bank stp pay', { [shown]: shown.replace(/\d{18}/, clabe) }, page);
    }
    const wrong = { [SHOWN_PAYMENT]: SHOWN_PAYMENT.replace(/\d{18}/, '1') };
    await assert.rejects(shop.command('bank stp pay', wrong), /rejected the order: .*the 18 digits of a CLABE/);
    const advanced = await shop.command('advance', { 3: '2', days: 'minutes' });
    assert.ok(Date.parse(`${advanced['now']}`) - Date.parse(`${now}`) >= 2 * MINUTE_MS);
    assert.deepEqual((await shop.command('state'))['broken'], []);
    // A signed request for a deposit, whose order has the name of an order to the sandbox.
    assert.equal((await shop.order({ order: 'reset', amount: '1.00', currency: 'MXN' })).status, 400);
    const orders = [{ sandbox_order: 'reset' }, { sandbox_order: 'reset' }, { sandbox_order: 'advance', ms: 1_000 }];
    const answers = await Promise.all(orders.map((each) => shop.order(each)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
      'one order waits for the other',
    );
  });

  it('a sandbox world exposes no path of its management listener except the reference', async () => {
    const statusOf = async (path: string) => {
      const { port } = new URL(sandbox.url);
      const [answer] = (await once(request({ port, path: `/${other.merchant.id}${path}` }).end(), 'response')) as [
        IncomingMessage,
      ];
      answer.resume();
      return answer.statusCode;
    };
    assert.equal(await statusOf('/docs'), 200);
    for (const path of ['/manage/v1/session', '/docs/../manage/v1/session', '/docs/%2e%2e/manage/v1/session'])
      assert.equal(await statusOf(path), 404, path);
  });

  it('a sandbox with a public listener sends callbacks to public addresses only', () => {
    assert.equal(isForThisMachine('127.0.0.1', null), true);
    assert.equal(isForThisMachine('::1', 'http://localhost:8095'), true);
    assert.equal(isForThisMachine('0.0.0.0', null), false);
    assert.equal(isForThisMachine('127.0.0.1', 'https://sandbox.example'), false);
  });

  it('a sandbox world’s reference shows the merchant’s key only to its holder, in requests that the world accepts', async () => {
    const { id, key } = other.merchant;
    const read = (path: string, password?: string) => {
      const basic = `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`;
      return fetch(`${sandbox.url}/${id}${path}`, { headers: password === undefined ? {} : { authorization: basic } });
    };
    for (const [path, password, status] of [
      ['/docs', undefined, 200],
      ['/docs?mine', undefined, 401],
      ['/docs?mine', `${key}x`, 401],
    ] as const) {
      const page = await read(path, password);
      assert.equal(page.status, status);
      assert.ok(!(await page.text()).includes(key));
    }
    assert.equal((await read('/docs/style.css')).status, 200);
    const own = (await (await read('/docs?mine', key)).text()).replaceAll('&quot;', '"');
    assert.ok(own.includes(`Your API key in this sandbox</dt><dd><code>${key}</code>`));
    const bodyAfter = (word: string) => /<pre tabindex="0"><code>([^<]*)/.exec(own.slice(own.indexOf(word)))?.[1] ?? '';
    const paid = await post(`${sandbox.url}/${id}/merchant/api/payout_send`, JSON.parse(bodyAfter('id="sendPayout"')));
    assert.match(paid.text, /"status":"Success"/);
    const [head = '', body = ''] = bodyAfter('id="createDeposit"').trim().split('\n\n');
    const headers = Object.fromEntries(head.split('\n').map((line) => line.split(': ') as [string, string]));
    const path = `${sandbox.url}/${id}/api/v2/spei/host2host/create`;
    const made = await fetch(path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    assert.match(await made.text(), /"clabe":"\d{18}"/);
  });

  it('a sandbox world reports the mistake in an invalid signature in a header, and does not show a key', async () => {
    const { id, key } = other.merchant;
    const fields = { merchant: id, payout_id: 'A17' };
    const sign = createHash('md5').update(`${id}:A17:${key}`).digest('hex');
    const wrong = await post(`${sandbox.url}/${id}/merchant/api/payout_status`, { ...fields, sign });
    assert.match(wrong.headers.get('signature-mistake') ?? '', /^hex_not_base64: /);
    assert.ok(![...wrong.headers].some(([, value]) => value.includes(key)));
    const right = await post(`${sandbox.url}/${id}/merchant/api/payout_status`, fullySigned(fields, key));
    assert.deepEqual([right.status, right.headers.get('signature-mistake')], [200, null]);
  });
});
