/**
 * One rail's loop: claim by lease, commit the attempts, call outside of any transaction, record. The claims of a round
 * are worked on side by side, bounded by what the rail carries at once.
 */
import { type ClaimedPayout, RAIL_DOWN_NOTE } from '../../domain/payouts/payout-job-store.ts';
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import type { RailChoice } from '../../domain/payouts/rail-choice.ts';
import { isToBeAskedFirst, type TimeInDoubt } from '../../domain/recovery/recovery.ts';
import { PAUSES_KNOWN_AFTER_MS, type PauseView } from '../../domain/routing/pauses.ts';
import type { BreakerChange } from '../../domain/routing/rail-health.ts';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { createDeadlines } from '../../foundation/deadline.ts';
import { createRounds } from '../rounds.ts';
import { askBeforeSending } from './ask-before-sending.ts';
import { findHolders, type ListedPayoutsParts } from './listed-payouts.ts';
import { createRailBreaker, type RailBreaker } from './rail-breaker.ts';
import {
  askClaimed,
  endElsewhere,
  moveElsewhere,
  SEND_GRACE_MS,
  type SendPayoutJobParts,
  sendClaimed,
} from './send-payout-job.ts';

export interface RailLoopParts
  extends Omit<SendPayoutJobParts, 'rail' | 'breaker' | 'deadlines'>,
    Pick<ListedPayoutsParts, 'unaccounted' | 'mayBeListedAt'> {
  readonly pauses: PauseView;
  /** The time in doubt that banks have to be asked about before a first send by that rail; null: none. */
  readonly inDoubt: (rail: string) => Promise<TimeInDoubt | null>;
  /** When a closed rail opens; undefined: it is open. */
  readonly closedUntil: (rail: string) => Promise<Instant | undefined>;
  /** True for a rail whose own list of payouts is compared with the ledger, by its references. */
  readonly isListed: (rail: string) => boolean;
  /** True for a rail that failed and has not answered since. */
  readonly isTried: (rail: string) => boolean;
  /** True when another rail that works carries some of what this one does. */
  readonly mayLeave: RailChoice['mayLeave'];
  /** False: this machine's clock is off the database's, so nothing is claimed. */
  readonly clockIsRight: () => Promise<boolean>;
  readonly onProblem: (problem: string, error?: unknown) => void;
  readonly onBreaker: (rail: string, change: BreakerChange) => void;
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
/** A zone's clock may be changed before a closed rail opens. */
const LOOK_AGAIN_MS = 1 * HOUR_MS;

export function createRailLoop(shared: RailLoopParts, rail: PayoutRail): RailLoop {
  const { clock, onProblem } = shared;
  const breaker = createRailBreaker(clock, {
    onOpened: () => shared.onBreaker(rail.name, 'opened'),
    onClosed() {
      shared.onBreaker(rail.name, 'closed');
      wakeWaiting();
    },
  });
  const parts: LoopParts = { ...shared, rail, breaker, deadlines: createDeadlines(clock, rail.timeoutMs) };
  const underWay = new Set<Promise<void>>();
  let waking = Promise.resolve();
  const rounds = createRounds({
    clock,
    round,
    onFailed: (error) => onProblem(`rail ${rail.name}: a round failed`, error),
  });

  function wakeWaiting(): void {
    waking = waking
      .then(() => shared.jobs.railIsBack(rail.name, clock.now()))
      .then(rounds.nudge, (error) => onProblem(`rail ${rail.name}: what waited for it is not due yet`, error));
  }

  async function round(): Promise<boolean> {
    const free = rail.concurrency - underWay.size;
    const leaving = await mayLeave(free);
    const isLeft = leaving > 0;
    const limit = Math.min(CLAIM_AT_MOST, isLeft ? leaving : breaker.allowance(free, underWay.size));
    if (limit <= 0 || !(await shared.clockIsRight())) return false;
    const closed = isLeft ? undefined : await closure(parts);
    const doubt = await shared.inDoubt(rail.name);
    const since = doubt?.startedAt ?? null;
    const claims = await claimDue(parts, { limit, isHeld: isLeft || closed !== undefined, queuedOnly: isLeft, since });
    const holders = await findHolders(shared, claims);
    for (const claim of claims) {
      const hold = isLeft ? down(claim, clock.now()) : closed;
      const around = { hold, holder: holders.get(claim), doubt: isLeft ? null : doubt };
      track(claim, takeUp(parts, claim, around));
    }
    // The one that tries another rail is on its way there: the next round sees what becomes of it.
    return claims.length === limit && leaving !== 1;
  }

  /**
   * A rail that is down is asked nothing; but what only waits for it may go elsewhere: one at a time where that has yet to
   * show that it works again, or two rails that are down would hand each other all that waits, over and over.
   */
  async function mayLeave(free: number): Promise<number> {
    if (breaker.state !== 'open') return 0;
    if (await shared.mayLeave(rail.name, (other) => shared.isDown(other) || shared.isTried(other))) return free;
    return (await shared.mayLeave(rail.name, shared.isDown)) ? Math.min(free, 1) : 0;
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
      await waking;
    },
  };
}

interface DueClaim {
  readonly limit: number;
  /** The rail takes nothing now, so no attempt is begun. */
  readonly isHeld: boolean;
  readonly queuedOnly: boolean;
  readonly since: Instant | null;
}

function claimDue(
  { rail, clock, pauses, jobs, isListed, recordingMs = RECORDING_MS }: LoopParts,
  { limit, isHeld, queuedOnly, since }: DueClaim,
): Promise<readonly ClaimedPayout[]> {
  const now = clock.now();
  const sendUntil = now + SEND_GRACE_MS + rail.timeoutMs;
  const paused = pauses.targets();
  return jobs.claim({
    rail: rail.name,
    now,
    leaseUntil: sendUntil + recordingMs,
    sendUntil,
    limit,
    inDirectory: rail.notifies || isListed(rail.name),
    paused: isHeld ? { ...paused, rail: [...paused.rail, rail.name] } : paused,
    queuedOnly,
    asksFirstSince: since,
  });
}

/** Why nothing is sent to a whole rail, and for how long. */
interface RailHold {
  readonly note: string;
  readonly waitMs: number;
}

/** What finds no other rail looks for one less and less often. */
const DOWN_LOOK_MS = { least: 30 * SECOND_MS, most: 5 * MINUTE_MS } as const;

function down({ stageSince }: ClaimedPayout, now: Instant): RailHold {
  const waitMs = Math.min(Math.max((now - stageSince) / 4, DOWN_LOOK_MS.least), DOWN_LOOK_MS.most);
  return { note: RAIL_DOWN_NOTE, waitMs };
}

async function closure({ rail, closedUntil, clock }: LoopParts): Promise<RailHold | undefined> {
  const opensAt = await closedUntil(rail.name);
  if (opensAt === undefined) return undefined;
  return {
    note: `closed until ${new Date(opensAt).toISOString()}`,
    waitMs: Math.min(opensAt - clock.now(), LOOK_AGAIN_MS),
  };
}

/** The circumstances that decide how a claimed payout is taken up. */
interface Circumstances {
  readonly hold: RailHold | undefined;
  /** The rail whose provider has listed it although nobody here knew of it. */
  readonly holder: string | undefined;
  /** Null: nobody has to be asked before a first send. */
  readonly doubt: TimeInDoubt | null;
}

/** What was begun is sent, what a bank may know of is asked about, and what is held back waits or goes elsewhere. */
function takeUp(parts: LoopParts, claim: ClaimedPayout, around: Circumstances): Promise<void> {
  const { holder } = around;
  if (claim.isBegun && holder === undefined) return sendClaimed(parts, claim);
  if (claim.isBegun && holder !== undefined && holder !== parts.rail.name) return leaveTo(parts, claim, holder);
  if (claim.stage !== 'queued')
    return askClaimed(parts, claim, {
      isUnaccounted: holder === parts.rail.name,
      mayBeElsewhere: mayBeElsewhere(parts, claim, around.doubt),
    });
  if (claim.paidBy !== null) return endElsewhere(parts, claim, claim.paidBy);
  const { doubt } = around;
  return doubt !== null && isToBeAskedFirst(doubt.startedAt, claim.askedAt)
    ? askBeforeSending(parts, claim, doubt)
    : putOff(parts, claim, around.hold);
}

/** Nobody else has what a bank took, and what it was told of since the restore is known. */
function mayBeElsewhere({ mayHaveTaken }: LoopParts, claim: ClaimedPayout, doubt: TimeInDoubt | null): boolean {
  const { payout, stage, sendUntil } = claim;
  const isFromBefore = doubt !== null && sendUntil !== null && sendUntil < doubt.startedAt;
  return stage !== 'at_bank' && isFromBefore && mayHaveTaken(payout).length > 1;
}

/** Nothing was written yet: the attempt that was begun is closed, and the other rail asks its bank. */
async function leaveTo({ jobs, clock }: LoopParts, claim: ClaimedPayout, holder: string): Promise<void> {
  const at = clock.now();
  await jobs.reroute({ claim, at, dueAt: at, rail: holder, note: `${holder} has listed it` });
}

async function putOff(parts: LoopParts, claim: ClaimedPayout, hold: RailHold | undefined): Promise<void> {
  const { pauses, rail, jobs, clock } = parts;
  const { payout, stage, asks } = claim;
  const pause = pauses.find(payout.merchantId, payout.method, rail.name);
  const paused = pause && { note: `${pause.scope} ${pause.target} is paused`, waitMs: PAUSED_LOOK_MS };
  const isOfRail = pause === undefined || pause.scope === 'rail';
  const { note, waitMs } = paused ?? hold ?? { note: '', waitMs: PAUSES_KNOWN_AFTER_MS };
  if (isOfRail && note !== '' && (await moveElsewhere(parts, claim, note, 0))) return;
  const at = clock.now();
  // What is known may be from before the pause was lifted or the hours changed, so a payout that comes first meets a short
  // wait and a second look.
  const dueAt = at + (claim.note === note ? waitMs : Math.min(waitMs, PAUSES_KNOWN_AFTER_MS));
  await jobs.postpone({ claim, at, dueAt, stage, asks, note, attemptOutcome: null });
}
