/**
 * Processes a claimed payout as its plan says (domain/payouts/plan-claim.ts): sends it, queries it, holds it back or
 * reroutes it. It does not decide anything else.
 */
import { type HeldPayout, HOLD_NOTES } from '../../domain/payouts/hold-notes.ts';
import { lookAgainMs } from '../../domain/payouts/hold-reasons.ts';
import type { ClaimedPayout } from '../../domain/payouts/payout-job-store.ts';
import { statusCallOf } from '../../domain/payouts/payout-rail.ts';
import { isAsAccepted } from '../../domain/payouts/payout-seal.ts';
import { stageAfter } from '../../domain/payouts/payout-transitions.ts';
import { type ClaimFacts, type ClaimStep, planClaim } from '../../domain/payouts/plan-claim.ts';
import type { TimeInDoubt } from '../../domain/recovery/recovery.ts';
import { PAUSES_KNOWN_AFTER_MS } from '../../domain/routing/pauses.ts';
import { SealBroken } from '../../domain/vault/create-vault.ts';
import type { Instant } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { type AskBeforeSendingParts, askBeforeSending, repeatFirst } from './ask-before-sending.ts';
import { askClaimed } from './ask-claimed.ts';
import type { OneRailParts } from './loop-parts.ts';
import { endAtPreviousRail, rerouteToNextRail } from './reroute-payout.ts';
import { sendClaimed } from './send-claimed.ts';

export type ProcessClaimParts = AskBeforeSendingParts & Pick<OneRailParts, 'pauses' | 'sendsUnsealed' | 'onSealBroken'>;

/** The circumstances of a round, and of one of its payouts. */
export type Circumstances = Pick<ClaimFacts, 'isRailDown' | 'closedUntil' | 'holder' | 'doubt' | 'heldBefore'>;

export function processClaim(parts: ProcessClaimParts, claim: ClaimedPayout, around: Circumstances): Promise<void> {
  const facts = factsOf(parts, claim, around);
  const { doubt, heldBefore } = around;
  const step = planClaim(facts);
  switch (step.do) {
    case 'send':
      return sendClaimed(parts, claim);
    case 'ask':
    case 'confirm':
    case 'repeat':
      return askClaimed(parts, claim, step.do, {
        isUnaccounted: around.holder === parts.rail.name,
        mayHaveBeenRerouted: mayHaveBeenRerouted(parts, claim, doubt),
        heldSince: heldSince(claim, heldBefore),
      });
    case 'ask_first':
      invariant(doubt !== null, 'banks are queried first without a recovery window');
      return askBeforeSending(parts, claim, doubt);
    case 'repeat_first':
      invariant(doubt !== null, 'a payout is repeated first without a recovery window');
      return repeatFirst(parts, claim, doubt);
    case 'reroute_to':
      return rerouteToHolder(parts, claim, step.rail);
    case 'end_as_paid':
      return endAtPreviousRail(parts, claim, step.rail);
    case 'hold':
      return holdBack(parts, claim, step, facts);
    case 'begin':
      return lookAgain(parts, claim, PAUSES_KNOWN_AFTER_MS);
    case 'look_again':
      return lookAgain(parts, claim, 0);
  }
}

function factsOf(parts: ProcessClaimParts, claim: ClaimedPayout, around: Circumstances): ClaimFacts {
  const { pauses } = parts;
  const { payout } = claim;
  const rail = parts.rail.name;
  return {
    ...claim,
    ...around,
    rail,
    pause: pauses.find({ ...payout, rail }),
    statusCall: statusCallOf(parts.rail, payout),
    isAsAccepted: () => isWhole(parts, claim) && isAsAccepted(parts, { ...claim, rail }),
  };
}

/**
 * Returns true if the payout's seal matches. The seal covers neither the state, nor the job and its attempt, nor the record in
 * the vault, which has its own seal.
 */
function isWhole({ rail, vault }: ProcessClaimParts, claim: ClaimedPayout): boolean {
  const { payout, vaultRecord, attempts, reference } = claim;
  const isOneJob =
    payout.state === 'pending' &&
    !claim.wasFinal &&
    payout.rail === rail.name &&
    (attempts === 0 || reference !== null);
  if (!isOneJob || (payout.beneficiary.vaultToken === null) !== (vaultRecord === null)) return false;
  try {
    if (vaultRecord) vault.openFields(vaultRecord);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}

/** Returns false for a payout that this bank accepted or that was sent after the restore: no other bank can have such a payout. */
function mayHaveBeenRerouted(
  { mayHaveAccepted }: ProcessClaimParts,
  claim: ClaimedPayout,
  doubt: TimeInDoubt | null,
): boolean {
  const { payout, stage, sendUntil } = claim;
  const isFromBefore = doubt !== null && sendUntil !== null && sendUntil < doubt.startedAt;
  return stage !== 'at_bank' && isFromBefore && mayHaveAccepted(payout).length > 1;
}

/** Returns undefined if the payout was sent after the restore, or its rail is completed. */
function heldSince({ sendUntil }: ClaimedPayout, heldBefore: Instant | undefined): Instant | undefined {
  return heldBefore !== undefined && sendUntil !== null && sendUntil < heldBefore ? sendUntil : undefined;
}

/** Nothing was sent yet: closes the attempt that was begun. The other rail then queries its bank. */
async function rerouteToHolder(
  { jobs, clock }: ProcessClaimParts,
  claim: ClaimedPayout,
  holder: string,
): Promise<void> {
  const at = clock.now();
  await jobs.reroute({ claim, at, dueAt: at, rail: holder, note: `${holder} has listed it` });
}

async function holdBack(
  parts: ProcessClaimParts,
  claim: ClaimedPayout,
  { because, mayReroute }: Extract<ClaimStep, { do: 'hold' }>,
  held: HeldPayout,
): Promise<void> {
  const { jobs, clock, onSealBroken } = parts;
  const note = HOLD_NOTES[because](held);
  if (mayReroute && (await rerouteToNextRail(parts, claim, note, 0))) return;
  const at = clock.now();
  const dueAt = at + lookAgainMs(because, claim, held.closedUntil, at);
  const to = claim.isBegun
    ? { stage: stageAfter(claim.stage, 'not_accepted'), attemptOutcome: 'not_accepted' as const }
    : { stage: claim.stage, attemptOutcome: null };
  await jobs.postpone({ claim, at, dueAt, asks: claim.asks, note, heldBecause: because, ...to });
  const { merchantId, payoutId } = claim.payout;
  if (because === 'seal_broken') onSealBroken({ merchantId, payoutId }, note);
}

/** The next claim begins the attempt. It waits until every worker knows of the end of a pause. */
async function lookAgain({ jobs, clock }: ProcessClaimParts, claim: ClaimedPayout, waitMs: number): Promise<void> {
  const { stage, asks } = claim;
  const at = clock.now();
  await jobs.postpone({ claim, at, dueAt: at + waitMs, stage, asks, note: '', attemptOutcome: null });
}
