/**
 * Payouts on a real database and a manual clock, each between two banks with drawn responses. The actions are drawn too:
 * workers that work, die or wake up late, notifications, the operator, and time.
 */

import assert from 'node:assert/strict';
import type { OverduePayout } from '../../../src/domain/monitoring/overdue-store.ts';
import { deadlinesOf } from '../../../src/domain/payments/attempts/payment-deadline.ts';
import { cancelPayout } from '../../../src/domain/payouts/cancel-payout.ts';
import type { Payout } from '../../../src/domain/payouts/payout.ts';
import type { PayoutRail } from '../../../src/domain/payouts/payout-rail.ts';
import { createRailChoice } from '../../../src/domain/payouts/rail-choice/rail-choice.ts';
import { type ResolutionOutcome, resolvePayout } from '../../../src/domain/payouts/resolve-payout.ts';
import { settlePayout } from '../../../src/domain/payouts/settle-payout.ts';
import { MINUTE_MS } from '../../../src/foundation/clock.ts';
import { withParts } from '../../../src/foundation/with-parts.ts';
import { createOverdueStore } from '../../../src/storage/monitoring/overdue-store.ts';
import { createPayoutJobStore } from '../../../src/storage/payouts/payout-job-store.ts';
import { createPayoutRecordStore } from '../../../src/storage/payouts/payout-record-store.ts';
import { NO_KEYS } from '../merchants/merchant-keys.ts';
import { merchantNamed } from '../merchants/merchant-named.ts';
import { REFERENCE_KEY } from '../tools/reference-key.ts';
import { createDrawnBank, type DrawnBank, type DrawnBehaviour, NEWS } from './drawn-banks.ts';
import { deliverStored } from './payout-deliveries.ts';
import { openPayoutBench, type PayoutBench, plainCallbacks } from './stored-payouts.ts';

/** `late_write` sleeps between the claim and the write, `late_record` between the response and its record. */
export const FATES = ['works', 'dies_before_call', 'dies_after_call', 'late_write', 'late_record'] as const;
export type Fate = (typeof FATES)[number];

export type Act =
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'work'; readonly fate: Fate }
  | { readonly kind: 'wake' | 'cancel' }
  | { readonly kind: 'news'; readonly bank: number; readonly event: (typeof NEWS)[number] }
  | { readonly kind: 'resolve'; readonly bank: number; readonly outcome: ResolutionOutcome }
  /** Actions that several processes perform concurrently. */
  | { readonly kind: 'together'; readonly acts: readonly Act[] };

export interface Outcome {
  readonly payout: Payout | undefined;
  readonly stage: string | undefined;
  /** The entries about this payout in the operator's list. */
  readonly overdue: readonly OverduePayout[];
  /** The number of callbacks with the payout's result. */
  readonly results: number;
  readonly banks: readonly DrawnBank[];
}

const AMOUNT = 10n;
const MERCHANT = merchantNamed('m');
const STEPS = 6;
/** A time longer than any lease and any wait between two calls. */
const STEP_MS = 10 * MINUTE_MS;

export async function openDrawnPayouts() {
  const bench = await openPayoutBench();
  await bench.fund(MERCHANT.merchantId, 1_000_000n);
  let runs = 0;
  return {
    /** `last` is the fate of the worker that runs the last round before the list is read. */
    async run(behaviours: readonly DrawnBehaviour[], acts: readonly Act[], last: Fate = 'works'): Promise<Outcome> {
      const payout = new DrawnPayout(bench, behaviours, ++runs);
      await payout.accept();
      for (const drawn of acts) await payout.act(drawn);
      await payout.passDeadline(last);
      return payout.outcome();
    },
    verifyAndClose: () => bench.verifyAndClose(),
  };
}

class Died extends Error {}

/** One payout with two rails. */
class DrawnPayout {
  readonly #bench: PayoutBench;
  readonly #banks: readonly DrawnBank[];
  readonly #key: { readonly merchantId: string; readonly payoutId: string };
  readonly #acceptedAt: number;
  /** Workers that sleep while they hold the payout's lease. */
  readonly #late: (() => Promise<void>)[] = [];
  readonly #settle;

  constructor(bench: PayoutBench, behaviours: readonly DrawnBehaviour[], run: number) {
    this.#bench = bench;
    this.#banks = behaviours.map((drawn, place) => createDrawnBank(`bank${place}-of-${run}`, drawn, bench.clock.now));
    this.#key = { merchantId: MERCHANT.merchantId, payoutId: `p${run}` };
    this.#acceptedAt = bench.clock.now();
    this.#settle = withParts(settlePayout, {
      store: bench.store,
      compose: plainCallbacks,
      onSettled: () => {},
      merchants: { find: async () => ({ merchant: MERCHANT, keys: NO_KEYS }) },
    });
  }

  get #rails(): PayoutRail[] {
    return this.#banks.map(({ rail }) => rail);
  }

  async accept(): Promise<void> {
    const { merchantId, payoutId } = this.#key;
    const rail = this.#rails[0]?.name ?? '';
    await this.#bench.store.accept(await this.#bench.newPayout(merchantId, payoutId, AMOUNT, { rail }));
  }

  async act(drawn: Act): Promise<void> {
    switch (drawn.kind) {
      case 'time':
        return this.#bench.clock.advance(drawn.ms);
      case 'work':
        return this.#work(drawn.fate);
      case 'wake':
        return this.#late.shift()?.();
      case 'cancel':
        await cancelPayout(
          { ...this.#word(), recovery: async () => undefined, rails: this.#rails },
          this.#key,
          'drawn',
        );
        return;
      case 'news':
        return this.#notify(drawn.bank, drawn.event);
      case 'resolve':
        return this.#resolve(drawn.bank, drawn.outcome);
      case 'together':
        await Promise.all(drawn.acts.map((each) => this.act(each)));
    }
  }

  /**
   * Wakes the late workers, then lets another worker continue. Until the payout is final, each of its rounds queries a bank
   * and accepts the response.
   */
  async passDeadline(last: Fate): Promise<void> {
    const { clock } = this.#bench;
    for (const wake of this.#late.splice(0)) await wake();
    const withinMs = Math.max(...this.#rails.map((rail) => rail.decidesWithinMs ?? 0));
    for (let left = STEPS; left > 0; left--) {
      clock.advance(Math.max(STEP_MS, Math.ceil((this.#acceptedAt + withinMs - clock.now()) / left)));
      const before = this.#banks.map((bank) => bank.answers.length);
      await this.#work('works');
      if (!(await this.#isPending())) continue;
      const answers = this.#banks.flatMap((bank, place) => bank.answers.slice(before[place]));
      assert.ok(answers.length > 0, 'no bank was asked although the payout is pending');
      assert.ok(!answers.some(isFinalWord), `the payout is pending although its bank answered ${answers}`);
    }
    clock.advance(STEP_MS);
    await this.#work(last);
    for (const wake of this.#late.splice(0)) await wake();
  }

  async outcome(): Promise<Outcome> {
    const { database, clock, owner, store } = this.#bench;
    const { merchantId, payoutId } = this.#key;
    const query = { now: clock.now(), deadlines: deadlinesOf(this.#rails), limit: 10_000 };
    const overdue = await createOverdueStore(database).payouts(query);
    const jobs = await owner.query<{ stage: string }>(
      'select stage from payout_jobs where merchant_id = $1 and payout_id = $2',
      [merchantId, payoutId],
    );
    const results = await owner.query(
      `select from callbacks where merchant_id = $1 and subject = 'payout' and subject_id = $2`,
      [merchantId, payoutId],
    );
    return {
      payout: await store.find(this.#key),
      stage: jobs.rows[0]?.stage,
      overdue: overdue.filter((each) => each.payoutId === payoutId),
      results: results.rows.length,
      banks: this.#banks,
    };
  }

  async #isPending(): Promise<boolean> {
    return (await this.#bench.store.find(this.#key))?.state === 'pending';
  }

  /** Starts a process that runs one round of each rail and ends, unless it sleeps while it holds the payout's lease. */
  async #work(fate: Fate): Promise<void> {
    const { promise: waking, resolve: wake } = Promise.withResolvers<void>();
    const { promise: sleeping, resolve: sleep } = Promise.withResolvers<void>();
    const pause = () => {
      sleep();
      return waking;
    };
    const { delivery, problems } = this.#deliver(fate, pause);
    delivery.start();
    const stopped = delivery.stop().then(() => {
      const unforeseen = problems.filter((problem) => !problem.includes(Died.name));
      assert.deepEqual(unforeseen, []);
    });
    await Promise.race([stopped, sleeping]);
    const wakeUp = () => {
      wake();
      return stopped;
    };
    this.#late.push(wakeUp);
    if (!fate.startsWith('late')) await this.#late.pop()?.();
  }

  #deliver(fate: Fate, pause: () => Promise<void>) {
    const { database, clock } = this.#bench;
    const jobs = createPayoutJobStore(database, { ...clock, sleep: () => new Promise(setImmediate) }, REFERENCE_KEY);
    const die = () => Promise.reject(new Died(Died.name));
    const rails = fate === 'late_record' ? this.#rails.map((rail) => slow(rail, pause)) : this.#rails;
    const { nextRail, canReroute } = createRailChoice({
      rails,
      clock,
      pauses: async () => [],
      table: async () => ({ routes: [], hours: [] }),
    });
    return deliverStored(this.#bench, rails, [], {
      nextRail,
      canReroute,
      jobs: {
        ...jobs,
        claim: async (wanted) => {
          const claims = await jobs.claim(wanted);
          return fate === 'dies_before_call' ? [] : claims;
        },
        ...(fate === 'dies_after_call' ? { postpone: die, reroute: die } : {}),
      },
      ...(fate === 'dies_after_call' ? { settle: die } : {}),
      async merchant() {
        if (fate === 'late_write') await pause();
        return MERCHANT;
      },
    });
  }

  async #notify(place: number, event: (typeof NEWS)[number]): Promise<void> {
    const bank = this.#banks[place % this.#banks.length];
    if (!bank?.canSay(event)) return;
    bank.notify(event);
    const { name } = bank.rail;
    const word = { event, rail: name, actor: name, detail: 'notified', at: this.#bench.clock.now() };
    await this.#settle(this.#key, null, event === 'declined' ? { ...word, blockedReason: 'bank_declined' } : word);
  }

  #word() {
    const { database, clock } = this.#bench;
    return { payoutRecords: createPayoutRecordStore(database), settle: this.#settle, clock };
  }

  async #resolve(place: number, outcome: ResolutionOutcome): Promise<void> {
    const rail = this.#rails[place % this.#rails.length]?.name ?? null;
    const resolve = withParts(resolvePayout, { ...this.#word(), recordForgottenAttempt: async () => false });
    const blockedReason = outcome === 'declined' ? 'bank_declined' : null;
    await resolve(this.#key, { outcome, rail, blockedReason, evidence: 'a letter', by: 'an operator' });
  }
}

function isFinalWord(answer: string): boolean {
  return NEWS.some((word) => word === answer);
}

/** A rail whose responses reach the worker only after the pause. */
function slow(rail: PayoutRail, pause: () => Promise<void>): PayoutRail {
  return {
    ...rail,
    send: (order, deadline) => rail.send(order, deadline).finally(pause),
    ask: (order, deadline) => rail.ask(order, deadline).finally(pause),
  };
}
