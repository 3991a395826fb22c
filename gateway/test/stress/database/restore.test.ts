/**
 * Restores the database to a moment before its loss, while merchants repeat their requests without a response. The banks'
 * books decide: no payout may be executed twice (decision 55).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SKIPPED_NUMBERS } from '../../../src/domain/recovery/begin-recovery.ts';
import type { GatewayProcess } from '../../support/gateway/gateway-process.ts';
import { verifyBooks } from '../../support/gateway/running-gateway.ts';
import {
  type Drill,
  type DrilledPayout,
  openDrill,
  sendPayouts,
  untilFinal,
} from '../../support/payouts/restore-drill.ts';
import { PAYOUT_RAIL_NAMES, type PayoutRailName } from '../../support/rails/payout-providers.ts';
import { type Choices, createChoices } from '../../support/tools/seeded.ts';
import { until } from '../../support/tools/until.ts';

const IS_FULL = process.env['TEST_FULL'] !== undefined;
/** One rail with a list and one without. WayForPay's simulator executes a reference each time that it arrives. */
const QUICK_RAILS: readonly PayoutRailName[] = ['wayforpay', 'mastercard-send'];

interface Round {
  readonly rails: readonly PayoutRailName[];
  readonly clients: number;
  /** The time between the restored moment and the loss. */
  readonly lossMs: number;
}

const ROUNDS: readonly Round[] = IS_FULL
  ? [500, 3_000, 10_000].map((lossMs) => ({ rails: PAYOUT_RAIL_NAMES, clients: 12, lossMs }))
  : [{ rails: QUICK_RAILS, clients: 4, lossMs: 1_500 }];

for (const { rails, clients, lossMs } of ROUNDS)
  test(`no payout is executed twice after a restore to ${lossMs} ms before the loss`, async () => {
    const choices = createChoices(`restore ${lossMs}`);
    const drill = await openDrill(rails);
    const early: GatewayProcess[] = [];
    try {
      const deposits = await loseAndRestore(drill, choices, clients, lossMs);
      early.push(await startTooEarly(drill, rails));
      await recover(drill, choices, deposits);
    } finally {
      for (const gateway of early) await gateway.kill();
      await drill.close();
    }
  });

/**
 * The runbook declares the restore before the first start. A worker that was started earlier must wait for that declaration.
 */
async function startTooEarly(drill: Drill, rails: readonly PayoutRailName[]): Promise<GatewayProcess> {
  const countPaid = async () => (await Promise.all(rails.map((rail) => drill.paidBy(rail)))).flat().length;
  const before = await countPaid();
  const early = await drill.startBeside('--role', 'worker');
  await until('the worker noticed the new timeline', () => early.errors().includes('another server or timeline'));
  await sleep(TOO_EARLY_MS);
  assert.equal(await countPaid(), before, 'a worker sent a payout before the restore was declared');
  return early;
}

const TOO_EARLY_MS = 2_000;

/**
 * The runbook stops every process before the restore, but a suspended process may be missed and reconnect. Its workers know
 * commits that the restored database has lost, so they must send nothing before the restore is declared.
 */
const outlive =
  'workers that outlive a restore send no payout before the operator declares it, and then query the banks first';

// In the core run, the tests of the claim (recovery-store.test.ts) cover this rule.
if (IS_FULL)
  test(outlive, async () => {
    const drill = await openDrill(QUICK_RAILS);
    const processes: GatewayProcess[] = [];
    try {
      const api = await drill.start('--role', 'api');
      processes.push(api);
      const workers = [await drill.startBeside('--role', 'worker'), await drill.startBeside('--role', 'worker')];
      processes.push(...workers);
      const [suspended] = workers;
      assert(suspended);
      await drill.postgres.backUp();
      for (const worker of workers) worker.signal('SIGSTOP');
      const payouts = await Promise.all(Array.from({ length: 20 }, (_, index) => payOnce(drill, index)));
      const cut = await drill.postgres.now();
      for (const worker of workers) worker.signal('SIGCONT');
      await until('the banks executed every payout', async () => (await executed(drill)) === payouts.length);
      await untilReportedSince(drill, cut);
      suspended.signal('SIGSTOP');
      await drill.noteReferences();
      await drill.postgres.restoreTo(cut);
      suspended.signal('SIGCONT');
      await until('each worker noticed the loss', () =>
        workers.every(({ errors }) => errors().includes('lost commits')),
      );
      assert.equal(
        await executed(drill),
        payouts.length,
        'a worker sent a payout again before the restore was declared',
      );
      assert((await drill.inOffice(({ recovery }) => recovery.begin(WORDS))).ok);
      await until('the banks recognised every payout', async () => {
        const pending = await drill.postgres.query(`select 1 from payouts where state = 'pending'`);
        return pending.length === 0;
      });
      await drill.noteReferences();
      assert.deepEqual(
        [...(await drill.executions())].filter(([, count]) => count > 1),
        [],
      );
    } finally {
      for (const gateway of processes) await gateway.kill();
      await drill.close();
    }
  });

async function payOnce({ merchants, methods }: Drill, index: number): Promise<void> {
  await merchants.notified.pay(methods[index % methods.length] ?? 0, `p-${index}`);
}

async function executed(drill: Drill): Promise<number> {
  const books = await Promise.all(QUICK_RAILS.map((rail) => drill.paidBy(rail)));
  return books.flat().length;
}

/** Waits for a heartbeat of every worker since `cut`. A restore to `cut` removes these heartbeats. */
async function untilReportedSince({ postgres }: Drill, cut: string): Promise<void> {
  await until('each worker reported after the restored moment', async () => {
    const rows = await postgres.query<{ isFresh: boolean }>(
      `select max(reported_at) > '${cut}' as "isFresh" from rail_health group by process`,
    );
    return rows.length === 2 && rows.every(({ isFresh }) => isFresh);
  });
}

const WORDS = { by: 'Ann', reason: 'a drill', knownUntil: null, skip: SKIPPED_NUMBERS };

type Operations = Parameters<Parameters<Drill['inOffice']>[0]>[0];

const CANCELLED = { merchantId: 'CANCELLING', payoutId: 'cancelled' };

interface Memory {
  readonly payouts: readonly DrilledPayout[];
  /** The CLABEs into which payers paid during the lost time. */
  readonly paidInto: readonly string[];
}

async function loseAndRestore(drill: Drill, choices: Choices, clients: number, lossMs: number): Promise<Memory> {
  const { postgres, stp, merchants, methods } = drill;
  const payouts: DrilledPayout[] = [];
  await drill.inOffice(({ pauses }) => pauses.pause('merchant', CANCELLED.merchantId, 'a drill'));
  let isOver = false;
  const gateway = await drill.start();
  const running = Array.from({ length: clients }, (_, index) =>
    sendPayouts(drill, 'x'.repeat(index + 1), payouts, () => isOver),
  );
  await until('some payouts were sent', () => payouts.length >= 2 * clients);
  await merchants.cancelling.pay(methods[0] ?? 0, CANCELLED.payoutId);
  await postgres.backUp();
  const known = await merchants.notified.deposit('known');
  await sleep(choices.between(200, 1_000));
  const cut = await postgres.now();
  const forgotten = await merchants.notified.deposit('forgotten');
  for (const { clabe } of [known, forgotten]) await stp.pay(clabe);
  assert((await drill.inOffice((operations) => operations.payouts.cancel(CANCELLED, 'it has another id now'))).ok);
  await sleep(lossMs);
  isOver = true;
  await gateway.kill();
  await Promise.all(running);
  await drill.noteReferences();
  for (const payout of payouts) payout.final = reportedFinal(drill, payout);
  await postgres.restoreTo(cut);
  return { payouts, paidInto: [known.clabe, forgotten.clabe] };
}

async function recover(drill: Drill, choices: Choices, { payouts, paidInto }: Memory): Promise<void> {
  assert((await drill.inOffice(({ recovery }) => recovery.begin(WORDS))).ok);
  await drill.inOffice(({ pauses }) => pauses.resume('merchant', CANCELLED.merchantId));
  const gateway = await drill.start();
  let isOver = false;
  const merchants = payouts.map((payout) => untilFinal(payout, choices.between(1, 2) === 1, () => isOver));
  try {
    await drill.inOffice(async (operations) => {
      await completeRecovery(drill, operations);
      await until('every merchant has the final state of every payout', async () => {
        await releaseUnproved(drill, operations);
        return payouts.every(({ final }) => final);
      });
    });
    await Promise.all(merchants);
    await drill.noteReferences();
    await judge(drill, payouts, paidInto);
    await gateway.stop();
  } finally {
    isOver = true;
    await gateway.kill();
  }
}

/** Follows the runbook: waits for the criteria of every rail, then completes it. */
async function completeRecovery(drill: Drill, operations: Operations): Promise<void> {
  const { recovery } = operations;
  await until('the criteria of every rail are met', async () => {
    await recovery.compare(new AbortController().signal);
    await releaseUnproved(drill, operations);
    return (await recovery.progress()).every(({ missing }) => missing.length === 0);
  });
  // The restore lost the cancellation. The operator repeats it from the log before the completion.
  assert(/became blocked/.test((await recovery.progress()).map(({ caveat }) => caveat).join()));
  assert((await operations.payouts.cancel(CANCELLED, 'as in the lost time')).ok);
  const completed = await recovery.complete({ rail: null, by: 'Ann', forcedBecause: null });
  assert(completed.ok && completed.value.isOver);
}

/** Epoint never confirms that it does not have a payout. The operator checks its back office by the reference in the note. */
async function releaseUnproved(drill: Drill, { lists, payouts, recovery }: Operations): Promise<void> {
  const inCabinet = new Set(await drill.paidBy('epoint'));
  const { items } = await lists.payouts({ ...EVERYBODY, filters: { state: 'pending', rail: 'epoint' } });
  for (const { merchantId, payoutId } of items) {
    const { job } = (await payouts.find({ merchantId, payoutId })) ?? {};
    const [reference] = /P[0-9A-F]{28}/.exec(job?.note ?? '') ?? [];
    if (reference === undefined || inCabinet.has(reference)) continue;
    await recovery.release({ merchantId, payoutId }, { by: 'Ann', evidence: 'it is not in the cabinet' });
  }
}

const EVERYBODY = { merchantId: null, from: null, to: null, after: null, limit: 1_000 } as const;

function reportedFinal({ receiver }: Drill, { merchant, payoutId }: DrilledPayout): string | undefined {
  const isNotified = merchant.id === 'NOTIFIED';
  return isNotified ? receiver.about(merchant.id, payoutId)[0]?.fields['status'] : undefined;
}

async function judge(drill: Drill, payouts: readonly DrilledPayout[], paidInto: readonly string[]): Promise<void> {
  const { receiver, postgres } = drill;
  const executions = await drill.executions();
  assert(!executions.has(`${CANCELLED.merchantId}/${CANCELLED.payoutId}`), 'a cancelled payout was executed');
  const twice = [...executions].filter(([, count]) => count > 1);
  assert.deepEqual(twice, [], `${twice.length} of ${executions.size} payouts were executed more than once`);
  for (const { merchant, payoutId, final } of payouts) {
    const key = `${merchant.id}/${payoutId}`;
    assert.equal(final, executions.has(key) ? 'Success' : 'Blocked', key);
    const states = new Set(receiver.about(merchant.id, payoutId).map(({ fields }) => fields['status']));
    assert(states.size <= 1, `${key} was called back with two final states`);
  }
  await drill.inOffice(verifyBooks);
  await assertAccountedFor(drill);
  for (const clabe of paidInto)
    await until(`the transfer to ${clabe} is recorded`, async () => {
      const kept = await postgres.query(`select 1 from incoming_transfers where pay_to = '${clabe}'`);
      return kept.length === 1;
    });
  const forgotten = payouts.length - Number((await postgres.query<{ n: string }>(KNOWN))[0]?.n);
  console.log(`${payouts.length} payouts, ${executions.size} executed, ${forgotten} forgotten and never repeated`);
}

/** Checks that each execution at a bank with a list has a payout of the gateway or a difference. */
async function assertAccountedFor({ postgres, paidBy }: Drill): Promise<void> {
  const known = await postgres.query<{ reference: string }>(
    'select reference from payout_attempts union select subject from differences where resolved_at is null',
  );
  const accounted = new Set(known.map(({ reference }) => reference));
  for (const rail of ['wayforpay', 'adyen-transfers', 'razorpayx'] as const)
    for (const reference of await paidBy(rail)) assert(accounted.has(reference), `${rail}: ${reference}`);
}

const KNOWN = 'select count(*) as n from payouts';
