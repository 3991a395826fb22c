/**
 * Payouts between two banks under random sequences of events: lost and late responses; duplicate, late and reordered
 * notifications; cancellations. Workers die before or after a call, or continue after their lease has expired. At the end, the
 * banks' books and the ledger must agree.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { balanceOf } from '../../../src/domain/ledger/transfer.ts';
import type { ClaimedPayout } from '../../../src/domain/payouts/payout-job-store.ts';
import { settlePayout } from '../../../src/domain/payouts/settle-payout.ts';
import { compareAnswer } from '../../../src/domain/reconciliation/compare-payout-list.ts';
import { reportNews } from '../../../src/domain/reconciliation/reconcile-payouts.ts';
import { SECOND_MS } from '../../../src/foundation/clock.ts';
import { createDeadlines, untilAborted } from '../../../src/foundation/deadline.ts';
import { withParts } from '../../../src/foundation/with-parts.ts';
import { createPayoutJobStore } from '../../../src/storage/payouts/payout-job-store.ts';
import { createReconciliationStore } from '../../../src/storage/reconciliation/reconciliation-store.ts';
import { askClaimed } from '../../../src/worker/payouts/ask-claimed.ts';
import { createRailBreaker } from '../../../src/worker/payouts/rail-breaker.ts';
import { endAtPreviousRail } from '../../../src/worker/payouts/reroute-payout.ts';
import { SEND_GRACE_MS, type SendClaimedParts, sendClaimed } from '../../../src/worker/payouts/send-claimed.ts';
import { NO_KEYS } from '../../support/merchants/merchant-keys.ts';
import { merchantNamed } from '../../support/merchants/merchant-named.ts';
import { createFaultyBank, type FaultyBank } from '../../support/payouts/faulty-bank.ts';
import { openPayoutBench, type PayoutBench, plainCallbacks } from '../../support/payouts/stored-payouts.ts';
import { PLAIN_VAULT } from '../../support/secrets/plain-vault.ts';
import { REFERENCE_KEY } from '../../support/tools/reference-key.ts';
import { type Choices, createChoices } from '../../support/tools/seeded.ts';

const PAYOUTS = process.env['TEST_FULL'] ? 100 : 40;
const STEPS = 40;
const AMOUNT = 100n;
const RECORDING_MS = 30 * SECOND_MS;

/** The behaviour of a worker that has claimed a payout. */
type Fate = 'works' | 'dies_before' | 'dies_after' | 'is_late';
const FATES: readonly Fate[] = ['works', 'works', 'works', 'works', 'works', 'dies_before', 'dies_after', 'is_late'];

class Died extends Error {}

let bench: PayoutBench;

before(async () => {
  bench = await openPayoutBench();
});

after(() => bench.verifyAndClose());

/** Opens a payout with its own merchant and its own two banks. */
async function openScene(merchantId: string, isHonest: boolean, choices: Choices) {
  const { store, clock, database } = bench;
  const merchant = merchantNamed(merchantId, { eventUrl: 'http://127.0.0.1:1/events' });
  const banks = ['first', 'second'].map((place) =>
    createFaultyBank(`${place}-of-${merchantId}`, isHonest, choices, clock.now),
  );
  const [first] = banks;
  assert(first);
  const jobs = createPayoutJobStore(database, { ...clock, sleep: () => new Promise(setImmediate) }, REFERENCE_KEY);
  const settle = withParts(settlePayout, {
    store,
    compose: plainCallbacks,
    onSettled: () => {},
    merchants: { find: async () => ({ merchant, keys: NO_KEYS }) },
  });
  const key = { merchantId, payoutId: 'p' };
  await bench.fund(merchantId, 2n * AMOUNT);
  await store.accept(await bench.newPayout(merchantId, 'p', AMOUNT, { rail: first.rail.name }));
  /** Workers that have a response but have not recorded it. */
  const late: (() => Promise<void>)[] = [];

  function partsOf({ rail }: FaultyBank, fate: Fate, waking: Promise<void>): SendClaimedParts {
    const die = () => Promise.reject(new Died());
    const isDead = fate === 'dies_after';
    return {
      rail: {
        ...rail,
        send: (order, deadline) => rail.send(order, deadline).finally(() => waking),
        ask: (order, deadline) => rail.ask(order, deadline).finally(() => waking),
      },
      breaker: createRailBreaker(clock, { onOpened: () => {}, onClosed: () => {} }),
      clock,
      deadlines: createDeadlines(clock, rail.timeoutMs),
      jobs: isDead ? { ...jobs, postpone: die, reroute: die } : jobs,
      settle: isDead ? die : settle,
      vault: PLAIN_VAULT,
      merchant: async () => merchant,
      async nextRail(_merchant, payout) {
        const other = banks.find((bank) => bank.rail.name !== payout.rail);
        return other && { rail: other.rail.name, isFirstAgain: other === first };
      },
      isDown: () => false,
      onRailCall: () => {},
      clockIsRight: async () => true,
    };
  }

  /** Lets a worker claim a due payout at the bank, if there is one. */
  async function work(bank: FaultyBank, fate: Fate): Promise<void> {
    const now = clock.now();
    const sendUntil = now + SEND_GRACE_MS + bank.rail.timeoutMs;
    const [claim] = await jobs.claim({
      rail: bank.rail.name,
      now,
      sendUntil,
      leaseUntil: sendUntil + RECORDING_MS,
      limit: 1,
      inDirectory: true,
      queuedOnly: false,
      asksFirstSince: null,
      restoredAt: null,
      witness: null,
      paused: { merchant: [], method: [], purpose: [], rail: [] },
    });
    if (!claim || fate === 'dies_before') return;
    const { promise: waking, resolve: wake } = Promise.withResolvers<void>();
    const done = processClaim(partsOf(bank, fate, waking), claim).catch((error: unknown) => {
      if (!(error instanceof Died)) throw error;
    });
    const wakeUp = () => {
      wake();
      return done;
    };
    if (fate === 'is_late') late.push(wakeUp);
    else await wakeUp();
  }

  async function referenceOf(rail: string): Promise<string | undefined> {
    const { rows } = await bench.owner.query<{ reference: string }>(
      'select reference from payout_attempts where merchant_id = $1 and rail = $2 limit 1',
      [merchantId, rail],
    );
    return rows[0]?.reference;
  }

  /** Delivers one notification of the bank, usually once. The bank repeats a rejected notification. */
  async function notify({ rail, reports }: FaultyBank): Promise<void> {
    const [event] = reports.splice(choices.between(0, reports.length - 1), 1);
    if (event === undefined) return;
    const word = { event, rail: rail.name, actor: rail.name, detail: 'reports', at: clock.now() };
    const outcome = await settle(key, null, event === 'declined' ? { ...word, blockedReason: 'bank_declined' } : word);
    const isTooEarly = outcome.kind === 'unchanged' && outcome.payout.state === 'pending' && event === 'reversed';
    if (isTooEarly || (reports.length < 3 && choices.between(1, 3) === 1)) reports.push(event);
  }

  const cancel = () =>
    settle(key, null, { event: 'cancelled', rail: null, detail: '', actor: 'operator', at: clock.now() });
  const isPending = async () => (await store.find(key))?.state === 'pending';

  /** Delivers everything outstanding and lets the payout complete. */
  async function end(): Promise<void> {
    for (const wakeUp of late.splice(0)) await wakeUp();
    for (const bank of banks) bank.calmDown();
    for (let turns = 0; turns < 60 && (await isPending()); turns++) {
      clock.advance(60 * SECOND_MS);
      for (const bank of banks) await work(bank, 'works');
    }
    for (const bank of banks) bank.calmDown();
    for (const bank of banks) for (let most = 20; most > 0 && bank.reports.length > 0; most--) await notify(bank);
  }

  /** Queries each bank once more, as the reconciliation does. */
  async function reconcile(): Promise<void> {
    for (const { rail } of banks) {
      const reference = await referenceOf(rail.name);
      if (reference === undefined) continue;
      const [known] = await createReconciliationStore(database).findKnown(rail.name, [reference]);
      if (!known) continue;
      const order = { reference } as Parameters<typeof rail.ask>[0];
      const finding = compareAnswer(rail.name, known, await rail.ask(order, untilAborted(AbortSignal.abort())));
      if (typeof finding === 'object' && 'event' in finding)
        await reportNews({ settle, clock }, rail.name, 'answer', [finding]);
    }
  }

  return { banks, late, work, notify, cancel, isPending, end, reconcile };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

async function processClaim(parts: SendClaimedParts, claim: ClaimedPayout): Promise<void> {
  if (claim.isBegun) return sendClaimed(parts, claim);
  if (claim.stage !== 'queued') return askClaimed(parts, claim, 'ask');
  assert(claim.paidBy !== null, 'a payout that may be sent gets a new attempt');
  return endAtPreviousRail(parts, claim, claim.paidBy);
}

async function step({ banks, late, work, notify, cancel }: Scene, choices: Choices): Promise<void> {
  const bank = choices.oneOf(banks);
  const steps: readonly (readonly [weight: number, act: () => unknown])[] = [
    [8, () => work(bank, choices.oneOf(FATES))],
    [4, () => bench.clock.advance(choices.oneOf([500, 2_000, 6_000, 50_000]))],
    [4, () => bank.live()],
    [3, () => notify(bank)],
    [2, () => late.splice(choices.between(0, late.length), 1)[0]?.()],
    [1, () => choices.between(1, 8) === 1 && cancel()],
  ];
  await choices.oneOf(steps.flatMap(([weight, act]) => Array<() => unknown>(weight).fill(act)))();
}

async function play(merchantId: string, isHonest: boolean, choices: Choices) {
  const scene = await openScene(merchantId, isHonest, choices);
  for (let steps = 0; steps < STEPS; steps++) await step(scene, choices);
  await scene.end();
  await scene.reconcile();
  assert(!(await scene.isPending()), `${merchantId} has a final payout`);
  const balances = await bench.ledger.balances(merchantId, 'EUR');
  const { rows } = await bench.owner.query<{ kind: string }>(
    'select kind from payout_adjustments where merchant_id = $1',
    [merchantId],
  );
  return {
    executions: scene.banks.map((bank) => bank.executions()),
    books: scene.banks.map((bank) => (bank.hasPaid() ? AMOUNT : 0n)),
    ledger: scene.banks.map(({ rail }) => balanceOf(balances, `clearing:${rail.name}`)),
    isContradicted: rows.some(({ kind }) => kind === 'contradicted'),
  };
}

test('a payout between honest banks is paid at most once, and the ledger equals the banks’ books', async () => {
  const choices = createChoices('honest banks');
  for (let index = 0; index < PAYOUTS; index++) {
    const { executions, books, ledger, isContradicted } = await play(`honest${index}`, true, choices);
    const paid = executions.reduce((sum, count) => sum + count, 0);
    assert(paid <= 1, `payout ${index} was paid ${executions}`);
    assert.deepEqual([ledger, isContradicted], [books, false], `payout ${index}`);
  }
});

test('a payment that a bank denied first is in the ledger, or recorded as a contradiction when another bank also paid', async () => {
  const choices = createChoices('banks that lie');
  for (let index = 0; index < PAYOUTS; index++) {
    const { executions, books, ledger, isContradicted } = await play(`lied-to${index}`, false, choices);
    if (executions.every((count) => count > 0)) assert(isContradicted, `payout ${index} was paid ${executions}`);
    else assert.deepEqual(ledger, books, `payout ${index}`);
  }
});
