/** The trade of the history's merchants: payouts, deposits, and mistakes that a user must resolve. */
import { MINUTE_MS } from '../../../gateway/src/foundation/clock.ts';
import type { Gateway } from '../../../gateway/src/main/compose/compose.ts';
import { transferNotice } from '../deposit-example.ts';
import { xSign } from '../merchant-signatures.ts';
import { payoutRequest, type Sender, type SignedRequest } from '../payout-examples.ts';
import type { ShopSender } from '../shop/form-link.ts';
import { type CardTrade, createCardTrade } from './card-trade.ts';
import type { Scene } from './history-gateway.ts';
import { amountLike, oneOf, orderPayout } from './orders.ts';
import type { HistoryReceiver } from './receiver.ts';

export interface Trade extends Pick<CardTrade, 'chargeBack' | 'refundOne'> {
  /** Creates several payouts concurrently, and sometimes a deposit and a card payment. */
  burst(isLarge: boolean): Promise<void>;
  /** Compares a day with each bank's book. */
  compare(day: string): Promise<void>;
  /** A bank lists a payout that no merchant ordered. */
  listStranger(): void;
  beginToFail(): void;
  /** Creates the cases that wait for a user at the end. */
  finish(): Promise<void>;
  payments(): number;
}

const JSON_BODY = { 'content-type': 'application/json' };
const FUNDED = ['AZN', 'CAD', 'EUR', 'INR', 'KZT', 'MXN', 'UAH', 'USD'] as const;
/** An amount in minor units. */
const FUNDS = 20_000_000n;
const AT_ONCE = 7;
const DEPOSIT_SHARE = 0.8;
const CARD_SHARE = 0.4;
/** Settings that make payouts wait for approval. */
const APPROVAL = { 'approval_above.EUR': '500.00' };
const FAILING = 'Nova Travel';

/** The demo merchant does most of the trade. This server accepts its callbacks while the history is created. */
export async function createTrade(scene: Scene, demo: Sender & ShopSender, receiver: HistoryReceiver): Promise<Trade> {
  const { random, request, banks } = scene;
  const { operations, core } = scene.gateway;
  const own = await operations.merchants.edit(demo.merchantId, {
    profile: { processUrl: `${receiver.url}/shop` },
    settings: APPROVAL,
  });
  if (!own.ok) throw new Error(`the history: ${JSON.stringify(own.error)}`);
  const others = await Promise.all([
    openMerchant(operations, 'Nordic Books', `${receiver.url}/books`),
    openMerchant(operations, FAILING, `${receiver.url}/travel`),
  ]);
  await Promise.all([demo, ...others].map(({ merchantId }) => fund(operations, merchantId)));
  const senders = [demo, demo, demo, ...others];
  const executed: string[] = [];
  let payments = 0;
  const post = async ({ url, body }: SignedRequest, isRefused = false): Promise<void> => {
    const { status, text } = await request(url, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) });
    if ((status !== 200 || text.includes('"Error"')) !== isRefused)
      throw new Error(`the history: ${url} ${status} ${text}`);
  };
  const pay = async (sender: Sender, order = orderPayout(random)): Promise<void> => {
    const payoutId = `A-${20_000 + ++payments}`;
    await post(payoutRequest(sender, order, payoutId));
    if (sender === demo) executed.push(payoutId);
  };
  /** Resolves to the payer's transfer. */
  const deposit = async (sender: Sender, share = 1): Promise<(() => Promise<void>) | undefined> => {
    const amount = amountLike('250.00', random);
    const order = `O-${40_000 + ++payments}`;
    const clabe = await openDeposit(request, sender, order, amount);
    if (share === 0) return undefined;
    const paid = { clabe, amount: (Number(amount) * share).toFixed(2), order };
    return () => post(transferNotice('', core.config.rails, { ...paid, at: scene.clock.now() }));
  };
  const { charge, chargeBack, refundOne } = createCardTrade(scene, demo, () => `O-${40_000 + ++payments}`);
  return {
    payments: () => payments,
    async burst(isLarge) {
      const payouts = Array.from({ length: isLarge ? AT_ONCE : AT_ONCE - 2 }, () => pay(oneOf(senders, random)));
      // One payer in ten never pays.
      const hasDeposit = random.fraction() < DEPOSIT_SHARE;
      const opened = hasDeposit ? deposit(oneOf(senders, random), random.fraction() < 0.1 ? 0 : 1) : undefined;
      const charged = random.fraction() < CARD_SHARE ? charge() : undefined;
      await Promise.all([...payouts, opened, charged]);
      await scene.pass(30_000 + random.fraction() * 300_000);
      await (await opened)?.();
    },
    async compare(day) {
      const { rails, run } = operations.reconciliation;
      await scene.during(Promise.all(rails.map((rail) => run(rail, day))));
    },
    chargeBack,
    refundOne,
    listStranger: banks.listStranger,
    beginToFail: () => receiver.fail('/travel'),
    async finish() {
      await payBatch(scene, demo.merchantId);
      await untilSettled(scene);
      await reverseOne(scene, demo.merchantId, executed.slice(-40));
      for (const share of [0.8, 1.2]) await (await deposit(demo, share))?.();
      for (const amount of ['1250.00', '640.00']) await pay(demo, { ...orderPayout(random), ...TO_APPROVE, amount });
      await mistakes(post, demo);
      const travel = others[1] ?? demo;
      await operations.pauses.pause('merchant', travel.merchantId, 'its papers are being checked (demo)');
      await scene.pass(60_000);
      for (let count = 0; count < 3; count++) await pay(travel);
      await scene.pass(60_000);
    },
  };
}

/** Requests that the gateway rejects: signed with a wrong key, above the balance, and with an invalid card. */
async function mistakes(post: (request: SignedRequest, isRefused: true) => Promise<void>, demo: Sender): Promise<void> {
  await post(payoutRequest({ ...demo, key: 'yesterday’s key' }, TO_APPROVE, 'A-19001'), true);
  await post(payoutRequest(demo, { ...TO_APPROVE, amount: '900000.00' }, 'A-19002'), true);
  const fields = { ...TO_APPROVE.fields, account: '5555555555554445' };
  await post(payoutRequest(demo, { ...TO_APPROVE, fields }, 'A-19003'), true);
}

const BATCH = [
  'payout_id,method,account,amount,currency,full_name',
  '5555555555554444,180.00,EUR,Marie Dubois',
  '5454545454545454,95.50,EUR,Lukas Weber',
  '5555555555554444,240.00,EUR,Sofia Rossi',
  '5105105105105100,61.20,EUR,Jan Kowalski',
];

/** Uploads a file with a week's salaries. */
async function payBatch({ gateway: { operations }, pass }: Scene, merchantId: string): Promise<void> {
  const rows = BATCH.map((row, index) => (index === 0 ? row : `A-${30_000 + index},9,${row}`));
  const file = Buffer.from(rows.join('\r\n'));
  const key = { merchantId, batchId: 'history-batch-1' };
  const uploaded = await operations.batches.upload({ ...key, name: 'couriers.csv', by: 'the demo', file });
  if (!uploaded.ok) throw new Error(`the history: ${JSON.stringify(uploaded.error)}`);
  for (let look = 0; (await operations.batches.find(key))?.batch.state === 'checking' && look < 20; look++)
    await pass(1_000);
  const actor = { kind: 'emergency', id: 'demo', name: 'the demo' } as const;
  await operations.batches.submit(key, { actor, people: [], mailbox: '', team: null });
  for (let look = 0; look < 5; look++) await pass(2_000);
}

/** The gateway queries silent banks at intervals. Payments without a response after these queries stay pending. */
async function untilSettled({ gateway, pass }: Scene): Promise<void> {
  for (let look = 0; look < 12; look++) {
    if ((await gateway.operations.monitoring.queues()).payoutStages.length === 0) return;
    await pass(8 * MINUTE_MS);
  }
}

const TO_APPROVE = {
  title: 'an invoice',
  method: 9,
  currency: 'EUR',
  amount: '1250.00',
  fields: { account: '5555555555554444', full_name: 'Weber Druck GmbH' },
};

type Operations = Gateway['operations'];

async function openMerchant(operations: Operations, name: string, processUrl: string): Promise<Sender> {
  const created = await operations.merchants.create({ profile: { name, processUrl }, settings: {} });
  if (!created.ok) throw new Error(`the history: ${JSON.stringify(created.error)}`);
  return { url: '', merchantId: created.value.merchant.merchantId, key: created.value.key.reveal() };
}

async function fund(operations: Operations, merchantId: string): Promise<void> {
  const credits = FUNDED.map(async (currency) => {
    const money = { currency, minor: FUNDS };
    const moved = await operations.funds.move('credit', merchantId, money, `history-${currency}`, 'money for the demo');
    if (!moved.ok) throw new Error(`the history: ${moved.error.kind}`);
  });
  await Promise.all(credits);
}

/** A bank reverses a payout a day after it executed it. */
async function reverseOne({ gateway: { operations } }: Scene, merchantId: string, ids: readonly string[]) {
  for (const payoutId of ids) {
    const found = await operations.payouts.find({ merchantId, payoutId });
    if (found?.payout.state !== 'success') continue;
    const evidence = 'letter of the bank about a closed account (demo)';
    const resolution = { outcome: 'reversed', rail: null, blockedReason: null, evidence, by: 'operator' } as const;
    await operations.payouts.resolve({ merchantId, payoutId }, resolution);
    return;
  }
}

async function openDeposit(
  request: Scene['request'],
  { merchantId, key }: Sender,
  order: string,
  amount: string,
): Promise<string> {
  const payer = { user_id: `customer-${order}`, first_name: 'Ana', last_name: 'Lopez' };
  const body = JSON.stringify({ order, amount, currency: 'MXN', ...payer });
  const headers = { 'content-type': 'application/json', 'x-merchant': merchantId, 'x-sign': xSign(body, key) };
  const { text } = await request('/api/v2/spei/host2host/create', { method: 'POST', headers, body });
  const clabe = /\d{18}/.exec(text)?.[0];
  if (!clabe) throw new Error(`the history: a deposit was rejected: ${text}`);
  return clabe;
}
