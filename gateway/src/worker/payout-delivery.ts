/**
 * Brings accepted payouts to their banks. One loop per rail, so that a rail that hangs delays no other: claim by lease,
 * commit the attempts, call outside of any transaction, record.
 */

import type { ClaimedPayout, NewAttempt } from '../domain/payouts/payout-job-store.ts';
import type { PayoutRail } from '../domain/payouts/payout-rail.ts';
import type { PauseView } from '../domain/routing/pauses.ts';
import { HOUR_MS, SECOND_MS } from '../foundation/clock.ts';
import { createRailBreaker } from './rail-breaker.ts';
import { askClaimed, referenceOf, SEND_GRACE_MS, type SendPayoutJobParts, sendClaimed } from './send-payout-job.ts';

export interface PayoutDeliveryParts extends Omit<SendPayoutJobParts, 'rail' | 'breaker'> {
  readonly rails: readonly PayoutRail[];
  readonly pauses: PauseView;
  readonly onProblem: (problem: string, error?: unknown) => void;
}

export interface PayoutDelivery {
  start(): void;
  /** Looks for due payouts without waiting for the next round. */
  nudge(): void;
  /** Claims nothing more and resolves when what is under way is recorded. */
  stop(): Promise<void>;
  /** Breaker state by rail. */
  railStates(): ReadonlyMap<string, { readonly breaker: string; readonly underWay: number }>;
}

const ROUND_MS = 250;
const AFTER_ERROR_MS = 1 * SECOND_MS;
const CLAIM_AT_MOST = 64;
/** A lease outlives the longest send by enough to record it. */
const RECORDING_MS = 30 * SECOND_MS;
const PAUSED_LOOK_MS = HOUR_MS;
const CLOCK_CHECK_MS = 30 * SECOND_MS;
const CLOCK_TOLERANCE_MS = 2 * SECOND_MS;

export function createPayoutDelivery(parts: PayoutDeliveryParts): PayoutDelivery {
  const clockGuard = createClockGuard(parts);
  const loops = parts.rails.map((rail) => createRailLoop(parts, rail, clockGuard));
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    nudge() {
      for (const loop of loops) loop.nudge();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await parts.jobs.drain();
    },
    railStates: () => new Map(loops.map((loop) => [loop.rail, loop.state()])),
  };
}

/** A process whose clock is off the database's claims nothing: its leases would lie to the others. */
function createClockGuard({ jobs, clock, onProblem }: PayoutDeliveryParts): () => Promise<boolean> {
  let checkAgainAt = Number.NEGATIVE_INFINITY;
  let right = false;
  return async () => {
    if (clock.now() < checkAgainAt && right) return true;
    const difference = await jobs.clockDifference();
    right = Math.abs(difference) <= CLOCK_TOLERANCE_MS;
    if (!right) onProblem(`this machine's clock is ${Math.round(difference)} ms off the database's: nothing is sent`);
    checkAgainAt = clock.now() + CLOCK_CHECK_MS;
    return right;
  };
}

function createRailLoop(all: PayoutDeliveryParts, rail: PayoutRail, clockIsRight: () => Promise<boolean>) {
  const { clock, jobs, pauses, onProblem } = all;
  const breaker = createRailBreaker(clock);
  const parts: SendPayoutJobParts = { ...all, rail, breaker };
  const underWay = new Set<Promise<void>>();
  const leaseMs = SEND_GRACE_MS + rail.timeoutMs + RECORDING_MS;
  let wake = new AbortController();
  let stopping = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!stopping) {
      let busy = false;
      try {
        busy = await round();
      } catch (error) {
        onProblem(`rail ${rail.name}: a round failed`, error);
        await clock.sleep(AFTER_ERROR_MS, wake.signal);
      }
      if (!busy && !stopping) await clock.sleep(ROUND_MS, wake.signal);
      wake = new AbortController();
    }
  }

  /** True when there may be more to take at once. */
  async function round(): Promise<boolean> {
    const limit = Math.min(CLAIM_AT_MOST, breaker.allowance(rail.concurrency - underWay.size, underWay.size));
    if (limit <= 0 || !(await clockIsRight())) return false;
    const now = clock.now();
    const claimed = await jobs.claim(rail.name, now, now + leaseMs, limit);
    const told = claimed.filter(({ stage }) => stage !== 'queued');
    const queued = claimed.filter(({ stage }) => stage === 'queued');
    for (const claim of told) track(claim, askClaimed(parts, claim));
    await sendAll(queued.filter((claim) => !putOffIfPaused(claim)));
    return claimed.length === limit;
  }

  function putOffIfPaused(claim: ClaimedPayout): boolean {
    const { payout, stage, asks } = claim;
    const pause = pauses.find(payout.merchantId, payout.method, rail.name);
    if (!pause) return false;
    const at = clock.now();
    const note = `${pause.scope} ${pause.target} is paused`;
    track(claim, jobs.postpone({ claim, at, dueAt: at + PAUSED_LOOK_MS, stage, asks, note, attemptOutcome: null }));
    return true;
  }

  async function sendAll(claims: readonly ClaimedPayout[]): Promise<void> {
    if (claims.length === 0) return;
    const startedAt = clock.now();
    const sendUntil = startedAt + SEND_GRACE_MS + rail.timeoutMs;
    const attempts = claims.map(
      (claim): NewAttempt => ({
        claim,
        reference: referenceOf(claim),
        startedAt,
        sendUntil,
        inDirectory: rail.notifies,
      }),
    );
    const held = await jobs.beginAttempts(attempts);
    attempts.forEach(({ claim }, index) => {
      if (held[index]) track(claim, sendClaimed(parts, claim, sendUntil));
    });
  }

  /** What throws here left its payout leased; after the lease it is asked about, so nothing is lost and nothing sent twice. */
  function track(claim: ClaimedPayout, work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        onProblem(`payout ${claim.payout.merchantId}/${claim.payout.payoutId}: its step failed`, error);
      })
      .finally(() => {
        underWay.delete(done);
        if (underWay.size < rail.concurrency / 2) wake.abort();
      });
    underWay.add(done);
  }

  return {
    rail: rail.name,
    state: () => ({ breaker: breaker.state, underWay: underWay.size }),
    start() {
      running ??= run();
    },
    nudge: () => wake.abort(),
    async stop() {
      stopping = true;
      wake.abort();
      await running;
      await Promise.all(underWay);
    },
  };
}
