/**
 * One rail's loop: claim by lease, commit the attempts, call outside of any transaction, record. The claims of a round
 * are worked on side by side, bounded by what the rail carries at once.
 */
import type { ClaimedPayout } from '../domain/payouts/payout-job-store.ts';
import type { PayoutRail } from '../domain/payouts/payout-rail.ts';
import { PAUSES_KNOWN_AFTER_MS, type PauseView } from '../domain/routing/pauses.ts';
import { HOUR_MS, SECOND_MS } from '../foundation/clock.ts';
import { createDeadlines } from '../foundation/deadline.ts';
import type { Random } from '../foundation/ids.ts';
import { createRailBreaker, type RailBreaker } from './rail-breaker.ts';
import { createRounds } from './rounds.ts';
import { askClaimed, referenceEnd, SEND_GRACE_MS, type SendPayoutJobParts, sendClaimed } from './send-payout-job.ts';

export interface RailLoopParts extends Omit<SendPayoutJobParts, 'rail' | 'breaker' | 'deadlines'> {
  readonly pauses: PauseView;
  readonly random: Random;
  /** False: this machine's clock is off the database's, so nothing is claimed. */
  readonly clockIsRight: () => Promise<boolean>;
  readonly onProblem: (problem: string, error?: unknown) => void;
  /** How much longer than the longest send a lease is. Default: 30 s. */
  readonly recordingMs?: number;
}

export interface RailLoopState {
  readonly breaker: RailBreaker['state'];
  readonly underWay: number;
}

export interface RailLoop {
  readonly rail: string;
  start(): void;
  nudge(): void;
  stop(): Promise<void>;
  state(): RailLoopState;
}

type LoopParts = SendPayoutJobParts & RailLoopParts;

const CLAIM_AT_MOST = 128;
/** A lease outlives the longest send by enough to record it. */
const RECORDING_MS = 30 * SECOND_MS;
/** Lifting a pause makes its payouts due, so this is only for a pause that nobody lifts. */
const PAUSED_LOOK_MS = 1 * HOUR_MS;

export function createRailLoop(shared: RailLoopParts, rail: PayoutRail): RailLoop {
  const breaker = createRailBreaker(shared.clock);
  const { clock, onProblem } = shared;
  const parts: LoopParts = { ...shared, rail, breaker, deadlines: createDeadlines(clock, rail.timeoutMs) };
  const underWay = new Set<Promise<void>>();
  const rounds = createRounds({
    clock,
    round,
    onFailed: (error) => onProblem(`rail ${rail.name}: a round failed`, error),
  });

  async function round(): Promise<boolean> {
    const limit = Math.min(CLAIM_AT_MOST, breaker.allowance(rail.concurrency - underWay.size, underWay.size));
    if (limit <= 0 || !(await shared.clockIsRight())) return false;
    const now = clock.now();
    const sendUntil = now + SEND_GRACE_MS + rail.timeoutMs;
    const claims = await shared.jobs.claim({
      rail: rail.name,
      now,
      leaseUntil: sendUntil + (shared.recordingMs ?? RECORDING_MS),
      sendUntil,
      referenceEnds: Array.from({ length: limit }, () => referenceEnd(shared.random)),
      inDirectory: rail.notifies,
      paused: shared.pauses.targets(),
    });
    for (const claim of claims) track(claim, takeUp(parts, claim));
    return claims.length === limit;
  }

  /** What throws here left its payout leased; after the lease it is asked about, so nothing is lost and nothing sent twice. */
  function track({ payout }: ClaimedPayout, work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => onProblem(`payout ${payout.merchantId}/${payout.payoutId}: its step failed`, error))
      .finally(() => {
        underWay.delete(done);
        // A full rail has room again: waiting for the round would leave it idle.
        if (underWay.size === Math.floor(rail.concurrency / 2)) rounds.nudge();
      });
    underWay.add(done);
  }

  return {
    rail: rail.name,
    state: () => ({ breaker: breaker.state, underWay: underWay.size }),
    start: rounds.start,
    nudge: rounds.nudge,
    async stop() {
      await rounds.stop();
      await Promise.all(underWay);
    },
  };
}

/** What was begun is sent, what a bank may know of is asked about, and what is paused waits. */
function takeUp(parts: LoopParts, claim: ClaimedPayout): Promise<void> {
  if (claim.isBegun) return sendClaimed(parts, claim);
  return claim.stage === 'queued' ? putOff(parts, claim) : askClaimed(parts, claim);
}

function putOff({ pauses, rail, jobs, clock }: LoopParts, claim: ClaimedPayout): Promise<void> {
  const { payout, stage, asks } = claim;
  const at = clock.now();
  const pause = pauses.find(payout.merchantId, payout.method, rail.name);
  const note = pause ? `${pause.scope} ${pause.target} is paused` : '';
  // The view may be from before the pause was lifted, so a payout that comes first meets a short wait and a second look.
  const waitMs = pause && claim.note === note ? PAUSED_LOOK_MS : PAUSES_KNOWN_AFTER_MS;
  return jobs.postpone({ claim, at, dueAt: at + waitMs, stage, asks, note, attemptOutcome: null });
}
