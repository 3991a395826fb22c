/** Queries the bank about a claimed payout, plans the next step by its status (domain/payouts/plan-answer.ts) and commits it. */
import type { ClaimedPayout } from '../../domain/payouts/payout-job-store.ts';
import { isFinalAnswer, type StatusCall } from '../../domain/payouts/payout-rail.ts';
import { planQuery, type QueryCircumstances } from '../../domain/payouts/plan-answer.ts';
import { callWithBreaker } from './call-with-breaker.ts';
import { follow, orderFor, type SendClaimedParts, settleByAnswer } from './send-claimed.ts';

interface AskedAs extends Omit<QueryCircumstances, 'askedAt'> {
  /** The payout was sent before a restore, which may have lost that it was rerouted to another bank. */
  readonly mayHaveBeenRerouted: boolean;
}

const ASKED_ALONE: AskedAs = { isUnaccounted: false, mayHaveBeenRerouted: false, heldSince: undefined };

/** Queries the bank about a payout that it received or may have received, as plan-claim.ts allows. */
export async function askClaimed(
  parts: SendClaimedParts,
  claim: ClaimedPayout,
  step: StatusCall | 'confirm',
  asked: AskedAs = ASKED_ALONE,
): Promise<void> {
  const { rail, clock, clockIsRight } = parts;
  const order = await orderFor(parts, claim, step === 'confirm');
  const by = step === 'confirm' ? 'ask' : step;
  const askedAt = clock.now();
  const status = await callWithBreaker(parts, claim, rail, by, order);
  if (status.kind === 'declined' && asked.mayHaveBeenRerouted)
    return follow(parts, claim, planQuery(claim, status, { ...asked, askedAt, rail }));
  if (isFinalAnswer(status)) return settleByAnswer(parts, claim, status);
  const provedAt = (await clockIsRight()) ? askedAt : Number.NEGATIVE_INFINITY;
  await follow(parts, claim, planQuery(claim, status, { ...asked, askedAt: provedAt, rail }));
}
