/**
 * One payout in the worker's hands: the bank is told once or asked, and the answer becomes the next step. What each
 * answer leads to is here as tables; the network is outside of every transaction.
 */
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payout, PayoutStage } from '../../domain/payouts/payout.ts';
import type { ClaimedPayout, PayoutJobStore } from '../../domain/payouts/payout-job-store.ts';
import { orderOf } from '../../domain/payouts/payout-order.ts';
import type { PayoutOrder, PayoutRail, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import type { PayoutAtRail } from '../../domain/payouts/payout-reference.ts';
import type { RailChoice } from '../../domain/payouts/rail-choice.ts';
import type { ReportPayout } from '../../domain/payouts/report-payout.ts';
import type { PayoutReport } from '../../domain/payouts/settle-payout.ts';
import type { Vault } from '../../domain/vault/vault.ts';
import { type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline, Deadlines } from '../../foundation/deadline.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { RailBreaker } from './rail-breaker.ts';

export interface SendPayoutJobParts {
  readonly rail: PayoutRail;
  readonly breaker: RailBreaker;
  readonly jobs: PayoutJobStore;
  readonly report: ReportPayout;
  readonly vault: Pick<Vault, 'openFields'>;
  readonly merchant: (payout: Payout) => Promise<Merchant>;
  readonly clock: Clock;
  /** Of the rail's calls. */
  readonly deadlines: Deadlines;
  readonly elsewhere: RailChoice['elsewhere'];
  /** Every rail whose bank may have such a payout. */
  readonly mayHaveTaken: (payout: Payout) => readonly PayoutRail[];
  /** By which that rail's bank knows the payout, whether it was sent or not. */
  readonly referenceOf: (payout: PayoutAtRail) => string;
  /** True for a rail that keeps failing, and takes none to try it by just now. */
  readonly isDown: (rail: string) => boolean;
  readonly onRailCall: (rail: string, call: 'send' | 'ask', answer: string, latencyMs: number) => void;
}

/** Where a payout goes after an answer that is not the bank's final word. */
interface NextStep {
  readonly stage: PayoutStage;
  readonly waitMs: number;
  readonly note: string;
  readonly attemptOutcome: string | null;
}

/** The bank's word on what became of a payout; anything else is a step on the way. */
type FinalWord = Extract<RailAnswer, { kind: 'executed' | 'declined' | 'reversed' }>;

function isFinal(answer: RailAnswer | RailStatus): answer is FinalWord {
  return answer.kind === 'executed' || answer.kind === 'declined' || answer.kind === 'reversed';
}

const RESEND_AFTER_MS = [1 * SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, 1 * MINUTE_MS, 5 * MINUTE_MS] as const;

/** How long sending may be late behind the commit of its attempt: past it the attempt is not sent at all. */
export const SEND_GRACE_MS = 2 * SECOND_MS;

/** Sends the payout of an attempt that is committed. */
export async function sendClaimed(parts: SendPayoutJobParts, claim: ClaimedPayout): Promise<void> {
  const { rail, clock } = parts;
  const order = await orderFor(parts, claim);
  // The last look at the lease, immediately before the write: one that wakes up late must not send.
  if (clock.now() + rail.timeoutMs > order.sendUntil) return;
  const answer = await call(parts, claim, 'send', (deadline) => rail.send(order, deadline));
  if (isFinal(answer)) return settle(parts, claim, answer);
  await goOn(parts, claim, 0, afterSend(parts, claim, answer));
}

export interface AskedAs {
  /** Its provider has listed the reference, so whatever it answers, the payout is sent by nobody. */
  readonly isUnaccounted: boolean;
  /** It was told of before a restore, which may have forgotten that another bank was next. */
  readonly mayBeElsewhere: boolean;
}

/** Asks the bank about a payout that it was, or may have been, told of. */
export async function askClaimed(
  parts: SendPayoutJobParts,
  claim: ClaimedPayout,
  { isUnaccounted, mayBeElsewhere }: AskedAs = { isUnaccounted: false, mayBeElsewhere: false },
): Promise<void> {
  const order = await orderFor(parts, claim);
  const askedAt = parts.clock.now();
  const status = await call(parts, claim, 'ask', (deadline) => parts.rail.ask(order, deadline));
  if (status.kind === 'declined' && mayBeElsewhere)
    return postpone(parts, claim, 0, declinedHere(parts.rail, status.reason));
  if (isFinal(status)) return settle(parts, claim, status);
  const step = afterAsk(parts.rail, claim, askedAt, status);
  const isHeld = isUnaccounted && step.stage === 'queued';
  await goOn(parts, claim, claim.asks + 1, isHeld ? { ...CONTRADICTED, waitMs: longestAskMs(parts.rail) } : step);
}

/** Before a first send all banks that may have it are asked, this one among them (ask-before-sending.ts). */
function declinedHere({ name }: PayoutRail, reason: string): NextStep {
  return { stage: 'queued', waitMs: 0, note: `${name} declined it: ${reason}`, attemptOutcome: 'not_taken' };
}

/** For a person to look at: the difference that the list left is theirs to resolve. */
const CONTRADICTED = {
  stage: 'unknown',
  note: 'the bank lists it and, asked, does not find it: see "gateway difference list"',
  attemptOutcome: null,
} as const;

/** Before the next question, after so many of them. */
export function askWaitMs({ askAfterMs }: PayoutRail, asks: number): number {
  return askAfterMs[Math.min(asks, askAfterMs.length - 1)] ?? MINUTE_MS;
}

function longestAskMs({ askAfterMs }: PayoutRail): number {
  return askAfterMs.at(-1) ?? MINUTE_MS;
}

function afterSend(
  { rail }: SendPayoutJobParts,
  claim: ClaimedPayout,
  answer: Exclude<RailAnswer, FinalWord>,
): NextStep {
  const firstAsk = rail.askAfterMs[0];
  switch (answer.kind) {
    case 'pending':
      return { stage: 'at_bank', waitMs: firstAsk, note: answer.note ?? '', attemptOutcome: 'pending' };
    case 'unknown':
      return { stage: 'unknown', waitMs: firstAsk, note: answer.reason, attemptOutcome: 'unknown' };
    case 'not_taken':
      return { stage: 'queued', waitMs: resendAfterMs(claim), note: answer.reason, attemptOutcome: 'not_taken' };
  }
}

function resendAfterMs({ attempts }: ClaimedPayout): number {
  return RESEND_AFTER_MS[Math.min(attempts, RESEND_AFTER_MS.length) - 1] ?? MINUTE_MS;
}

/** However late its answer is read, the bank has not looked before `askedAt`, and may have done so then. */
function afterAsk(
  rail: PayoutRail,
  claim: ClaimedPayout,
  askedAt: Instant,
  status: Exclude<RailStatus, FinalWord>,
): NextStep {
  const waitMs = askWaitMs(rail, claim.asks + 1);
  // What a bank has once taken stays taken, whatever it says later: it is never sent again.
  const stage = claim.stage === 'at_bank' ? 'at_bank' : 'unknown';
  switch (status.kind) {
    case 'pending':
      // What was said with the first word about it stays with the attempt.
      return { stage: 'at_bank', waitMs, note: '', attemptOutcome: claim.stage === 'at_bank' ? null : 'pending' };
    case 'unknown':
      return { stage, waitMs, note: status.reason, attemptOutcome: null };
    case 'not_found': {
      const provedAt = (claim.sendUntil ?? 0) + rail.notFoundProofMs;
      const leftMs = provedAt - askedAt;
      if (stage === 'at_bank') return { stage, waitMs, note: 'the bank no longer finds it', attemptOutcome: null };
      if (leftMs > 0) return { stage, waitMs: Math.min(waitMs, leftMs), note: 'not found yet', attemptOutcome: null };
      return { stage: 'queued', waitMs: 0, note: 'the bank never got it', attemptOutcome: 'not_taken' };
    }
  }
}

async function call<Answer extends RailAnswer | RailStatus>(
  { rail, breaker, clock, deadlines, onRailCall }: SendPayoutJobParts,
  { payout: { merchantId, payoutId } }: ClaimedPayout,
  name: 'send' | 'ask',
  work: (deadline: Deadline) => Promise<Answer>,
): Promise<Answer> {
  const startedAt = clock.now();
  const answer = await deadlines.within(work);
  if (answer.kind === 'unknown' || answer.kind === 'not_taken') breaker.failed(`${merchantId}/${payoutId}`);
  else breaker.answered();
  onRailCall(rail.name, name, answer.kind, clock.now() - startedAt);
  return answer;
}

/** For a payout that no bank has but the earlier one which says that it paid it. */
export async function endElsewhere(
  { report, clock }: SendPayoutJobParts,
  { payout, fence }: ClaimedPayout,
  paidBy: string,
): Promise<void> {
  const word = { event: 'executed', rail: paidBy, actor: paidBy, at: clock.now() } as const;
  await report(payout, fence, { ...word, detail: 'no other bank has it' });
}

async function settle(
  { report, rail, clock }: SendPayoutJobParts,
  { payout, fence }: ClaimedPayout,
  answer: FinalWord,
): Promise<void> {
  const word: PayoutReport = {
    event: answer.kind,
    ...(answer.kind === 'declined' ? { code: answer.code } : {}),
    rail: rail.name,
    detail: answer.kind === 'executed' ? '' : answer.reason,
    actor: rail.name,
    at: clock.now(),
  };
  const outcome = await report(payout, fence, word);
  // Whoever holds the payout by now may have been told that no bank has it: that it was paid has to be known all the same.
  if (outcome.kind === 'lease_lost' && word.event === 'executed') await report(payout, null, word);
}

/** What is proved not to have been taken goes to the next rail at once, or to the first again after a while. */
async function goOn(parts: SendPayoutJobParts, claim: ClaimedPayout, asks: number, step: NextStep): Promise<void> {
  if (step.attemptOutcome === 'not_taken' && (await moveElsewhere(parts, claim, step.note, resendAfterMs(claim))))
    return;
  await postpone(parts, claim, asks, step);
}

/** For a payout that no bank has. `waitMs`: before the first rail has its turn again. False: there is no other rail for it. */
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
  { waitMs, ...step }: NextStep,
): Promise<void> {
  const at = clock.now();
  await jobs.postpone({ claim, at, dueAt: at + waitMs, asks, ...step });
}

async function orderFor({ vault, merchant }: SendPayoutJobParts, claim: ClaimedPayout): Promise<PayoutOrder> {
  const { payout, vaultRecord, reference, sendUntil } = claim;
  invariant(reference !== null && sendUntil !== null, 'a payout without an attempt is brought to a bank');
  const { settings } = await merchant(payout);
  const opened = vaultRecord ? vault.openFields(vaultRecord) : {};
  return orderOf(payout, { reference, sendUntil }, opened, settings.sandbox_mode === 'delayed');
}
