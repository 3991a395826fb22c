/**
 * Explains why a payout is pending, for every stage and obstacle: the reason, since when, and the time of the next automatic
 * step. The contract has the messages (contract/texts/payout-waits.ts).
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Explanation } from '../../foundation/explanation.ts';
import { isToBeAskedFirst } from '../recovery/recovery.ts';
import type { Pause } from '../routing/pause-store.ts';
import type { HistoryReason } from './history-reason.ts';
import { HOLDS, type HoldReason } from './hold-reasons.ts';
import { isUnsent, type Payout, type PayoutStage } from './payout.ts';
import type { PayoutJob } from './payout-job-store.ts';
import type { PayoutRecord } from './payout-record-store.ts';
import { type ClaimFacts, planClaim } from './plan-claim.ts';

type PendingReason = PayoutStage | HoldReason | 'rail_missing' | 'paid_elsewhere';

export type PendingExplanation = Explanation<PendingReason, WaitFacts>;

interface WaitFacts extends Pick<PayoutJob, 'attempts' | 'asks' | 'paidBy'> {
  readonly rail: string;
  readonly isUnsent: boolean;
  readonly pause: Pause | undefined;
}

/** The output of `payout show`: the record and, for a pending payout, the reason. */
export interface ExplainedPayout extends PayoutRecord {
  readonly pending: PendingExplanation | null;
}

/** The circumstances of a pending payout. */
export interface Surroundings
  extends Pick<ClaimFacts, 'statusCall' | 'pause' | 'isRailDown' | 'closedUntil' | 'doubt' | 'heldBefore'> {
  /** The names of this gateway's rails. */
  readonly configuredRails: ReadonlySet<string>;
}

export function explainPending(payout: Payout, job: PayoutJob, around: Surroundings): PendingExplanation {
  const { pause, closedUntil } = around;
  const { stage, attempts, asks, paidBy } = job;
  const reason = pendingReason(payout, job, around);
  return {
    reason,
    facts: { rail: payout.rail, isUnsent: isUnsent(stage), attempts, asks, paidBy, pause },
    since: reason === 'paused' && pause ? Math.max(pause.since, payout.acceptedAt) : job.stageSince,
    nextAt: nextAt(reason, job, closedUntil),
    note: job.note,
  };
}

/** Returns the record without facts that only the operator may see: a failing bank, a changed row, the reason for a pause. */
export function asMerchantSees(found: ExplainedPayout): ExplainedPayout {
  const { job, pending } = found;
  return {
    ...found,
    pending: job && pending && pendingAsMerchantSees(pending, job),
    attempts: found.attempts.map((each) => (each.outcome === 'not_accepted' ? { ...each, detail: '' } : each)),
    history: found.history.map((each) => ({ ...each, reasons: each.reasons.map(reasonAsMerchantSees) })),
  };
}

export function reasonAsMerchantSees(reason: HistoryReason): HistoryReason {
  return reason[0] === 'rerouted' ? ['moved', reason[1], reason[2]] : reason;
}

function pendingAsMerchantSees(pending: PendingExplanation, { stage }: PayoutJob): PendingExplanation {
  const isMissing = pending.reason === 'rail_missing';
  if (!isMissing && !isHold(pending.reason)) return pending;
  const shown = isMissing ? 'stage' : HOLDS[pending.reason as HoldReason].shownToMerchant;
  const reason = shown === 'stage' ? stage : shown;
  return { ...pending, reason, facts: { ...pending.facts, pause: undefined }, note: '' };
}

function isHold(reason: PendingReason): reason is HoldReason {
  return reason in HOLDS;
}

function nextAt(
  reason: PendingReason,
  { dueAt, approveBy }: PayoutJob,
  closedUntil: Instant | undefined,
): Instant | null {
  if (reason === 'awaiting_approval') return approveBy;
  if (reason === 'paused' || reason === 'rail_missing') return null;
  return reason === 'closed' ? Math.max(dueAt, closedUntil ?? 0) : dueAt;
}

/** Returns the plan that a worker would make, except that only the worker knows whether the payout matches its seal. */
function pendingReason({ rail }: Payout, job: PayoutJob, around: Surroundings): PendingReason {
  const { stage, heldBecause } = job;
  if (stage === 'awaiting_approval') return stage;
  if (!around.configuredRails.has(rail)) return 'rail_missing';
  if (!isUnsent(stage)) return heldBecause ?? stage;
  const isInDoubt = around.doubt !== null && isToBeAskedFirst(around.doubt.startedAt, job.askedAt);
  const found = {
    isBegun: false,
    holder: undefined,
    // Until the banks are queried, one of them may have received it. This reason takes precedence over a rail that is down.
    isRailDown: !isInDoubt && (around.isRailDown || heldBecause === 'rail_down'),
  } as const;
  const isAsAccepted = () => heldBecause !== 'seal_broken';
  const step = planClaim({ ...job, ...around, ...found, rail, isAsAccepted });
  if (step.do === 'hold') return step.because;
  if (step.do === 'end_as_paid') return 'paid_elsewhere';
  return step.do === 'ask_first' || step.do === 'repeat_first' ? 'recovering' : stage;
}
