/**
 * A payout that its bank executed and that is missing in a restored database. The merchant repeats it, as the merchant pages
 * advise, and the bank knows its reference. The database is a copy from before the payout, while the bank's book continues.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../../src/foundation/clock.ts';
import type { Currency } from '../../src/foundation/currency.ts';
import { parseAmount } from '../../src/foundation/money.ts';
import { freePort, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { EXAMPLE_PAYOUTS, type RequestFields } from '../support/payouts/payout-request.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres/postgres.ts';
import {
  type DelaysOf,
  type PayoutProvider,
  type PayoutRailName,
  paidIn,
  startPayoutProvider,
} from '../support/rails/payout-providers.ts';
import { daysSince, SHORT_PATIENCE } from '../support/rails/payout-trial.ts';
import { startStpUnderControl } from '../support/rails/stp-under-control.ts';
import { until } from '../support/tools/until.ts';
import { createWokenClock } from '../support/tools/woken-clock.ts';

interface Case<Rail extends PayoutRailName> {
  readonly method: number;
  readonly change?: RequestFields;
  readonly delays: DelaysOf<Rail>;
  /** True for a provider that may pay a second order with the same reference. */
  readonly isAskedFirst?: boolean;
  /** The text next to our reference in the provider's list. Absent if the provider has no list. */
  readonly lists?: 'text' | 'reference' | 'nothing';
  /** True for a provider that never confirms that it has no such payout. */
  readonly neverSaysNone?: boolean;
  /** The UTC offset of the provider's days. */
  readonly aheadMs?: number;
}

const RECOVERY = {
  by: 'Ann',
  reason: 'the backup of 10:00',
  knownUntil: null,
  skip: { transactionIds: 1_000, addresses: 0 },
} as const;
/** A time longer than a payout without a hold takes to be sent. */
const HELD_MS = 1_500;
/** The interval at which the gateway checks whether it is recovering. */
const RECOVERY_LOOK_MS = 10_000;
/** A time longer than the gateway takes to read and record a list. */
const NOT_LISTED_MS = 300;
const HOLD = { holdMs: 30_000 } as const;

/** Every rail that carries merchants' payouts. STP carries only returns, which no merchant repeats. */
const CASES: { readonly [Rail in PayoutRailName]: Case<Rail> } = {
  'adyen-transfers': { method: 8, lists: 'text', delays: { stepMs: 150, returnMs: 4_000, lateMs: 300, ...HOLD } },
  'dt-one': { method: 24, lists: 'reference', delays: { settleMs: 100, reverseMs: 4_000, lateMs: 300, ...HOLD } },
  epoint: {
    method: 11,
    neverSaysNone: true,
    isAskedFirst: true,
    delays: { notifyMs: 20, settleMs: 400, returnMs: 4_000, lateMs: 700, ...HOLD },
  },
  'freedom-pay': {
    method: 12,
    isAskedFirst: true,
    change: { account: '4671593866478252' },
    delays: { settleMs: 300, notifyMs: 30, lateMs: 500, ...HOLD },
  },
  'mastercard-send': { method: 23, delays: { endMs: 400, ...HOLD } },
  razorpayx: {
    method: 26,
    lists: 'text',
    aheadMs: 330 * MINUTE_MS,
    delays: { settleMs: 150, reverseMs: 4_000, lateMs: 300, ...HOLD },
  },
  'visa-direct': { method: 22, delays: { endMs: 400, ...HOLD } },
  vopay: { method: 92, lists: 'text', delays: { sendMs: 50, settleMs: 300, returnMs: 4_000, lateMs: 400, ...HOLD } },
  wayforpay: {
    method: 1,
    lists: 'reference',
    delays: { notifyMs: 20, settleMs: 400, returnMs: 4_000, lateMs: 700, ...HOLD },
  },
};

const RAILS = Object.keys(CASES) as PayoutRailName[];

const FUNDS = Object.fromEntries(RAILS.map((rail) => [EXAMPLE_PAYOUTS[CASES[rail].method]?.['currency'], '100.00']));

/**
 * Gives each method a single rail. On a slow machine a worker may wake up too late after committing an attempt, and then sends
 * nothing. Once "not found" is proof, the payout would go to the next rail of its method.
 */
async function routeToOneRail({ operations }: RunningGateway): Promise<void> {
  const unlimited = { merchantId: null, rank: 1, weight: null, minAmount: null, maxAmount: null };
  for (const rail of RAILS) {
    const { method } = CASES[rail];
    const set = await operations.routes.set({ ...unlimited, costFixed: 0n, costPercent: 0n, method, rail });
    assert.ok(set.ok, rail);
  }
}

/** The outcomes of the lost payouts of each rail. */
const repeated = new Map<PayoutRailName, Promise<void>>();
const found = new Map<PayoutRailName, Promise<void>>();
let listed: Promise<void> | undefined;
let close = async () => {};

before(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forgotten-payouts-'));
  const PORT = String(await freePort());
  const notifications = `http://127.0.0.1:${PORT}/rail-notifications`;
  const start = <Rail extends PayoutRailName>(rail: Rail) =>
    startPayoutProvider(rail, { notifications, folder }, { delays: CASES[rail].delays });
  const banks = await Promise.all(RAILS.map(async (rail) => ({ rail, provider: await start(rail) })));
  const stp = await startStpUnderControl(`${notifications}/stp`);
  await stp.faults({ notifications: 'off' });
  const variables = {
    PORT,
    ...stp.variables,
    ...Object.assign({}, ...banks.map(({ provider }) => provider.variables)),
  };
  const clock = createWokenClock();
  const open = (database: TestDatabase) =>
    startGateway({ withoutBank: true, database, variables, clock, pace: SHORT_PATIENCE });
  const lost = await createTestDatabase();
  const first = await open(lost);
  await routeToOneRail(first);
  const merchant = await first.merchant({ funds: FUNDS });
  const { clabe } = await merchant.deposit('unnotified');
  await first.stop();
  const backup = await createTestDatabase(lost);
  const startedAt = Date.now();
  const before = await open(lost);
  const payouts = banks.map((bank) => ({ ...bank, merchant, startedAt }));
  const paid = await Promise.all(payouts.map(payFirst));
  await before.stop();
  const restored = await open(backup);
  close = async () => {
    await restored.verify().finally(() => restored.stop());
    await Promise.all([stp, ...banks.map(({ provider }) => provider)].map((each) => each.close()));
    await lost.close();
    await backup.close();
    await rm(folder, { recursive: true });
  };
  const isAskedFirst = ({ rail }: ForgottenPayout) => CASES[rail].isAskedFirst === true;
  const repeatAll = async (some: readonly ForgottenPayout[]) => {
    for (const payout of some) repeated.set(payout.rail, repeat(payout));
    await Promise.allSettled(repeated.values());
  };
  // The restore has not been declared yet, so only the bank recognises the reference.
  await repeatAll(paid.filter((payout) => !isAskedFirst(payout)));
  await stp.pay(clabe);
  listed = listAtOnce(restored, merchant.id, () => clock.wake(RECOVERY_LOOK_MS));
  await Promise.allSettled([listed]);
  await repeatAll(paid.filter(isAskedFirst));
  for (const payout of paid) found.set(payout.rail, find(restored, payout));
  await Promise.allSettled(found.values());
});
after(() => close());

/** Rejects if the outcome is missing, so that no test passes without one. */
async function outcomeOf(outcome: Promise<void> | undefined): Promise<void> {
  assert.ok(outcome);
  await outcome;
}

/** Declares the restore. STP's list is read hourly, so only the recovery reads it again immediately. */
async function listAtOnce({ operations }: RunningGateway, merchantId: string, look: () => void): Promise<void> {
  const state = async () => (await operations.deposits.find(merchantId, 'unnotified'))?.deposit.state;
  look();
  await sleep(NOT_LISTED_MS);
  assert.equal(await state(), 'pending', 'no notification, and no list before the recovery');
  assert((await operations.recovery.begin(RECOVERY)).ok);
  await until('the transfer of STP’s list is credited', async () => {
    look();
    return (await state()) === 'success';
  });
}

interface RailsPayout {
  readonly rail: PayoutRailName;
  readonly provider: PayoutProvider;
  readonly merchant: TestMerchant;
  readonly startedAt: number;
}

interface ForgottenPayout extends RailsPayout {
  /** Our references of the payouts that the bank executed before the loss. */
  readonly executed: readonly string[];
}

const executedBy = async ({ rail, provider }: RailsPayout) => paidIn(rail, await provider.book());

/** There are two payouts: the merchant repeats one, and the operator finds the other at the bank. */
const REPEATED = 'repeated';
const FOUND = 'found';

async function payFirst(payout: RailsPayout): Promise<ForgottenPayout> {
  const { rail, merchant } = payout;
  const { method, change } = CASES[rail];
  for (const id of [REPEATED, FOUND]) await merchant.pay(method, `${rail}-${id}`, change);
  for (const id of [REPEATED, FOUND])
    assert.equal((await merchant.final(`${rail}-${id}`))['status'], 'Success', `${rail} ${id}`);
  const executed = await executedBy(payout);
  assert.equal(executed.length, 2, rail);
  return { ...payout, executed };
}

/** Must run before `find`: the gateway queries a payout before sending it if a list or a query has named it. */
async function repeat(payout: ForgottenPayout): Promise<void> {
  const { rail, merchant, executed } = payout;
  const { method, change, isAskedFirst = false }: Case<PayoutRailName> = CASES[rail];
  const payoutId = `${rail}-${REPEATED}`;
  if (!isAskedFirst) assert.equal((await merchant.status(payoutId))['description'], 'Payout not found');
  assert.equal((await merchant.pay(method, payoutId, change))['status'], 'Pending');
  if (isAskedFirst) await sleep(HELD_MS);
  else assert.equal((await merchant.final(payoutId))['status'], 'Success');
  assert.deepEqual(await executedBy(payout), executed, 'the bank executed it once');
}

/** Reads the bank's list of those days, and its responses about the lost payout and about one that never existed. */
async function find(restored: RunningGateway, { rail, merchant, startedAt }: ForgottenPayout): Promise<void> {
  const { method, change, lists = 'nothing', aheadMs = 0, neverSaysNone }: Case<PayoutRailName> = CASES[rail];
  const payoutId = `${rail}-${FOUND}`;
  const strangers = { nothing: [], reference: [[null, null]], text: [[merchant.id, payoutId]] };
  assert.deepEqual(await strangersOf(restored, rail, daysSince(startedAt, aheadMs)), strangers[lists]);
  const { amount, currency } = merchant.request(method, payoutId, change) as { amount: string; currency: Currency };
  const money = parseAmount(amount, currency);
  assert(money);
  const named = [payoutId, 'never'].map((id) => ({ merchantId: merchant.id, payoutId: id, money }));
  const answers = (await restored.operations.reconciliation.ask(rail, named)) ?? [];
  const comparisons = answers.map(({ comparison }) => comparison);
  assert.deepEqual(comparisons, ['differs', neverSaysNone ? 'not_compared' : 'same']);
}

/** Returns the references in the provider's list that the ledger does not have. */
async function strangersOf({ operations }: RunningGateway, rail: string, days: readonly string[]) {
  const strangers: (string | null)[][] = [];
  for (const day of days) {
    const { differences = [] } = (await operations.reconciliation.run(rail, day)) ?? {};
    const missing = differences.filter(({ kind }) => kind === 'missing_here');
    strangers.push(...missing.map(({ merchantId, payoutId }) => [merchantId, payoutId]));
  }
  return strangers;
}

describe('a payout that a restored database forgot and its merchant repeats', () => {
  for (const rail of RAILS)
    it(`a payout that a restore lost is executed once by ${rail}, which ${CASES[rail].isAskedFirst ? 'is queried first' : 'recognises its reference'}`, () =>
      outcomeOf(repeated.get(rail)));

  for (const rail of RAILS)
    it(`a payout that a restore lost is found at ${rail}${CASES[rail].lists ? ' in its list, and' : ''} when the operator names it`, () =>
      outcomeOf(found.get(rail)));

  it('the transfers of STP’s list are recorded as soon as the gateway recovers', () => outcomeOf(listed));
});
