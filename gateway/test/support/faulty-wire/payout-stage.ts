/**
 * A complete gateway with every payout provider, each behind a faulty wire. Afterwards the state of each payout must match the
 * provider's book, or an operator must see the difference.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeptDifference } from '../../../src/domain/differences/difference.ts';
import type { PayoutRecord } from '../../../src/domain/payouts/payout-record-store.ts';
import { freePort, startGateway } from '../gateway/running-gateway.ts';
import type { TestMerchant } from '../merchants/test-merchant.ts';
import {
  PAYOUT_PROVIDERS,
  PAYOUT_RAIL_NAMES,
  type PayoutProvider,
  type PayoutRailName,
  paidIn,
  startPayoutProvider,
} from '../rails/payout-providers.ts';
import { providersDaysSince } from '../rails/payout-trial.ts';
import type { Choices } from '../tools/seeded.ts';
import { until } from '../tools/until.ts';
import { isPaid, lifeOf } from './paid-record.ts';
import { openWires } from './wired.ts';

interface SentPayout {
  readonly rail: PayoutRailName;
  readonly merchant: TestMerchant;
  readonly payoutId: string;
}

const PACE = { rail: { timeoutMs: 800, notFoundProofMs: 300, askAfterMs: [150, 300] }, recordingMs: 1_000 } as const;
const FUNDS = {
  AZN: '100.00',
  CAD: '100.00',
  EUR: '100.00',
  INR: '100.00',
  KZT: '100.00',
  UAH: '100.00',
  USD: '100.00',
};
const TROUBLE_FOR_MS = 4_000;
/** A wrong response can complete a payout before its provider does. */
const PROVIDERS_DECIDE_WITHIN_MS = 1_000;
const AGREE_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 100;

export type WiredPayouts = Awaited<ReturnType<typeof openWiredPayouts>>;

export async function openWiredPayouts(choices: Choices) {
  const parts = await startEverything(choices);
  const { gateway, wires, providers, folder } = parts;
  let payouts = 0;
  return {
    gateway,
    wires,
    rails: PAYOUT_RAIL_NAMES,
    async send(rail: PayoutRailName): Promise<SentPayout> {
      const merchant = await gateway.merchant({ funds: FUNDS });
      const payoutId = `p${++payouts}`;
      const { status, description } = await merchant.pay(PAYOUT_PROVIDERS[rail].drill.method, payoutId);
      assert.equal(status, 'Pending', description ?? '');
      return { rail, merchant, payoutId };
    },
    judge: (sent: readonly SentPayout[]) => judgeAll(parts, sent),
    async close() {
      await gateway.verifyAndStop().finally(async () => {
        await Promise.all([...providers.values()].map((provider) => provider.close()));
        await wires.close();
        await rm(folder, { recursive: true, force: true });
      });
    },
  };
}

type Parts = Awaited<ReturnType<typeof startEverything>>;

async function startEverything(choices: Choices) {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-wired-payouts-'));
  const port = await freePort();
  const wires = await openWires(`http://127.0.0.1:${port}`, choices);
  const notifications = `${wires.notificationsUrl}/rail-notifications`;
  const providers = new Map<PayoutRailName, PayoutProvider>();
  const variables = await Promise.all(
    PAYOUT_RAIL_NAMES.map(async (rail) => {
      const { delays } = PAYOUT_PROVIDERS[rail].drill;
      const provider = await startPayoutProvider(rail, { notifications, folder }, { delays: delays as never });
      providers.set(rail, provider);
      return wires.beforeAll(rail, provider.variables, join(folder, rail));
    }),
  );
  const openedAt = Date.now();
  const gateway = await startGateway({
    withoutBank: true,
    pace: PACE,
    variables: { ...Object.assign({}, ...variables), PORT: String(port), PUBLIC_URL: wires.notificationsUrl },
  });
  return { gateway, wires, providers, folder, openedAt };
}

async function recordOf({ gateway }: Parts, { merchant, payoutId }: SentPayout): Promise<PayoutRecord> {
  const record = await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId });
  assert.ok(record);
  return record;
}

/** Waits while the wires are faulty, then lets everything complete, runs the nightly comparison and checks. */
async function judgeAll(parts: Parts, sent: readonly SentPayout[]): Promise<void> {
  const { gateway, wires } = parts;
  const areOver = async () =>
    (await Promise.all(sent.map((each) => recordOf(parts, each)))).every(({ payout }) => payout.state !== 'pending');
  for (let left = TROUBLE_FOR_MS; left > 0 && !(await areOver()); left -= LOOK_EVERY_MS) await sleep(LOOK_EVERY_MS);
  await wires.calm();
  await Promise.all(sent.map((each) => untilEnded(parts, each)));
  await sleep(PROVIDERS_DECIDE_WITHIN_MS);
  const agree = () =>
    compare(parts, sent).then(
      () => true,
      () => false,
    );
  // On a busy machine, a provider may decide after the comparison.
  await until('both sides agree', agree, AGREE_WITHIN_MS).catch(() => compare(parts, sent));
  wires.assertAnswersProper();
  await gateway.verify();
}

async function compare(parts: Parts, sent: readonly SentPayout[]): Promise<void> {
  const { reconciliation, differences } = parts.gateway.operations;
  for (const rail of PAYOUT_RAIL_NAMES)
    for (const day of providersDaysSince(parts.openedAt)) await reconciliation.run(rail, day);
  const open = await differences.list({ rail: null, day: null, kind: null, openOnly: true });
  for (const each of sent) await judge(parts, each, open);
}

/** Epoint never reports that it does not have a payout, so the operator must end a payout that it never paid. */
const ENDED_BY_A_PERSON: ReadonlySet<string> = new Set(['epoint']);

async function untilEnded(parts: Parts, sent: SentPayout): Promise<void> {
  const { payoutId, rail } = sent;
  const isEnded = async () => {
    const record = await recordOf(parts, sent);
    if (record.payout.state !== 'pending') return true;
    return ENDED_BY_A_PERSON.has(rail) && record.job?.stage === 'unknown' && (await paymentsOf(parts, record)) === 0;
  };
  await until(`${payoutId} is final`, isEnded, ENDS_WITHIN_MS).catch(async (error: Error) => {
    const { attempts, job } = await recordOf(parts, sent);
    throw new Error(`${error.message} at ${rail}: ${JSON.stringify({ attempts, job })}`);
  });
}

/** Returns how often each provider paid the payout. A rerouted payout has attempts at several providers. */
async function paymentsOf({ providers }: Parts, { attempts }: PayoutRecord): Promise<number> {
  const references = Map.groupBy(attempts, ({ rail }) => rail as PayoutRailName);
  const counts = [...references].map(async ([rail, made]) => {
    const own = new Set(made.map(({ reference }) => PAYOUT_PROVIDERS[rail].named({ reference })));
    const paid = paidIn(rail, (await providers.get(rail)?.book()) ?? []).filter((name) => own.has(name)).length;
    assert.ok(paid <= 1, `${rail} paid ${made[0]?.reference} ${paid} times`);
    return paid;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function judge(parts: Parts, sent: SentPayout, open: readonly KeptDifference[]): Promise<void> {
  const { rail, merchant, payoutId } = sent;
  const record = await recordOf(parts, sent);
  const paid = await paymentsOf(parts, record);
  const isOpen = open.some((each) => each.merchantId === merchant.id && each.payoutId === payoutId);
  const words = `${rail} ${merchant.id}: ${lifeOf(record)}`;
  assert.ok(Number(isPaid(record)) === paid || isOpen, `${words}, and its providers paid it ${paid} times`);
}
