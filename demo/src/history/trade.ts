/** What the merchants of the history do: pay, take deposits, and make the mistakes that a person then has to settle. */
import { MINUTE_MS } from '../../../gateway/src/foundation/clock.ts';
import type { Gateway } from '../../../gateway/src/main/compose/compose.ts';
import { transferNotice } from '../deposit-example.ts';
import { xSign } from '../merchant-signatures.ts';
import { payoutRequest, type Sender } from '../payout-examples.ts';
import { amountLike, oneOf, orderPayout } from './orders.ts';
import type { HistoryReceiver } from './receiver.ts';
import type { Scene } from './scene.ts';

export interface Trade {
  /** Some payouts at once, and perhaps a deposit. */
  burst(): Promise<void>;
  /** Compares a day with the books of each bank. */
  compare(day: string): Promise<void>;
  beginToFail(): void;
  /** What waits for a person at the end. */
  finish(): Promise<void>;
  payments(): number;
}

const FUNDED = ['AZN', 'CAD', 'EUR', 'INR', 'KZT', 'MXN', 'UAH', 'USD'] as const;
/** Minor units. */
const FUNDS = 20_000_000n;
const AT_ONCE = 3;
const DEPOSIT_SHARE = 0.6;
/** The settings that make payouts wait for an approval. */
const APPROVAL = { 'approval_above.EUR': '500.00' };
const FAILING = 'Nova Travel';

/** The demo merchant does most of the trade, and its callbacks are accepted here meanwhile. */
export async function createTrade(scene: Scene, demo: Sender, receiver: HistoryReceiver): Promise<Trade> {
  const { operations } = scene.gateway;
  const own = await operations.merchants.edit(demo.merchantId, {
    profile: { processUrl: `${receiver.url}/shop` },
    settings: APPROVAL,
  });
  if (!own.ok) throw new Error(`the history: ${JSON.stringify(own.error)}`);
  const others = [
    await openMerchant(operations, demo.url, 'Nordic Books', `${receiver.url}/books`),
    await openMerchant(operations, demo.url, FAILING, `${receiver.url}/travel`),
  ];
  for (const { merchantId } of [demo, ...others]) await fund(operations, merchantId);
  const senders = [demo, demo, demo, ...others];
  const executed: string[] = [];
  let payments = 0;
  const pay = async (sender: Sender, order = orderPayout(scene.random)): Promise<string> => {
    const payoutId = `A-${20_000 + ++payments}`;
    await post(payoutRequest(sender, order, payoutId));
    if (sender === demo) executed.push(payoutId);
    return payoutId;
  };
  const deposit = async (sender: Sender, share = 1): Promise<void> => {
    const amount = amountLike('250.00', scene.random);
    const order = `O-${40_000 + ++payments}`;
    const clabe = await openDeposit(sender, order, amount);
    await scene.pass(30_000 + scene.random.fraction() * 600_000);
    const paid = { clabe, amount: (Number(amount) * share).toFixed(2), order, at: scene.clock.now() };
    if (share > 0) await post(transferNotice(sender.url, scene.gateway.core.config.rails, paid));
  };
  return {
    payments: () => payments,
    async burst() {
      await Promise.all(Array.from({ length: AT_ONCE }, () => pay(oneOf(senders, scene.random))));
      // One payer in ten never pays.
      if (scene.random.fraction() < DEPOSIT_SHARE)
        await deposit(oneOf(senders, scene.random), scene.random.fraction() < 0.1 ? 0 : 1);
    },
    async compare(day) {
      await Promise.all(operations.reconciliation.rails.map((rail) => operations.reconciliation.run(rail, day)));
    },
    beginToFail: () => receiver.fail('/travel'),
    async finish() {
      await untilSettled(scene);
      await reverseOne(scene, demo.merchantId, executed.slice(-40));
      await deposit(demo, 0.8);
      await deposit(demo, 1.2);
      for (const amount of ['1250.00', '640.00'])
        await pay(demo, { ...orderPayout(scene.random), ...TO_APPROVE, amount });
      const travel = others[1] ?? demo;
      await operations.pauses.pause('merchant', travel.merchantId, 'its papers are being checked (demo)');
      await scene.pass(60_000);
      for (let count = 0; count < 3; count++) await pay(travel);
      await scene.pass(60_000);
    },
  };
}

/** Banks that were silent are asked at intervals. What they still owe an answer after these looks stays pending. */
async function untilSettled({ gateway, pass }: Scene): Promise<void> {
  for (let look = 0; look < 12; look++) {
    if ((await gateway.operations.queues()).payoutStages.length === 0) return;
    await pass(8 * MINUTE_MS);
  }
}

const TO_APPROVE = {
  ...{ title: 'an invoice', method: 9, currency: 'EUR' },
  fields: { account: '5555555555554444', full_name: 'Weber Druck GmbH' },
};

type Operations = Gateway['operations'];

async function openMerchant(operations: Operations, url: string, name: string, processUrl: string): Promise<Sender> {
  const created = await operations.merchants.create({ profile: { name, processUrl }, settings: {} });
  if (!created.ok) throw new Error(`the history: ${JSON.stringify(created.error)}`);
  return { url, merchantId: created.value.merchant.merchantId, key: created.value.key.reveal() };
}

async function fund(operations: Operations, merchantId: string): Promise<void> {
  for (const currency of FUNDED) {
    const money = { currency, minor: FUNDS };
    const moved = await operations.moveFunds('credit', merchantId, money, `history-${currency}`, 'money for the demo');
    if (!moved.ok) throw new Error(`the history: ${moved.error.kind}`);
  }
}

/** A bank takes one payout back, a day after it had executed it. */
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

async function openDeposit({ url, merchantId, key }: Sender, order: string, amount: string): Promise<string> {
  const payer = { user_id: `customer-${order}`, first_name: 'Ana', last_name: 'Lopez' };
  const body = JSON.stringify({ order, amount, currency: 'MXN', ...payer });
  const headers = { 'content-type': 'application/json', 'x-merchant': merchantId, 'x-sign': xSign(body, key) };
  const answer = await fetch(`${url}/api/v2/spei/host2host/create`, { method: 'POST', headers, body });
  const text = await answer.text();
  const clabe = /\d{18}/.exec(text)?.[0];
  if (!clabe) throw new Error(`the history: a deposit was rejected: ${text}`);
  return clabe;
}

async function post({ url, body }: { url: string; body: Readonly<Record<string, string>> }): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok || text.includes('"Error"')) throw new Error(`the history: ${answer.status} ${text}`);
}
