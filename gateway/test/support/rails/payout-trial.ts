/**
 * Payouts through a complete gateway and one provider's simulator, over HTTP. Each payout has a separate merchant, which has
 * 100.00 and requests 10.00. The checks read every side: the status, the verified callback, the balance and the provider's
 * book.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PayoutRecord } from '../../../src/domain/payouts/payout-record-store.ts';
import { HOUR_MS } from '../../../src/foundation/clock.ts';
import type { Currency } from '../../../src/foundation/currency.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { LATE_NOTE } from '../../../src/worker/payouts/send-claimed.ts';
import { freePort, type RunningGateway, startGateway } from '../gateway/running-gateway.ts';
import {
  assertCallback,
  assertReversalEvent,
  assertStands,
  assertUnlogged,
  type End,
  recordOf,
  type Standing,
  type Trial,
} from '../payouts/payout-ends.ts';
import { EXAMPLE_PAYOUTS, type RequestFields } from '../payouts/payout-request.ts';
import {
  type DelaysOf,
  type Faults,
  PAYOUT_PROVIDERS,
  type PayoutRailName,
  paidIn,
  startPayoutProvider,
} from './payout-providers.ts';
import type { AskSimulator } from './simulator-control.ts';

/** Only the timeouts are shorter than in production. */
export const SHORT_PATIENCE = {
  rail: { timeoutMs: 5_000, notFoundProofMs: 300, askAfterMs: [100, 200, 500] },
  recordingMs: 3_000,
} as const;

/**
 * A time longer than any provider here takes for a late or duplicate notification. A trial with a later reversal waits for it
 * itself.
 */
const LATER_MS = 1_000;

/** The provider under test, with its methods. */
export interface TrialProvider<Rail extends PayoutRailName> {
  readonly rail: Rail;
  /** The fields of each method, in addition to the example. */
  readonly methods: Readonly<Record<number, RequestFields>>;
  /** The delays, which are short, so that no scenario waits long. */
  readonly delays: DelaysOf<Rail>;
}

export interface Trials {
  readonly gateway: RunningGateway;
  /** Opens another gateway with the same simulator and these variables changed. The caller stops it. */
  open(variables: EnvironmentVariables): Promise<RunningGateway>;
  /** The gateway's variables for the provider. */
  readonly variables: EnvironmentVariables;
  readonly control: AskSimulator;
  /** Sets the default faults with these changes. */
  faults(change: Faults): Promise<unknown>;
  begin(method: number, change?: RequestFields, by?: RunningGateway): Promise<Trial>;
  beginAll(methods: readonly number[], change?: RequestFields, by?: RunningGateway): Promise<readonly Trial[]>;
  /** Returns the names of paid payouts from the provider's current book, once per payment. */
  executed(): Promise<readonly string[]>;
  executionsOf(trial: Trial): Promise<number>;
  /** `executions` is the expected number. A payout that was reversed before its success was known is not a success. */
  ends(trial: Trial, end: End, executions?: number): Promise<void>;
  /**
   * Asserts that the provider reported a reversal after the payout's success: the final state stays, and an event reports the
   * reversal.
   */
  isReversed(trial: Trial): Promise<void>;
  /**
   * Asserts, after all late events, that each payout has its final state, no other payout was paid, the log contains no
   * account number, and the books balance.
   */
  allStand(): Promise<void>;
  close(): Promise<void>;
}

export async function openTrials<Rail extends PayoutRailName>(on: TrialProvider<Rail>): Promise<Trials> {
  const { rail, methods: carried, delays } = on;
  const folder = await mkdtemp(join(tmpdir(), `payouts-${rail}-`));
  const port = String(await freePort());
  const notifications = `http://127.0.0.1:${port}/rail-notifications`;
  const provider = await startPayoutProvider(rail, { notifications, folder }, { delays });
  const open = (variables: EnvironmentVariables) =>
    startGateway({ withoutBank: true, variables: { ...provider.variables, ...variables }, pace: SHORT_PATIENCE });
  const gateway = await open({ PORT: port });
  const begun: Trial[] = [];
  const openedAt = Date.now();
  let merchants = 0;
  async function begin(method: number, change: RequestFields = {}, by = gateway): Promise<Trial> {
    const trial = await beginTrial(by, `T${++merchants}`, method, { ...carried[method], ...change });
    begun.push(trial);
    return trial;
  }
  const executed = async () => paidIn(rail, await provider.book());
  const { allStand, ...looks } = looksAt(rail, executed);
  const { variables, control, faults } = provider;
  return {
    gateway,
    open,
    variables,
    control,
    faults,
    begin,
    beginAll: (methods, change, by) => Promise.all(methods.map((method) => begin(method, change, by))),
    executed,
    ...looks,
    async allStand() {
      await sleep(LATER_MS);
      await allStand();
      begun.forEach(assertUnlogged);
      await assertReconciled(gateway, rail, openedAt);
      await gateway.verify();
    },
    async close() {
      await gateway.stop();
      await provider.close();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Asserts a single transmission. A slow machine may miss the deadline of an attempt; the worker then records that it sent
 * nothing.
 */
export async function assertSentOnce(trial: Trial): Promise<void> {
  const { attempts } = await recordOf(trial);
  const sent = attempts.filter(({ detail }) => detail !== LATE_NOTE && !detail.startsWith('no connection'));
  assert.equal(sent.length, 1, JSON.stringify(attempts));
}

/** Returns the reference of a payout that only one provider received. All its attempts have the same reference. */
export const referenceOf = ({ attempts }: PayoutRecord): string => attempts[0]?.reference ?? '';

function looksAt(rail: PayoutRailName, executed: Trials['executed']) {
  const standings = new Map<Trial, Standing>();
  async function executionsOf(trial: Trial, paid?: readonly string[]): Promise<number> {
    const record = await recordOf(trial);
    const own = PAYOUT_PROVIDERS[rail].named({ reference: referenceOf(record) });
    return (paid ?? (await executed())).filter((name) => name === own).length;
  }
  async function stands(trial: Trial, standing: Standing, paid?: readonly string[]): Promise<void> {
    standings.set(trial, standing);
    await assertStands(trial, standing);
    assert.equal(await executionsOf(trial, paid), standing.executions, 'the provider’s book');
  }
  return {
    executionsOf: (trial: Trial) => executionsOf(trial),
    async ends(trial: Trial, end: End, executions = end === 'Success 0' ? 1 : 0): Promise<void> {
      await assertCallback(trial, end);
      assert.equal((await recordOf(trial)).payout.rail, rail);
      const balance = end === 'Success 0' ? (100 - Number(trial.fields['amount'])).toFixed(2) : '100.00';
      await stands(trial, { end, balance, events: 0, executions });
    },
    async isReversed(trial: Trial): Promise<void> {
      await assertCallback(trial, 'Success 0');
      await assertReversalEvent(trial);
      await stands(trial, { end: 'Success 0', balance: '100.00', events: 1, executions: 1 });
    },
    async allStand(): Promise<void> {
      const paid = await executed();
      for (const [trial, standing] of standings) await stands(trial, standing, paid);
      const expected = [...standings.values()].reduce((sum, { executions }) => sum + executions, 0);
      assert.equal(paid.length, expected, 'no other payout was paid');
    },
  };
}

async function beginTrial(
  gateway: RunningGateway,
  merchantId: string,
  method: number,
  change: RequestFields,
): Promise<Trial> {
  const currency = EXAMPLE_PAYOUTS[method]?.['currency'] as Currency;
  const merchant = await gateway.merchant({ funds: { [currency]: '100.00' } }, merchantId);
  const payoutId = `by-${method}`;
  const { status, description } = await merchant.pay(method, payoutId, change);
  assert.equal(status, 'Pending', description ?? '');
  return { gateway, merchant, payoutId, fields: merchant.request(method, payoutId, change) as Trial['fields'] };
}

/** A provider without a list is queried about every payout that completed since then. Its responses must match the ledger. */
async function assertReconciled({ operations }: RunningGateway, rail: string, since: number): Promise<void> {
  let matched = 0;
  for (const day of daysSince(since)) {
    const compared = await operations.reconciliation.run(rail, day);
    if (compared?.by !== 'asking') return;
    assert.deepEqual(compared.differences, []);
    matched += compared.reconciliation.matched;
  }
  assert.ok(matched > 0);
}

/** Returns the date of `at` and today's date: two entries if midnight has passed. `aheadMs` is the provider's UTC offset. */
export function daysSince(at: number, aheadMs = 0): readonly string[] {
  const days = [at, Date.now()].map((each) => new Date(each + aheadMs).toISOString().slice(0, 10));
  return [...new Set(days)];
}

/** The days in Freedom Pay's lists begin at midnight in Kazakhstan, and those of RazorpayX in India. */
const PROVIDERS_AHEAD_MS = [0, 5 * HOUR_MS, 5.5 * HOUR_MS];

/** Returns the same days in any provider's calendar. */
export function providersDaysSince(at: number): readonly string[] {
  return [...new Set(PROVIDERS_AHEAD_MS.flatMap((aheadMs) => daysSince(at, aheadMs)))];
}
