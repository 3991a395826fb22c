/**
 * Sends one claimed payout, plans the next step by the bank's response (domain/payouts/plan-answer.ts) and commits it. No network
 * call runs inside a transaction.
 */
import type { ClaimedPayout } from '../../domain/payouts/payout-job-store.ts';
import { type AttemptOfOrder, payoutOrderOf } from '../../domain/payouts/payout-order.ts';
import { type FinalAnswer, isFinalAnswer, type PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { type PayoutStep, planSend, resendAfterMs } from '../../domain/payouts/plan-answer.ts';
import { reportOfAnswer } from '../../domain/payouts/plan-settlement.ts';
import { SECOND_MS } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { type CallWithBreakerParts, callWithBreaker } from './call-with-breaker.ts';
import type { OneRailParts } from './loop-parts.ts';
import { type ReroutePayoutParts, rerouteToNextRail } from './reroute-payout.ts';

export type SendClaimedParts = CallWithBreakerParts &
  ReroutePayoutParts &
  Pick<OneRailParts, 'settle' | 'vault' | 'clockIsRight'>;

/** The maximum delay between the commit of an attempt and its send. After it the worker does not send. */
export const SEND_GRACE_MS = 2 * SECOND_MS;

/** Sends a payout whose attempt is committed, as plan-claim.ts decided. */
export async function sendClaimed(parts: SendClaimedParts, claim: ClaimedPayout): Promise<void> {
  const { rail, clock, clockIsRight } = parts;
  const order = await orderFor(parts, claim);
  // Check clock and lease immediately before the send: a suspended process that resumes late must not send.
  if (!(await clockIsRight())) return;
  if (clock.now() + rail.timeoutMs > order.sendUntil)
    return follow(parts, claim, planSend(claim, { kind: 'unsent', reason: LATE_NOTE }, { rail }));
  const answer = await callWithBreaker(parts, claim, rail, 'send', order);
  if (isFinalAnswer(answer)) return settleByAnswer(parts, claim, answer);
  await follow(parts, claim, planSend(claim, answer, { rail }));
}

/** The note of an attempt that its worker did not send in time. */
export const LATE_NOTE = 'the worker was too late to send it';

export async function settleByAnswer(
  { settle, rail, clock }: SendClaimedParts,
  claim: ClaimedPayout,
  answer: FinalAnswer,
): Promise<void> {
  const { payout, fence } = claim;
  const end = reportOfAnswer(answer, rail.name, clock.now());
  const outcome = await settle(payout, fence, end, claim);
  // The new holder of the lease may have found that no bank has the payout. So report the execution anyway.
  if (outcome.kind === 'lease_lost' && end.event === 'executed') await settle(payout, null, end);
}

/** Reroutes the payout if it may, to the next rail immediately, or back to the first rail after a while. */
export async function follow(
  parts: SendClaimedParts,
  claim: ClaimedPayout,
  { waitMs, mayReroute, ...step }: PayoutStep,
): Promise<void> {
  if (mayReroute && (await rerouteToNextRail(parts, claim, step.note, resendAfterMs(claim)))) return;
  const at = parts.clock.now();
  await parts.jobs.postpone({ claim, at, dueAt: at + waitMs, ...step });
}

export function orderFor(parts: SendClaimedParts, claim: ClaimedPayout, mayConfirm = false): Promise<PayoutOrder> {
  const { reference, sendUntil } = claim;
  invariant(reference !== null && sendUntil !== null, 'payout sent without a recorded attempt');
  return orderOfClaim(parts, claim, { reference, sendUntil, mayConfirm });
}

export async function orderOfClaim(
  { vault, merchant }: SendClaimedParts,
  { payout, vaultRecord }: ClaimedPayout,
  attempt: AttemptOfOrder,
): Promise<PayoutOrder> {
  const { settings } = await merchant(payout);
  const opened = vaultRecord ? vault.openFields(vaultRecord) : {};
  return payoutOrderOf(payout, attempt, opened, settings.sandbox_mode === 'delayed');
}
