/**
 * One rail's loop: it claims payouts under a lease, commits the attempts, calls the bank outside any transaction, and records
 * the outcome. It processes the claims of a round concurrently, up to the concurrency of the rail.
 */
import { isUnsent, type Payout } from '../../domain/payouts/payout.ts';
import { type ClaimedPayout, isHeldBySeal, RAIL_DOWN_NOTE } from '../../domain/payouts/payout-job-store.ts';
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import type { RailChoice } from '../../domain/payouts/rail-choice.ts';
import { isHeldUntilCompleted, isToBeAskedFirst, type TimeInDoubt } from '../../domain/recovery/recovery.ts';
import type { RailReference } from '../../domain/recovery/recovery-store.ts';
import { PAUSES_KNOWN_AFTER_MS, type PauseView } from '../../domain/routing/pauses.ts';
import type { BreakerChange, HealthWitness } from '../../domain/routing/rail-health.ts';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { createDeadlines } from '../../foundation/deadline.ts';
import { createRounds } from '../rounds.ts';
import { askBeforeSending } from './ask-before-sending.ts';
import { createRailBreaker, type RailBreaker } from './rail-breaker.ts';
import {
  askClaimed,
  checkSealAgain,
  endElsewhere,
  holdBySeal,
  isTrusted,
  moveElsewhere,
  SEND_GRACE_MS,
  type SendPayoutJobParts,
  sendClaimed,
} from './send-payout-job.ts';

export interface RailLoopParts
  extends Omit<SendPayoutJobParts, 'rail' | 'breaker' | 'deadlines'>,
    Pick<ListedPayoutsParts, 'unaccounted' | 'mayBeListedAt'> {
  readonly pauses: PauseView;
  /** Reads the latest recovery once: a failover between two reads would hold back a payout for ever. */
  readonly restoreAround: (rail: string) => Promise<RestoreAround>;
  /** This worker's last reports in the database. Null: it has not reported. */
  readonly witness: () => HealthWitness | null;
  /** Reports attempts that were begun at the rail, before they are sent: a restore that forgets them is then noticed. */
  readonly mark: (rail: string) => Promise<void>;
  /** The time when a closed rail opens. Undefined: it is open. */
  readonly closedUntil: (rail: string) => Promise<Instant | undefined>;
  /** True for a rail whose provider's list of payouts reconciliation compares with the ledger, by the rail's references. */
  readonly isListed: (rail: string) => boolean;
  /** True for a rail that failed and has not answered since. */
  readonly isTried: (rail: string) => boolean;
  /** True when another working rail can carry some of this rail's payouts. */
  readonly mayLeave: RailChoice['mayLeave'];
  readonly onProblem: (problem: string, error?: unknown) => void;
  readonly onBreaker: (rail: string, change: BreakerChange) => void;
  /** How much longer the lease is than the longest send. Default: 30 s. */
  readonly recordingMs?: number;
}

/** The effect of a restored database on the payouts of one rail. */
interface RestoreAround {
  /** The start of the latest recovery. Null: the database was never restored. */
  readonly restoredAt: Instant | null;
  /** The time in doubt about which banks must be asked before the rail's first send. Null: none. */
  readonly doubt: TimeInDoubt | null;
  /** The rail sends no payout that was queued before. Undefined: it sends all. */
  readonly heldBefore: Instant | undefined;
}

export interface RailLoopState {
  readonly breaker: RailBreaker['state'];
  readonly inFlight: number;
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
/** A lease outlasts the longest send by enough time to record the outcome. */
const RECORDING_MS = 30 * SECOND_MS;
/** The operator or a time zone change may move the opening time of a closed rail, so the worker looks again. */
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
  const inFlight = new Set<Promise<void>>();
  let waking = Promise.resolve();
  const rounds = createRounds({
    clock,
    round,
    onFailed: (error) => onProblem(`rail ${rail.name}: a round failed`, error),
  });

  function wakeWaiting(): void {
    waking = waking
      .then(() => shared.jobs.railIsBack(rail.name, clock.now()))
      .then(rounds.nudge, (error) => onProblem(`rail ${rail.name}: its waiting payouts could not be made due`, error));
  }

  async function round(): Promise<boolean> {
    const free = rail.concurrency - inFlight.size;
    const leaving = await mayLeave(free);
    const isLeft = leaving > 0;
    const limit = Math.min(CLAIM_AT_MOST, isLeft ? leaving : breaker.allowance(free, inFlight.size));
    if (limit <= 0 || !(await shared.clockIsRight())) return false;
    const closed = isLeft ? undefined : await closure(parts);
    const { restoredAt, doubt, heldBefore } = await shared.restoreAround(rail.name);
    const since = doubt?.startedAt ?? null;
    const claims = await claimDue(parts, {
      limit,
      isHeld: isLeft || closed !== undefined,
      queuedOnly: isLeft,
      since,
      restoredAt,
      heldBefore,
    });
    if (claims.some(({ isBegun }) => isBegun)) await shared.mark(rail.name);
    const holders = await findHolders(shared, claims);
    for (const claim of claims) {
      const hold = isLeft ? down(claim, clock.now()) : closed;
      const around = { hold, holder: holders.get(claim), doubt: isLeft ? null : doubt, heldBefore };
      track(claim, processClaim(parts, claim, around));
    }
    // A single payout moves to another rail as a probe. The next round sees the outcome.
    return claims.length === limit && leaving !== 1;
  }

  /**
   * Returns how many queued payouts may move to another rail while this rail is down. They move one at a time while the other
   * rail has not answered since it failed. Otherwise two rails that are down would move their backlogs back and forth.
   */
  async function mayLeave(free: number): Promise<number> {
    if (breaker.state !== 'open') return 0;
    if (await shared.mayLeave(rail.name, (other) => shared.isDown(other) || shared.isTried(other))) return free;
    return (await shared.mayLeave(rail.name, shared.isDown)) ? Math.min(free, 1) : 0;
  }

  /**
   * A step that throws leaves its payout leased. After the lease expires a worker asks about it, so no payout is lost or sent
   * twice.
   */
  function track({ payout }: ClaimedPayout, work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => onProblem(`payout ${payout.merchantId}/${payout.payoutId}: its step failed`, error))
      .finally(() => {
        inFlight.delete(done);
        // Half of the rail's places are free again: begin a round now, so that the rail does not idle until the next one.
        if (inFlight.size === Math.floor(rail.concurrency / 2)) rounds.nudge();
      });
    inFlight.add(done);
  }

  return {
    rail: rail.name,
    state: () => ({ breaker: breaker.state, inFlight: inFlight.size }),
    start: rounds.start,
    nudge: rounds.nudge,
    async stop() {
      await rounds.stop();
      await Promise.all(inFlight);
      await waking;
    },
  };
}

interface DueClaim {
  readonly limit: number;
  /** The rail accepts nothing now, so the claim begins no attempt. */
  readonly isHeld: boolean;
  readonly queuedOnly: boolean;
  readonly since: Instant | null;
  readonly restoredAt: Instant | null;
  readonly heldBefore: Instant | undefined;
}

function claimDue(
  { rail, clock, pauses, jobs, witness, isListed, recordingMs = RECORDING_MS }: LoopParts,
  { limit, isHeld, queuedOnly, since, restoredAt, heldBefore }: DueClaim,
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
    heldBefore,
    restoredAt,
    witness: witness(),
  });
}

/** Why the worker sends nothing to a whole rail, and for how long. */
interface RailHold {
  readonly note: string;
  readonly waitMs: number;
}

/**
 * A queued payout that is held back is claimed at growing intervals. A resume makes it due at once, but a worker that was
 * stalled meanwhile may still see the pause: the first interval bounds that delay.
 */
const FIRST_LOOK_MS = 30 * SECOND_MS;
const LONGEST_LOOK_MS = { down: 5 * MINUTE_MS, paused: 1 * HOUR_MS } as const;

function lookAgainMs({ stageSince }: ClaimedPayout, now: Instant, why: keyof typeof LONGEST_LOOK_MS): number {
  return Math.min(Math.max((now - stageSince) / 4, FIRST_LOOK_MS), LONGEST_LOOK_MS[why]);
}

function down(claim: ClaimedPayout, now: Instant): RailHold {
  return { note: RAIL_DOWN_NOTE, waitMs: lookAgainMs(claim, now, 'down') };
}

async function closure({ rail, closedUntil, clock }: LoopParts): Promise<RailHold | undefined> {
  const opensAt = await closedUntil(rail.name);
  if (opensAt === undefined) return undefined;
  return {
    note: `closed until ${new Date(opensAt).toISOString()}`,
    waitMs: Math.min(opensAt - clock.now(), LOOK_AGAIN_MS),
  };
}

/** The circumstances that decide the next step of a claimed payout. */
interface Circumstances {
  readonly hold: RailHold | undefined;
  /** The rail whose provider listed the payout while no payout had its reference. */
  readonly holder: string | undefined;
  /** Null: a first send needs no query to a bank. */
  readonly doubt: TimeInDoubt | null;
  readonly heldBefore: Instant | undefined;
}

/**
 * Sends a payout whose attempt has begun, asks about one that a bank may know, and postpones or reroutes one that is held back.
 */
function processClaim(parts: LoopParts, claim: ClaimedPayout, around: Circumstances): Promise<void> {
  const { holder } = around;
  if (claim.isBegun && holder === undefined) return sendClaimed(parts, claim);
  if (claim.isBegun && holder !== undefined && holder !== parts.rail.name) return leaveTo(parts, claim, holder);
  if (!isUnsent(claim.stage))
    return askClaimed(parts, claim, {
      isUnaccounted: holder === parts.rail.name,
      mayBeElsewhere: mayBeElsewhere(parts, claim, around.doubt),
    });
  if (claim.paidBy !== null) return endElsewhere(parts, claim, claim.paidBy);
  const { doubt } = around;
  if (doubt !== null && isToBeAskedFirst(doubt.startedAt, claim.askedAt)) return askFirst(parts, claim, doubt, around);
  if (isHeldBySeal(claim)) return checkSealAgain(parts, claim);
  if (isHeldUntilCompleted(around.heldBefore, claim)) return waitForCompletion(parts, claim);
  return claim.stage === 'awaiting_approval' ? leaveToApprover(parts, claim) : putOff(parts, claim, around.hold);
}

/** A query that sends the payout again may be its first send. So the payout waits for all that a send waits for. */
function askFirst(
  parts: LoopParts,
  claim: ClaimedPayout,
  doubt: TimeInDoubt,
  { hold, holder, heldBefore }: Circumstances,
): Promise<void> {
  const { rail, pauses } = parts;
  const { payout, stage, stageSince } = claim;
  const mayBeSent = rail.asksBySending === true && payout.purpose !== 'payout' && holder !== rail.name;
  if (!mayBeSent) return askBeforeSending(parts, claim, doubt);
  if (stage === 'awaiting_approval' || (heldBefore !== undefined && stageSince < heldBefore))
    return waitForCompletion(parts, claim, `a query to ${rail.name} would send it: release it, or complete its rail`);
  if (hold !== undefined || pauses.find({ ...payout, rail: rail.name })) return putOff(parts, claim, hold);
  return isTrusted(parts, claim) ? askBeforeSending(parts, claim, doubt) : holdBySeal(parts, claim);
}

/** The doubt ended during the round. The payout must not move to another rail, which would queue it. */
async function leaveToApprover({ jobs, clock }: LoopParts, claim: ClaimedPayout): Promise<void> {
  const { stage, asks, note } = claim;
  const at = clock.now();
  await jobs.postpone({ claim, at, dueAt: at, stage, asks, note, attemptOutcome: null });
}

/** No bank has the payout, and only the operator knows whether it ended as blocked in the lost time. */
async function waitForCompletion(
  { jobs, clock }: LoopParts,
  claim: ClaimedPayout,
  note = 'no bank has it; it is sent once the recovery of its rail is completed',
): Promise<void> {
  const { stage, asks } = claim;
  const at = clock.now();
  const dueAt = at + lookAgainMs(claim, at, 'down');
  await jobs.postpone({ claim, at, dueAt, stage, asks, note, attemptOutcome: null });
}

/** False for a payout that this bank took or that was sent after the restore: no other bank can have those. */
function mayBeElsewhere({ mayHaveAccepted }: LoopParts, claim: ClaimedPayout, doubt: TimeInDoubt | null): boolean {
  const { payout, stage, sendUntil } = claim;
  const isFromBefore = doubt !== null && sendUntil !== null && sendUntil < doubt.startedAt;
  return stage !== 'at_bank' && isFromBefore && mayHaveAccepted(payout).length > 1;
}

/** Nothing was sent yet: closes the attempt that was begun. The other rail then asks its bank. */
async function leaveTo({ jobs, clock }: LoopParts, claim: ClaimedPayout, holder: string): Promise<void> {
  const at = clock.now();
  await jobs.reroute({ claim, at, dueAt: at, rail: holder, note: `${holder} has listed it` });
}

async function putOff(parts: LoopParts, claim: ClaimedPayout, hold: RailHold | undefined): Promise<void> {
  const { pauses, rail, jobs, clock } = parts;
  const { payout, stage, asks } = claim;
  const pause = pauses.find({ ...payout, rail: rail.name });
  const at = clock.now();
  const paused = pause && {
    note: `${pause.scope} ${pause.target} is paused`,
    waitMs: lookAgainMs(claim, at, 'paused'),
  };
  const isOfRail = pause === undefined || pause.scope === 'rail';
  const { note, waitMs } = paused ?? hold ?? { note: '', waitMs: PAUSES_KNOWN_AFTER_MS };
  if (isOfRail && note !== '' && (await moveElsewhere(parts, claim, note, 0))) return;
  // The view of pauses and opening hours may be outdated. So a payout postponed for a new reason waits only briefly before a
  // second look.
  const dueAt = at + (claim.note === note ? waitMs : Math.min(waitMs, PAUSES_KNOWN_AFTER_MS));
  await jobs.postpone({ claim, at, dueAt, stage, asks, note, attemptOutcome: null });
}

interface ListedPayoutsParts extends Pick<SendPayoutJobParts, 'referenceOf'> {
  /** The rails whose providers may list the payout. The merchant may repeat it with another method, so any rail may. */
  readonly mayBeListedAt: (payout: Payout) => readonly Pick<PayoutRail, 'name'>[];
  /** The subset of these references that a provider listed while no payout had them. */
  readonly unaccounted: (references: readonly RailReference[]) => Promise<readonly RailReference[]>;
}

/**
 * Finds payouts that a provider listed while the database did not know them: a restore forgot them, and their merchants
 * repeat them. No rail sends such a payout. The rail whose provider listed it asks that provider (decision 55). Nothing
 * here changes a payout.
 *
 * Maps each payout that a provider listed to that provider's rail. All other payouts are absent.
 */
async function findHolders(
  { mayBeListedAt, referenceOf, unaccounted }: ListedPayoutsParts,
  claims: readonly ClaimedPayout[],
): Promise<ReadonlyMap<ClaimedPayout, string>> {
  const candidates = claims.flatMap((claim) => {
    const { payout, reference: own } = claim;
    if (own === null) return [];
    return mayBeListedAt(payout).map(({ name: rail }) => {
      const reference = rail === payout.rail ? own : referenceOf({ ...payout, rail });
      return { claim, rail, reference };
    });
  });
  if (candidates.length === 0) return new Map();
  const listed = new Set((await unaccounted(candidates)).map(textOf));
  return new Map(candidates.filter((each) => listed.has(textOf(each))).map(({ claim, rail }) => [claim, rail]));
}

/** The name of a rail contains no space. */
function textOf({ rail, reference }: RailReference): string {
  return `${rail} ${reference}`;
}
