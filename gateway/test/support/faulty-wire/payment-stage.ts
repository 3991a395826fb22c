/**
 * A complete gateway with every form provider, each behind a faulty wire, and payers who pay, return or leave. Afterwards the
 * money that the gateway recorded must equal the money that the provider charged, or an operator must see the difference.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DepositRecord } from '../../../src/domain/payments/deposit-record-store.ts';
import { SECOND_MS } from '../../../src/foundation/clock.ts';
import { CARDS } from '../../../src/rails/adyen/form-provider-under-test.ts';
import { createFormPayer } from '../form/form-payer.ts';
import { createFormVisit, type PaymentVisit } from '../form-providers/form-visit.ts';
import { PENDING_CARD, PENDING_REFUSED_CARD } from '../form-providers/provider-endings.ts';
import { FORM_PACE, type Providers, startProviders } from '../form-providers/provider-stage.ts';
import { PROVIDERS, RAIL_NAMES, type RailName } from '../form-providers/providers.ts';
import { freePort, startGateway } from '../gateway/running-gateway.ts';
import { daysSince } from '../rails/payout-trial.ts';
import type { Choices } from '../tools/seeded.ts';
import { until } from '../tools/until.ts';
import { createWokenClock } from '../tools/woken-clock.ts';
import { isPaid, lifeOf } from './paid-record.ts';
import { openWires } from './wired.ts';

interface WiredVisit extends PaymentVisit {
  readonly rail: RailName;
}

const PACE = { ...FORM_PACE, payment: { ...FORM_PACE.payment, timeoutMs: 1_500 } } as const;
const EXPIRE_EVERY_MS = 10 * SECOND_MS;
const ACTS_WITHIN_MS = 1_500;
const TROUBLE_FOR_MS = process.env['TEST_FULL'] ? 3_000 : 1_000;
const ENDS_WITHIN_MS = 120_000;
/** A provider repeats a lost notification for the sixth time after half a minute, and then every minute. */
const AGREES_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 100;
const CHARGE = 1_050n;
const REFUND = '5.00';
/** Undefined stands for a card whose bank challenges the payer. */
const CARDS_USED: readonly (string | undefined)[] = [PENDING_CARD, PENDING_REFUSED_CARD, CARDS.plain, undefined];

export type WiredPayments = Awaited<ReturnType<typeof openWiredPayments>>;

export async function openWiredPayments(choices: Choices) {
  const parts = await startEverything(choices);
  const { gateway, wires, providers, clock, folder } = parts;
  let payments = 0;
  return {
    gateway,
    wires,
    rails: RAIL_NAMES,
    async visit(rail: RailName): Promise<WiredVisit> {
      const { paymentType, currency } = PROVIDERS[rail];
      const settings = { [`fee_fixed.${paymentType}.${currency}`]: '0.50' };
      const merchant = await gateway.merchant({ funds: {}, settings });
      const place = { gateway, provider: providers[rail], row: PROVIDERS[rail], calls: [] };
      const payer = createFormPayer(gateway.url, {});
      const expire = () => clock.wake(EXPIRE_EVERY_MS);
      const visit = await createFormVisit({ ...place, expire, rail, merchant, payer, order: `F${++payments}` });
      return { ...visit, rail };
    },
    pay: (visit: WiredVisit) => pay(parts, visit),
    judge: (visits: readonly WiredVisit[]) => judgeAll(parts, visits),
    /** Refunds a part of each credited payment, except at VoPay, where a payer must deposit the refund. */
    async refund(visits: readonly WiredVisit[]): Promise<readonly WiredVisit[]> {
      const refundable = visits.filter(({ rail }) => rail !== 'vopay');
      const reasons = await Promise.all(refundable.map((visit) => visit.refund(REFUND)));
      return refundable.filter((_, index) => reasons[index] === '');
    },
    judgeRefunds: (visits: readonly WiredVisit[]) => judgeRefunds(parts, visits),
    /** Returns the state of the visit's only refund, and the later reports about it. */
    async refundOf(visit: WiredVisit): Promise<string> {
      const [refund] = (await recordOf(parts, visit))?.refunds ?? [];
      const found = refund && (await gateway.operations.payouts.find(refund.payout));
      return [found?.payout.state, ...(found?.adjustments ?? []).map(({ kind }) => kind)].join(' ');
    },
    reconcile: () => reconcile(parts),
    async close() {
      await gateway.verifyAndStop().finally(async () => {
        await Promise.all(Object.values(providers).map((provider) => provider.close()));
        await wires.close();
        await rm(folder, { recursive: true, force: true });
      });
    },
  };
}

type Parts = Awaited<ReturnType<typeof startEverything>>;

async function startEverything(choices: Choices) {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-wired-payments-'));
  const port = await freePort();
  const wires = await openWires(`http://127.0.0.1:${port}`, choices);
  const providers: Providers = await startProviders(wires.notificationsUrl, folder);
  const variables = await Promise.all(
    RAIL_NAMES.map((rail) => wires.beforeAll(rail, providers[rail].variables, join(folder, rail))),
  );
  const clock = createWokenClock();
  const openedAt = Date.now();
  const gateway = await startGateway({
    clock,
    withoutBank: true,
    pace: PACE,
    variables: { ...Object.assign({}, ...variables), PORT: String(port), PUBLIC_URL: wires.notificationsUrl },
  });
  await until('the bank list has entries', async () => {
    const answer = await fetch(`${gateway.url}/api/v2/open-banking/banks?country=FI`);
    return (await answer.text()).includes('nordlys');
  });
  return { gateway, wires, providers, clock, folder, choices, openedAt };
}

/** The payer proceeds as far as the page and the provider allow. Some leave before they pay. */
async function pay({ providers, choices }: Parts, visit: WiredVisit): Promise<void> {
  await visit.submit(visit.rail === 'adyen' ? choices.oneOf(CARDS_USED) : undefined).catch(() => {});
  const attempt = (await visit.attempts()).at(-1);
  if (!attempt || choices.between(1, 6) === 1) return;
  // Trustly's page exists only inside the gateway's page. No one can pay on a page whose URL was lost.
  if (visit.rail === 'trustly' && attempt.state !== 'acting') return;
  if ((await providers[visit.rail].story(attempt)).length === 0) return;
  await Promise.race([visit.act().catch(() => {}), sleep(ACTS_WITHIN_MS)]);
}

const recordOf = ({ gateway }: Parts, { merchant, order }: WiredVisit) =>
  gateway.operations.deposits.find(merchant.id, order);

async function isOver(parts: Parts, visit: WiredVisit): Promise<boolean> {
  const record = await recordOf(parts, visit);
  if (!record) return true;
  const { deposit, attempts } = record;
  return deposit.state !== 'pending' && attempts.every(({ state }) => state === 'paid' || state === 'refused');
}

async function judgeAll(parts: Parts, visits: readonly WiredVisit[]): Promise<void> {
  const { gateway, wires } = parts;
  const areOver = async () => (await Promise.all(visits.map((visit) => isOver(parts, visit)))).every(Boolean);
  const settle = async () => {
    for (let left = TROUBLE_FOR_MS; left > 0 && !(await areOver()); left -= LOOK_EVERY_MS) await sleep(LOOK_EVERY_MS);
  };
  await settle();
  await wires.calm();
  await settle();
  await Promise.all(visits.map((visit) => untilOver(parts, visit)));
  for (const visit of visits) await judge(parts, visit);
  wires.assertAnswersProper();
  await gateway.verify();
}

/**
 * Expires a payer who never paid. The gateway queries Trustly for days after that, so its payment may stay open, but the money
 * of each charge must be recorded by then.
 */
async function untilOver(parts: Parts, visit: WiredVisit): Promise<void> {
  if (await isOver(parts, visit)) return;
  await visit.ageBeyondValidity();
  for (let left = TROUBLE_FOR_MS; left > 0 && !(await isOver(parts, visit)); left -= LOOK_EVERY_MS) {
    parts.clock.wake(EXPIRE_EVERY_MS);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Waits until both sides agree, because a provider repeats a lost notification only after a pause. */
async function judge(parts: Parts, visit: WiredVisit): Promise<void> {
  const compare = async () => {
    const record = await recordOf(parts, visit);
    if (!record) return;
    const { deposit, attempts, transfers, adjustments } = record;
    const charges = await Promise.all(attempts.map((attempt) => parts.providers[visit.rail].charges(attempt)));
    const charged = charges.reduce((sum, count) => sum + BigInt(count) * CHARGE, 0n);
    const recorded = transfers.reduce((sum, { money }) => sum + money.minor, 0n);
    const words = `${visit.rail} ${visit.order} is ${deposit.state} after ${attempts.map(({ state, detail }) => `${state} ${detail}`)}`;
    const isShown = adjustments.length > 0 || (await isOpen(parts, visit, record));
    assert.ok(charged === recorded || isShown, `${words}: ${recorded} recorded, ${charged} charged`);
  };
  await untilAgreed(compare);
}

async function untilAgreed(compare: () => Promise<void>): Promise<void> {
  const agrees = () =>
    compare().then(
      () => true,
      () => false,
    );
  await until('both sides agree', agrees, AGREES_WITHIN_MS).catch(compare);
}

/** True if the operator has an open difference about the payment or about a refund of it. */
async function isOpen(parts: Parts, { rail }: WiredVisit, { deposit, refunds }: DepositRecord): Promise<boolean> {
  const query = { rail, day: null, kind: null, openOnly: true } as const;
  const own = new Set(refunds.map(({ payout }) => payout.payoutId));
  return (await parts.gateway.operations.differences.list(query)).some(
    ({ merchantId, transactionId, payoutId }) =>
      transactionId === deposit.transactionId || (merchantId === deposit.merchantId && own.has(payoutId ?? '')),
  );
}

/** Compares refunds with the provider as the nightly reconciliation does, if the rail supports it. */
async function reconcile({ gateway, openedAt }: Parts): Promise<void> {
  const { rails, run } = gateway.operations.reconciliation;
  for (const rail of rails) for (const day of daysSince(openedAt)) await run(rail, day);
}

async function judgeRefunds(parts: Parts, visits: readonly WiredVisit[]): Promise<void> {
  const refundsOf = async (visit: WiredVisit) => (await recordOf(parts, visit))?.refunds ?? [];
  await sleep(TROUBLE_FOR_MS);
  await parts.wires.calm();
  for (const visit of visits) {
    const areOver = async () => (await refundsOf(visit)).every(({ payout }) => payout.state !== 'pending');
    await until(`the refund of ${visit.rail} ${visit.order} is over`, areOver, ENDS_WITHIN_MS).catch(
      async (error: Error) => {
        const [refund] = await refundsOf(visit);
        const shown = refund && (await parts.gateway.operations.payouts.find(refund.payout));
        throw new Error(`${error.message}: ${JSON.stringify([shown?.attempts, shown?.job])}`);
      },
    );
  }
  await sleep(TROUBLE_FOR_MS);
  await reconcile(parts);
  for (const visit of visits) await untilAgreed(() => judgeRefund(parts, visit));
  parts.wires.assertAnswersProper();
  await parts.gateway.verify();
}

async function judgeRefund(parts: Parts, visit: WiredVisit): Promise<void> {
  const record = await recordOf(parts, visit);
  assert.ok(record);
  const { attempts, refunds, adjustments } = record;
  const counts = await Promise.all(attempts.map((attempt) => parts.providers[visit.rail].refunds(attempt)));
  const made = counts.reduce((sum, count) => sum + count, 0);
  assert.ok(made <= 1, `${visit.rail} refunded ${visit.order} ${made} times`);
  const found = await Promise.all(refunds.map(({ payout }) => parts.gateway.operations.payouts.find(payout)));
  const records = found.filter((each) => each !== undefined);
  const done = records.filter(isPaid).length;
  const words = `${visit.rail} ${visit.order}: ${records.map(lifeOf)}, ${adjustments.map(({ kind }) => kind)}`;
  const isShown = adjustments.length > 0 || (await isOpen(parts, visit, record));
  assert.ok(done === made || isShown, `${words}, and its provider made ${made}`);
}
