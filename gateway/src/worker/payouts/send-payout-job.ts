/**
 * Processes one claimed payout: sends it once or asks the bank about it, plans the next step by the answer
 * (domain/payouts/plan-answer.ts) and commits it. No network call runs inside a transaction.
 */
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { ClaimedPayout, PayoutJobStore } from '../../domain/payouts/payout-job-store.ts';
import { type AttemptOfOrder, type PayoutAtRail, payoutOrderOf } from '../../domain/payouts/payout-order.ts';
import {
  type FinalAnswer,
  isFinalAnswer,
  type PayoutOrder,
  type PayoutRail,
  type RailAnswer,
  type RailStatus,
  type StatusCall,
  statusBy,
} from '../../domain/payouts/payout-rail.ts';
import {
  type PayoutStep,
  planQuery,
  planSend,
  type QueryCircumstances,
  resendAfterMs,
} from '../../domain/payouts/plan-answer.ts';
import { reportOfAnswer } from '../../domain/payouts/plan-settlement.ts';
import type { RailChoice } from '../../domain/payouts/rail-choice/rail-choice.ts';
import type { SettlePayout } from '../../domain/payouts/settle-payout.ts';
import type { Vault } from '../../domain/vault/vault.ts';
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';
import { type Deadline, type Deadlines, withDeadline } from '../../foundation/deadline.ts';
import { invariant } from '../../foundation/invariant.ts';
import { countsAsFailure, type RailBreaker } from './rail-breaker.ts';

export interface SendPayoutJobParts {
  readonly rail: PayoutRail;
  readonly breaker: RailBreaker;
  readonly jobs: PayoutJobStore;
  readonly settle: SettlePayout;
  readonly vault: Pick<Vault, 'openFields' | 'fingerprint'>;
  readonly merchant: (payout: Payout) => Promise<Merchant>;
  readonly clock: Clock;
  /** Resolves to false if the two clocks differ too much. The worker then sends nothing, and no "not found" is a proof. */
  readonly clockIsRight: () => Promise<boolean>;
  /** The deadlines of the rail's calls. */
  readonly deadlines: Deadlines;
  readonly elsewhere: RailChoice['elsewhere'];
  /** All rails whose banks may have such a payout. */
  readonly mayHaveAccepted: (payout: Payout) => readonly PayoutRail[];
  /** The reference under which that rail's bank knows the payout, whether it was sent or not. */
  readonly referenceOf: (payout: PayoutAtRail) => string;
  /** True for a rail that keeps failing and admits no probe at the moment. */
  readonly isDown: (rail: string) => boolean;
  readonly onRailCall: (
    rail: string,
    call: 'send' | StatusCall,
    answer: string,
    latencyMs: number,
    reference: string,
  ) => void;
}

/** The maximum delay between the commit of an attempt and its send. After it the worker does not send. */
export const SEND_GRACE_MS = 2 * SECOND_MS;

/** Sends a payout whose attempt is committed, as plan-claim.ts decided. */
export async function sendClaimed(parts: SendPayoutJobParts, claim: ClaimedPayout): Promise<void> {
  const { rail, clock, clockIsRight } = parts;
  const order = await orderFor(parts, claim);
  // Check clock and lease immediately before the send: a suspended process that resumes late must not send.
  if (!(await clockIsRight())) return;
  if (clock.now() + rail.timeoutMs > order.sendUntil)
    return follow(parts, claim, planSend(claim, { kind: 'unsent', reason: LATE_NOTE }, { pace: rail }));
  const answer = await callRail(parts, claim, { name: 'send', rail, reference: order.reference }, (deadline) =>
    rail.send(order, deadline),
  );
  if (isFinalAnswer(answer)) return settleByAnswer(parts, claim, answer);
  await follow(parts, claim, planSend(claim, answer, { pace: rail }));
}

/** The note of an attempt that its worker did not send in time. */
export const LATE_NOTE = 'the worker was too late to send it';

interface AskedAs extends Omit<QueryCircumstances, 'askedAt'> {
  /** The payout was sent before a restore, which may have forgotten that it was rerouted to another bank. */
  readonly mayBeElsewhere: boolean;
}

const ASKED_ALONE: AskedAs = { isUnaccounted: false, mayBeElsewhere: false, heldSince: undefined };

/** Asks the bank about a payout that it received or may have received, as plan-claim.ts allows. */
export async function askClaimed(
  parts: SendPayoutJobParts,
  claim: ClaimedPayout,
  step: StatusCall | 'confirm',
  asked: AskedAs = ASKED_ALONE,
): Promise<void> {
  const { rail, clock, clockIsRight } = parts;
  const order = await orderFor(parts, claim, step === 'confirm');
  const by = step === 'confirm' ? 'ask' : step;
  const askedAt = clock.now();
  const status = await callRail(parts, claim, { name: by, rail, reference: order.reference }, (deadline) =>
    statusBy(by, rail, order, deadline),
  );
  if (status.kind === 'declined' && asked.mayBeElsewhere)
    return follow(parts, claim, planQuery(claim, status, { ...asked, askedAt, pace: rail }));
  if (isFinalAnswer(status)) return settleByAnswer(parts, claim, status);
  const provedAt = (await clockIsRight()) ? askedAt : Number.NEGATIVE_INFINITY;
  await follow(parts, claim, planQuery(claim, status, { ...asked, askedAt: provedAt, pace: rail }));
}

interface RailCall {
  readonly name: 'send' | StatusCall;
  readonly rail: PayoutRail;
  readonly reference: string;
}

/**
 * Calls the bank of a rail about a claimed payout, within the rail's time limit. A call to the worker's own rail moves its
 * breaker.
 */
export async function callRail<Answer extends RailAnswer | RailStatus>(
  { rail: own, breaker, clock, deadlines, onRailCall }: SendPayoutJobParts,
  claim: ClaimedPayout,
  { name, rail, reference }: RailCall,
  work: (deadline: Deadline) => Promise<Answer>,
): Promise<Answer> {
  const startedAt = clock.now();
  const isOwn = rail.name === own.name;
  const answer = await (isOwn ? deadlines.within(work) : withDeadline(clock, rail.timeoutMs, work));
  const { merchantId, payoutId } = claim.payout;
  const hasAnswered = answer.kind !== 'unknown' && answer.kind !== 'not_accepted';
  if (isOwn && hasAnswered) breaker.answered();
  else if (isOwn && (name === 'send' || countsAsFailure(claim))) breaker.failed(`${merchantId}/${payoutId}`);
  onRailCall(rail.name, name, answer.kind, clock.now() - startedAt, reference);
  return answer;
}

/** Ends a payout whose earlier bank reports that it executed it, while no other bank has it. */
export async function endElsewhere(
  { settle, clock }: SendPayoutJobParts,
  { payout, fence }: ClaimedPayout,
  paidBy: string,
): Promise<void> {
  const ended = { event: 'executed', rail: paidBy, actor: paidBy, at: clock.now() } as const;
  await settle(payout, fence, { ...ended, detail: 'no other bank has it' });
}

async function settleByAnswer(
  { settle, rail, clock }: SendPayoutJobParts,
  claim: ClaimedPayout,
  answer: FinalAnswer,
): Promise<void> {
  const { payout, fence } = claim;
  const end = reportOfAnswer(answer, rail.name, clock.now());
  const outcome = await settle(payout, fence, end, claim);
  // The new holder of the lease may have learned that no bank has the payout. So report the execution although the lease is
  // lost.
  if (outcome.kind === 'lease_lost' && end.event === 'executed') await settle(payout, null, end);
}

/** A payout that may move goes to the next rail immediately, or back to the first rail after a while. */
async function follow(
  parts: SendPayoutJobParts,
  claim: ClaimedPayout,
  { waitMs, mayMove, ...step }: PayoutStep,
): Promise<void> {
  if (mayMove && (await moveElsewhere(parts, claim, step.note, resendAfterMs(claim)))) return;
  const at = parts.clock.now();
  await parts.jobs.postpone({ claim, at, dueAt: at + waitMs, ...step });
}

/** Moves a payout that no bank received. The first rail may get it again after `waitMs`. Returns false without another rail. */
export async function moveElsewhere(
  { jobs, merchant, elsewhere, isDown, clock }: SendPayoutJobParts,
  claim: ClaimedPayout,
  note: string,
  waitMs: number,
): Promise<boolean> {
  const next = await elsewhere(await merchant(claim.payout), claim.payout, isDown);
  if (!next) return false;
  const at = clock.now();
  await jobs.reroute({ claim, at, dueAt: at + (next.isFirstAgain ? waitMs : 0), rail: next.rail, note });
  return true;
}

function orderFor(parts: SendPayoutJobParts, claim: ClaimedPayout, mayConfirm = false): Promise<PayoutOrder> {
  const { reference, sendUntil } = claim;
  invariant(reference !== null && sendUntil !== null, 'payout sent without a recorded attempt');
  return orderOfClaim(parts, claim, { reference, sendUntil, mayConfirm });
}

export async function orderOfClaim(
  { vault, merchant }: SendPayoutJobParts,
  { payout, vaultRecord }: ClaimedPayout,
  attempt: AttemptOfOrder,
): Promise<PayoutOrder> {
  const { settings } = await merchant(payout);
  const opened = vaultRecord ? vault.openFields(vaultRecord) : {};
  return payoutOrderOf(payout, attempt, opened, settings.sandbox_mode === 'delayed');
}
