/**
 * Payouts that the worker holds back: because their rail is down, closed or paused, because a restore may have forgotten them,
 * or because another provider listed them. It postpones each, or moves it to another rail. It sends nothing.
 */
import type { Payout } from '../../domain/payouts/payout.ts';
import { type ClaimedPayout, RAIL_DOWN_NOTE } from '../../domain/payouts/payout-job-store.ts';
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import type { TimeInDoubt } from '../../domain/recovery/recovery.ts';
import type { RailReference } from '../../domain/recovery/recovery-store.ts';
import { PAUSES_KNOWN_AFTER_MS, type PauseView } from '../../domain/routing/pauses.ts';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { askBeforeSending } from './ask-before-sending.ts';
import { holdBySeal, isTrusted, moveElsewhere, type SendPayoutJobParts } from './send-payout-job.ts';

export interface HoldParts extends SendPayoutJobParts {
  readonly pauses: PauseView;
  /** The time when a closed rail opens. Undefined: it is open. */
  readonly closedUntil: (rail: string) => Promise<Instant | undefined>;
}

/** The operator or a time zone change may move the opening time of a closed rail, so the worker looks again. */
const LOOK_AGAIN_MS = 1 * HOUR_MS;

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

export function down(claim: ClaimedPayout, now: Instant): RailHold {
  return { note: RAIL_DOWN_NOTE, waitMs: lookAgainMs(claim, now, 'down') };
}

export async function closure({ rail, closedUntil, clock }: HoldParts): Promise<RailHold | undefined> {
  const opensAt = await closedUntil(rail.name);
  if (opensAt === undefined) return undefined;
  return {
    note: `closed until ${new Date(opensAt).toISOString()}`,
    waitMs: Math.min(opensAt - clock.now(), LOOK_AGAIN_MS),
  };
}

/** The circumstances that decide the next step of a claimed payout. */
export interface Circumstances {
  readonly hold: RailHold | undefined;
  /** The rail whose provider listed the payout while no payout had its reference. */
  readonly holder: string | undefined;
  /** Null: a first send needs no query to a bank. */
  readonly doubt: TimeInDoubt | null;
  readonly heldBefore: Instant | undefined;
}

/** A query that sends the payout again may be its first send. So the payout waits for all that a send waits for. */
export function askFirst(
  parts: HoldParts,
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
  if (hold !== undefined || pauses.find({ ...payout, rail: rail.name })) return postponeHeld(parts, claim, hold);
  return isTrusted(parts, claim) ? askBeforeSending(parts, claim, doubt) : holdBySeal(parts, claim);
}

/** The doubt ended during the round. The payout must not move to another rail, which would queue it. */
export async function leaveToApprover({ jobs, clock }: HoldParts, claim: ClaimedPayout): Promise<void> {
  const { stage, asks, note } = claim;
  const at = clock.now();
  await jobs.postpone({ claim, at, dueAt: at, stage, asks, note, attemptOutcome: null });
}

/** No bank has the payout, and only the operator knows whether it ended as blocked in the lost time. */
export async function waitForCompletion(
  { jobs, clock }: HoldParts,
  claim: ClaimedPayout,
  note = 'no bank has it; it is sent once the recovery of its rail is completed',
): Promise<void> {
  const { stage, asks } = claim;
  const at = clock.now();
  const dueAt = at + lookAgainMs(claim, at, 'down');
  await jobs.postpone({ claim, at, dueAt, stage, asks, note, attemptOutcome: null });
}

/** False for a payout that this bank accepted or that was sent after the restore: no other bank can have such a payout. */
export function mayBeElsewhere(
  { mayHaveAccepted }: HoldParts,
  claim: ClaimedPayout,
  doubt: TimeInDoubt | null,
): boolean {
  const { payout, stage, sendUntil } = claim;
  const isFromBefore = doubt !== null && sendUntil !== null && sendUntil < doubt.startedAt;
  return stage !== 'at_bank' && isFromBefore && mayHaveAccepted(payout).length > 1;
}

/** Undefined: the payout was sent after the restore, or its rail is completed. */
export function heldSince({ sendUntil }: ClaimedPayout, heldBefore: Instant | undefined): Instant | undefined {
  return heldBefore !== undefined && sendUntil !== null && sendUntil < heldBefore ? sendUntil : undefined;
}

/** Nothing was sent yet: closes the attempt that was begun. The other rail then asks its bank. */
export async function leaveTo({ jobs, clock }: HoldParts, claim: ClaimedPayout, holder: string): Promise<void> {
  const at = clock.now();
  await jobs.reroute({ claim, at, dueAt: at, rail: holder, note: `${holder} has listed it` });
}

export async function postponeHeld(parts: HoldParts, claim: ClaimedPayout, hold: RailHold | undefined): Promise<void> {
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
  // second check.
  const dueAt = at + (claim.note === note ? waitMs : Math.min(waitMs, PAUSES_KNOWN_AFTER_MS));
  await jobs.postpone({ claim, at, dueAt, stage, asks, note, attemptOutcome: null });
}

export interface ListedPayoutsParts extends Pick<SendPayoutJobParts, 'referenceOf'> {
  /** The rails whose providers may list the payout. The merchant may repeat it with another method, so any rail may. */
  readonly mayBeListedAt: (payout: Payout) => readonly Pick<PayoutRail, 'name'>[];
  /** The subset of these references that a provider listed while no payout had them. It computes them only if it has any. */
  readonly unaccounted: (references: () => readonly RailReference[]) => Promise<readonly RailReference[]>;
}

/**
 * Finds payouts that a provider listed while the database did not know them: a restore forgot them, and their merchants
 * repeat them. No rail sends such a payout. The rail whose provider listed it asks that provider (decision 55).
 *
 * Maps each payout that a provider listed to that provider's rail. All other payouts are absent.
 */
export async function findHolders(
  { mayBeListedAt, referenceOf, unaccounted }: ListedPayoutsParts,
  claims: readonly ClaimedPayout[],
): Promise<ReadonlyMap<ClaimedPayout, string>> {
  if (claims.length === 0) return new Map();
  const candidatesOf = (claim: ClaimedPayout) => {
    const { payout, reference: own } = claim;
    if (own === null) return [];
    return mayBeListedAt(payout).map(({ name: rail }) => {
      const reference = rail === payout.rail ? own : referenceOf({ ...payout, rail });
      return { claim, rail, reference };
    });
  };
  const listed = new Set((await unaccounted(() => claims.flatMap(candidatesOf))).map(textOf));
  const candidates = listed.size === 0 ? [] : claims.flatMap(candidatesOf);
  return new Map(candidates.filter((each) => listed.has(textOf(each))).map(({ claim, rail }) => [claim, rail]));
}

/** The name of a rail contains no space. */
function textOf({ rail, reference }: RailReference): string {
  return `${rail} ${reference}`;
}
