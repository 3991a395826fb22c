/**
 * Decides what a worker does with a payout that it claimed: whether the payout may be sent now, and if not, why not. No other
 * code decides. The claim in SQL begins an attempt exactly if this plan is `begin`; a test compares the two.
 */
import type { Instant } from '../../foundation/clock.ts';
import { isHeldUntilCompleted, isToBeAskedFirst, type TimeInDoubt } from '../recovery/recovery.ts';
import type { HeldPayout } from './hold-notes.ts';
import type { HoldReason } from './hold-reasons.ts';
import { isUnsent } from './payout.ts';
import type { PayoutJob } from './payout-job-store.ts';
import type { StatusCall } from './payout-rail.ts';

export interface ClaimFacts
  extends HeldPayout,
    Pick<PayoutJob, 'stage' | 'stageSince' | 'askedAt' | 'paidBy' | 'heldBecause'> {
  /** True if the claim has begun an attempt. */
  readonly isBegun: boolean;
  /** The rail whose provider listed the payout while no payout had its reference. */
  readonly holder: string | undefined;
  /** Null if a first send requires no query to a bank. */
  readonly doubt: TimeInDoubt | null;
  /** The rail does not send a payout that was queued before this time. If undefined, it sends all. */
  readonly heldBefore: Instant | undefined;
  readonly statusCall: StatusCall;
  /** The rail keeps failing, and its payouts may move to another rail. */
  readonly isRailDown: boolean;
  /** Returns true if the row is unchanged since its acceptance. The plan calls it only before a call to a bank. */
  readonly isAsAccepted: () => boolean;
}

/**
 * - `begin`: nothing holds the payout back, and the next claim begins its attempt. `send`: this claim began it.
 * - `ask`: a bank may have received it. `confirm`: the same, and if its bank holds it as a probable duplicate, the bank may
 *   pay it. `ask_first`: a bank may have received it before a restore. `repeat` and `repeat_first`: the same at a rail that
 *   can query it only by sending the payout again. `repeat_first` records the attempt before it.
 * - `reroute_to`: another rail may have sent it, so the attempt ends unsent. `end_as_paid`: a previous rail paid it.
 * - `hold`: it waits for this reason. `mayReroute`: the next rail may carry it.
 * - `look_again`: the reason for which it waited no longer applies.
 */
export type ClaimStep =
  | { readonly do: 'send' | 'ask' | 'confirm' | 'ask_first' | 'repeat' | 'repeat_first' | 'begin' | 'look_again' }
  | { readonly do: 'reroute_to' | 'end_as_paid'; readonly rail: string }
  | { readonly do: 'hold'; readonly because: HoldReason; readonly mayReroute: boolean };

export function planClaim(facts: ClaimFacts): ClaimStep {
  const { stage, holder, paidBy, doubt, heldBecause, statusCall } = facts;
  if (facts.isBegun && holder === undefined) return ifSealed(facts, 'send');
  if (facts.isBegun && holder !== undefined && holder !== facts.rail) return { do: 'reroute_to', rail: holder };
  if (!isUnsent(stage)) return ifSealed(facts, statusCall === 'ask' && isFree(facts) ? 'confirm' : statusCall);
  if (paidBy !== null) return { do: 'end_as_paid', rail: paidBy };
  // A rail that is down does not respond to queries. Its payouts may be rerouted, and the next rail then queries first.
  const asksFirst = !facts.isRailDown && doubt !== null && isToBeAskedFirst(doubt.startedAt, facts.askedAt);
  if (asksFirst) return planFirstQuery(facts);
  if (heldBecause === 'seal_broken') return ifSealed(facts, 'look_again');
  if (isHeldUntilCompleted(facts.heldBefore, facts)) return hold('recovering');
  if (stage === 'awaiting_approval') return { do: 'look_again' };
  return holdNow(facts) ?? { do: 'begin' };
}

/** True if no pause, closing time, recovery or provider's list holds the payout back. */
function isFree({ pause, closedUntil, heldBefore, holder }: ClaimFacts): boolean {
  return [pause, closedUntil, heldBefore, holder].every((reason) => reason === undefined);
}

/** A repeat may be the first send, so the payout waits for the same reasons as a send, unless its provider listed it. */
function planFirstQuery(facts: ClaimFacts): ClaimStep {
  const { stage, stageSince, heldBefore, holder, rail } = facts;
  if (facts.statusCall === 'ask') return { do: 'ask_first' };
  if (holder === rail) return ifSealed(facts, 'repeat_first');
  if (stage === 'awaiting_approval' || (heldBefore !== undefined && stageSince < heldBefore))
    return hold('query_would_send');
  return holdNow(facts) ?? ifSealed(facts, 'repeat_first');
}

/**
 * Payouts may move to another rail only if the entire rail is held. A payout from before a restore stays: the recovery of its
 * own rail must be completed before any rail sends it.
 */
function holdNow({ pause, isRailDown, closedUntil, heldBefore, stageSince }: ClaimFacts): ClaimStep | undefined {
  const mayReroute = heldBefore === undefined || stageSince >= heldBefore;
  if (pause) return hold('paused', mayReroute && pause.scope === 'rail');
  if (isRailDown) return hold('rail_down', mayReroute);
  return closedUntil === undefined ? undefined : hold('closed', mayReroute);
}

/** A query about a changed row may concern another payout, whose response would then resend or end this one. */
function ifSealed(
  { isAsAccepted }: ClaimFacts,
  step: 'send' | 'ask' | 'confirm' | 'repeat' | 'repeat_first' | 'look_again',
): ClaimStep {
  return isAsAccepted() ? { do: step } : hold('seal_broken');
}

function hold(because: HoldReason, mayReroute = false): ClaimStep {
  return { do: 'hold', because, mayReroute };
}
