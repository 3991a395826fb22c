/**
 * Processes one claimed payout: sends it once or asks the bank about it, and turns the answer into the next step. Tables map
 * each answer to its step. No network call runs inside a transaction.
 */
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payout, PayoutStage } from '../../domain/payouts/payout.ts';
import type { ClaimedPayout, PayoutJobStore } from '../../domain/payouts/payout-job-store.ts';
import { orderOf, type PayoutAtRail } from '../../domain/payouts/payout-order.ts';
import {
  type PayoutOrder,
  type PayoutRail,
  type RailAnswer,
  type RailStatus,
  type StatusCall,
  statusBy,
} from '../../domain/payouts/payout-rail.ts';
import { stageAfter } from '../../domain/payouts/payout-transitions.ts';
import type { PayoutReport } from '../../domain/payouts/plan-settlement.ts';
import type { RailChoice } from '../../domain/payouts/rail-choice.ts';
import type { SettlePayout } from '../../domain/payouts/settle-payout.ts';
import type { Vault } from '../../domain/vault/vault.ts';
import { type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline, Deadlines } from '../../foundation/deadline.ts';
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
  /** False: the clocks of this machine and the database differ too much, so nothing is sent and no "not found" is proof. */
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

/** The next step of a payout after an answer that is not final. */
interface PayoutStep {
  readonly stage: PayoutStage;
  /** Undefined: now. */
  readonly stageSince?: Instant | undefined;
  readonly waitMs: number;
  readonly note: string;
  readonly attemptOutcome: string | null;
}

/** The bank's final outcome of a payout. Any other answer leads to a next step. */
type FinalAnswer = Extract<RailAnswer, { kind: 'executed' | 'declined' | 'reversed' }>;

function isFinal(answer: RailAnswer | RailStatus): answer is FinalAnswer {
  return answer.kind === 'executed' || answer.kind === 'declined' || answer.kind === 'reversed';
}

const RESEND_AFTER_MS = [1 * SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, 1 * MINUTE_MS, 5 * MINUTE_MS] as const;

/** The maximum delay between the commit of an attempt and its send. After it the worker does not send. */
export const SEND_GRACE_MS = 2 * SECOND_MS;

/** Sends a payout whose attempt is committed, as plan-claim.ts decided. */
export async function sendClaimed(parts: SendPayoutJobParts, claim: ClaimedPayout): Promise<void> {
  const { rail, clock, clockIsRight } = parts;
  const order = await orderFor(parts, claim);
  // Check clock and lease immediately before the send: a suspended process that resumes late must not send.
  if (!(await clockIsRight())) return;
  if (clock.now() + rail.timeoutMs > order.sendUntil) return leaveUnsent(parts, claim);
  const answer = await call(parts, claim, 'send', (deadline) => rail.send(order, deadline));
  if (isFinal(answer)) return settleByAnswer(parts, claim, answer);
  await goOn(parts, claim, 0, afterSend(parts, claim, answer));
}

/** The note of an attempt that its worker did not send in time. */
export const LATE_NOTE = 'the worker was too late to send it';

/**
 * The worker sent nothing, and under its lease no other worker did. It queues the payout without asking the bank: some
 * banks never answer that question.
 */
async function leaveUnsent(parts: SendPayoutJobParts, claim: ClaimedPayout): Promise<void> {
  const stage = stageAfter(claim.stage, 'not_accepted');
  const step = { stage, note: LATE_NOTE, attemptOutcome: 'not_accepted', waitMs: resendAfterMs(claim) };
  await postpone(parts, claim, 0, step);
}

interface AskedAs {
  /** The provider listed the reference, so no rail sends the payout, whatever the provider answers. */
  readonly isUnaccounted: boolean;
  /** The payout was sent before a restore, which may have forgotten that it was rerouted to another bank. */
  readonly mayBeElsewhere: boolean;
  /**
   * The end of an attempt from before a restore, until its rail is completed. The payout may have ended as blocked in the lost
   * time, so it waits like one that was queued before. Undefined: it may be sent again.
   */
  readonly heldSince: Instant | undefined;
}

const ASKED_ALONE: AskedAs = { isUnaccounted: false, mayBeElsewhere: false, heldSince: undefined };

/** Asks the bank about a payout that it received or may have received, by the call that plan-claim.ts allows. */
export async function askClaimed(
  parts: SendPayoutJobParts,
  claim: ClaimedPayout,
  by: StatusCall,
  { isUnaccounted, mayBeElsewhere, heldSince }: AskedAs = ASKED_ALONE,
): Promise<void> {
  const order = await orderFor(parts, claim);
  const askedAt = parts.clock.now();
  const status = await call(parts, claim, by, (deadline) => statusBy(by, parts.rail, order, deadline));
  if (status.kind === 'declined' && mayBeElsewhere)
    return postpone(parts, claim, 0, { ...declinedHere(parts.rail, claim, status.reason), stageSince: heldSince });
  if (isFinal(status)) return settleByAnswer(parts, claim, status);
  const isProof = await parts.clockIsRight();
  const step = afterAsk(parts.rail, claim, isProof ? askedAt : Number.NEGATIVE_INFINITY, status);
  if (heldSince !== undefined && step.stage === 'queued' && !isUnaccounted)
    return postpone(parts, claim, claim.asks + 1, { ...step, stageSince: heldSince });
  const isHeld = isUnaccounted && step.stage === 'queued';
  await goOn(parts, claim, claim.asks + 1, isHeld ? { ...CONTRADICTED, waitMs: longestAskMs(parts.rail) } : step);
}

/** The payout is queued again: before a first send the worker asks every bank that may have it (ask-before-sending.ts). */
function declinedHere({ name }: PayoutRail, claim: ClaimedPayout, reason: string): PayoutStep {
  const stage = stageAfter(claim.stage, 'not_accepted');
  return { stage, waitMs: 0, note: `${name} declined it: ${reason}`, attemptOutcome: 'not_accepted' };
}

/** A person must resolve the difference that the provider's list left. */
const CONTRADICTED = {
  stage: 'unknown',
  note: 'the bank lists it, but a query does not find it: see "gateway difference list"',
  attemptOutcome: null,
} as const;

/** The time until the next query, after `asks` queries. */
export function askWaitMs({ askAfterMs }: PayoutRail, asks: number): number {
  return askAfterMs[Math.min(asks, askAfterMs.length - 1)] ?? MINUTE_MS;
}

function longestAskMs({ askAfterMs }: PayoutRail): number {
  return askAfterMs.at(-1) ?? MINUTE_MS;
}

function afterSend(
  { rail }: SendPayoutJobParts,
  claim: ClaimedPayout,
  answer: Exclude<RailAnswer, FinalAnswer>,
): PayoutStep {
  const firstAsk = rail.askAfterMs[0];
  const stage = stageAfter(claim.stage, answer.kind);
  switch (answer.kind) {
    case 'pending':
      return { stage, waitMs: firstAsk, note: answer.note ?? '', attemptOutcome: 'pending' };
    case 'unknown':
      return { stage, waitMs: firstAsk, note: answer.reason, attemptOutcome: 'unknown' };
    case 'not_accepted':
      return { stage, waitMs: resendAfterMs(claim), note: answer.reason, attemptOutcome: 'not_accepted' };
  }
}

function resendAfterMs({ attempts }: ClaimedPayout): number {
  return RESEND_AFTER_MS[Math.min(attempts, RESEND_AFTER_MS.length) - 1] ?? MINUTE_MS;
}

/** The bank looked at `askedAt` or later. Its answer may be read much later and still prove only that time. */
function afterAsk(
  rail: PayoutRail,
  claim: ClaimedPayout,
  askedAt: Instant,
  status: Exclude<RailStatus, FinalAnswer>,
): PayoutStep {
  const waitMs = askWaitMs(rail, claim.asks + 1);
  const doubted = { stage: stageAfter(claim.stage, 'unknown'), waitMs, attemptOutcome: null };
  switch (status.kind) {
    case 'pending':
      // The attempt keeps the outcome that the first answer gave it.
      return {
        stage: stageAfter(claim.stage, 'pending'),
        waitMs,
        note: '',
        attemptOutcome: claim.stage === 'at_bank' ? null : 'pending',
      };
    case 'unknown':
      return { ...doubted, note: status.reason };
    case 'not_found': {
      const provedAt = (claim.sendUntil ?? 0) + rail.notFoundProofMs;
      const leftMs = provedAt - askedAt;
      const stage = stageAfter(claim.stage, 'not_accepted');
      if (stage === 'at_bank') return { ...doubted, note: 'the bank no longer finds it' };
      if (leftMs > 0) return { ...doubted, waitMs: Math.min(waitMs, leftMs), note: 'not found yet' };
      return { stage, waitMs: 0, note: 'the bank never got it', attemptOutcome: 'not_accepted' };
    }
  }
}

async function call<Answer extends RailAnswer | RailStatus>(
  { rail, breaker, clock, deadlines, onRailCall }: SendPayoutJobParts,
  claim: ClaimedPayout,
  name: 'send' | StatusCall,
  work: (deadline: Deadline) => Promise<Answer>,
): Promise<Answer> {
  const startedAt = clock.now();
  const answer = await deadlines.within(work);
  const { merchantId, payoutId } = claim.payout;
  if (answer.kind !== 'unknown' && answer.kind !== 'not_accepted') breaker.answered();
  else if (name === 'send' || countsAsFailure(claim)) breaker.failed(`${merchantId}/${payoutId}`);
  onRailCall(rail.name, name, answer.kind, clock.now() - startedAt, claim.reference ?? '');
  return answer;
}

/** Ends a payout that no bank has except an earlier one, which reports that it executed the payout. */
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
  { payout, fence }: ClaimedPayout,
  answer: FinalAnswer,
): Promise<void> {
  const end: PayoutReport = {
    event: answer.kind,
    ...(answer.kind === 'declined' ? { blockedReason: answer.blockedReason } : {}),
    rail: rail.name,
    detail: answer.kind === 'executed' ? '' : answer.reason,
    actor: rail.name,
    at: clock.now(),
  };
  const outcome = await settle(payout, fence, end);
  // The new holder may have an answer that no bank has the payout. So report the execution in spite of the lost lease.
  if (outcome.kind === 'lease_lost' && end.event === 'executed') await settle(payout, null, end);
}

/** A payout provably not accepted goes to the next rail at once, or back to the first rail after a while. */
async function goOn(parts: SendPayoutJobParts, claim: ClaimedPayout, asks: number, step: PayoutStep): Promise<void> {
  if (step.attemptOutcome === 'not_accepted' && (await moveElsewhere(parts, claim, step.note, resendAfterMs(claim))))
    return;
  await postpone(parts, claim, asks, step);
}

/** Moves a payout that no bank has. `waitMs`: the time before the first rail may have it again. False: it has no other rail. */
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

async function postpone(
  { jobs, clock }: SendPayoutJobParts,
  claim: ClaimedPayout,
  asks: number,
  { waitMs, ...step }: PayoutStep,
): Promise<void> {
  const at = clock.now();
  await jobs.postpone({ claim, at, dueAt: at + waitMs, asks, ...step });
}

async function orderFor({ vault, merchant }: SendPayoutJobParts, claim: ClaimedPayout): Promise<PayoutOrder> {
  const { payout, vaultRecord, reference, sendUntil } = claim;
  invariant(reference !== null && sendUntil !== null, 'payout sent without a recorded attempt');
  const { settings } = await merchant(payout);
  const opened = vaultRecord ? vault.openFields(vaultRecord) : {};
  return orderOf(payout, { reference, sendUntil }, opened, settings.sandbox_mode === 'delayed');
}
