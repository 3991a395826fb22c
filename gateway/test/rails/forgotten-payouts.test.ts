/**
 * A payout that its bank executed and a restored database forgot. The merchant repeats it, as the merchants' page
 * says, and the bank knows its reference. The database is a copy from before the payout; the bank's book continues.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../../src/foundation/clock.ts';
import type { Currency } from '../../src/foundation/currency.ts';
import { type Money, parseAmount } from '../../src/foundation/money.ts';
import { openGateway } from '../../src/main/compose/compose.ts';
import {
  type DelaysOf,
  type PayoutProvider,
  type PayoutRailName,
  paidIn,
  startPayoutProvider,
} from '../support/payout-providers.ts';
import { EXAMPLE_PAYOUTS, type RequestFields } from '../support/payout-request.ts';
import { daysSince, SHORT_PATIENCE } from '../support/payout-trial.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { configOf, freePort, type RunningGateway, startGateway } from '../support/running-gateway.ts';

interface Case<Rail extends PayoutRailName> {
  readonly method: number;
  readonly change?: RequestFields;
  readonly delays: DelaysOf<Rail>;
  /** True for a provider that may pay a second order under one reference. */
  readonly isAskedFirst?: boolean;
  /** The text beside our reference in the provider's list; absent when the provider has no list. */
  readonly lists?: 'text' | 'reference' | 'nothing';
  /** True for a provider that never confirms that it has no such payout. */
  readonly neverSaysNone?: boolean;
  /** The offset of the provider's days from UTC. */
  readonly aheadMs?: number;
}

const RECOVERY = { by: 'Ann', reason: 'the backup of 10:00', skip: { transactionIds: 1_000, addresses: 0 } } as const;
/** Longer than an unblocked payout takes until it is sent. */
const HELD_MS = 1_500;
const HOLD = { holdMs: 30_000 } as const;

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

/** One of each kind: with a text, a reference or nothing in its list, and one that is asked first. */
const IN_EVERY_RUN: readonly PayoutRailName[] = ['adyen-transfers', 'dt-one', 'visa-direct', 'epoint'];

async function forgotten<Rail extends PayoutRailName>(
  rail: Rail,
  {
    method,
    change = {},
    delays,
    isAskedFirst = false,
    lists = 'nothing',
    aheadMs = 0,
    neverSaysNone = false,
  }: Case<Rail>,
) {
  const folder = await mkdtemp(join(tmpdir(), `forgotten-${rail}-`));
  const PORT = String(await freePort());
  const notifications = `http://127.0.0.1:${PORT}/rail-notifications`;
  const provider = await startPayoutProvider(rail, { notifications, folder }, { delays });
  const executed = async () => paidIn(rail, await provider.book());
  const open = openOver(provider, PORT);
  const lost = await createTestDatabase();
  const first = await open(lost);
  const currency = EXAMPLE_PAYOUTS[method]?.['currency'] as Currency;
  const merchant = await first.merchant({ funds: { [currency]: '100.00' } });
  await first.stop();
  const backup = await createTestDatabase(lost);
  try {
    const startedAt = Date.now();
    const before = await open(lost);
    await merchant.pay(method, 'A17', change);
    assert.equal((await merchant.final('A17'))['status'], 'Success');
    await before.stop();
    const paid = await executed();
    assert.equal(paid.length, 1);
    if (isAskedFirst) await beginRecovery(backup);
    const restored = await open(backup);
    try {
      if (!isAskedFirst) assert.equal((await merchant.status('A17'))['description'], 'Payout not found');
      assert.deepEqual(await strangersOf(restored, rail, daysSince(startedAt, aheadMs)), STRANGERS[lists]);
      const money = parseAmount(merchant.request(method, 'A17', change)['amount'] as string, currency);
      assert.deepEqual(await comparedWith(restored, rail, money), ['differs', neverSaysNone ? 'not_compared' : 'same']);
      assert.equal((await merchant.pay(method, 'A17', change))['status'], 'Pending');
      if (isAskedFirst) await sleep(HELD_MS);
      else assert.equal((await merchant.final('A17'))['status'], 'Success');
      assert.deepEqual(await executed(), paid, 'the bank executed it once');
      await restored.verify();
    } finally {
      await restored.stop();
    }
  } finally {
    await provider.close();
    await lost.close();
    await backup.close();
    await rm(folder, { recursive: true });
  }
}

const STRANGERS = { nothing: [], reference: [[null, null]], text: [['M1', 'A17']] };

/** The names of payouts that the provider's list has and the ledger does not. */
async function strangersOf({ operations }: RunningGateway, rail: string, days: readonly string[]) {
  const strangers: (string | null)[][] = [];
  for (const day of days) {
    const { differences = [] } = (await operations.reconciliation.run(rail, day)) ?? {};
    const missing = differences.filter(({ kind }) => kind === 'missing_here');
    strangers.push(...missing.map(({ merchantId, payoutId }) => [merchantId, payoutId]));
  }
  return strangers;
}

/** The answers about the payout, and about one that never existed. */
async function comparedWith({ operations }: RunningGateway, rail: string, money: Money | undefined) {
  assert(money);
  const named = ['A17', 'never'].map((payoutId) => ({ merchantId: 'M1', payoutId, money }));
  const answers = (await operations.reconciliation.ask(rail, named)) ?? [];
  return answers.map(({ comparison }) => comparison);
}

async function beginRecovery({ connectionString: DATABASE_URL }: TestDatabase): Promise<void> {
  const gateway = await openGateway(configOf({ DATABASE_URL }), {});
  await gateway.operations.recovery.begin({ ...RECOVERY, knownUntil: null });
  await gateway.close();
}

function openOver({ variables }: PayoutProvider, PORT: string) {
  return (database: TestDatabase) =>
    startGateway({ withoutBank: true, database, variables: { ...variables, PORT }, pace: SHORT_PATIENCE });
}

describe('a payout that a restored database forgot and its merchant repeats', () => {
  const play = <Rail extends PayoutRailName>(rail: Rail) => forgotten(rail, CASES[rail]);
  for (const rail of process.env['TEST_FULL'] ? (Object.keys(CASES) as PayoutRailName[]) : IN_EVERY_RUN)
    it(`a forgotten payout is executed once by ${rail}, which ${CASES[rail].isAskedFirst ? 'is asked first' : 'knows its reference'}`, () =>
      play(rail));
});
