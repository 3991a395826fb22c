/**
 * Explains why a payout is pending, for every stage and obstacle: the reason, since when, the next automatic step and
 * its time, and the merchant's options. One exhaustive map serves the CLI and later screens.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Explanation } from '../operators/explanation.ts';
import { isToBeAskedFirst } from '../recovery/recovery.ts';
import type { HistoryReason } from './history-reason.ts';
import { HOLDS, type HoldReason, type HoldTexts } from './hold-reasons.ts';
import { isUnsent, type Payout, type PayoutStage } from './payout.ts';
import type { PayoutJob } from './payout-job-store.ts';
import type { PayoutRecord } from './payout-record-store.ts';
import { type ClaimFacts, planClaim } from './plan-claim.ts';

type PendingReason = PayoutStage | HoldReason | 'rail_missing' | 'paid_elsewhere';

export type PendingExplanation = Explanation<PendingReason>;

/** The output of `payout show`: the record and, for a pending payout, the reason. */
export interface ExplainedPayout extends PayoutRecord {
  readonly pending: PendingExplanation | null;
}

interface Situation {
  readonly payout: Payout;
  readonly job: PayoutJob;
}

const EXPLANATIONS: { readonly [Reason in Exclude<PendingReason, HoldReason>]: (situation: Situation) => HoldTexts } = {
  awaiting_approval: () => ({
    waitsFor: 'the approval by one of the merchant’s approvers',
    next: 'without an approval by then, the gateway blocks it and releases its money',
    merchantCan: 'approve it or cancel it: no bank has it',
  }),
  queued: ({ payout, job }) => ({
    waitsFor: job.attempts === 0 ? 'its first attempt' : `the rail ${payout.rail}, whose bank has not accepted it yet`,
    next: `the gateway sends it to ${payout.rail}`,
    merchantCan: 'wait, or ask the operator to cancel it: no bank has it',
  }),
  sending: ({ payout }) => ({
    waitsFor: `the answer of the bank behind ${payout.rail}`,
    next: 'without an answer by then, the gateway asks the bank for the outcome',
    merchantCan: 'wait; never repeat it under another id',
  }),
  at_bank: ({ payout }) => ({
    waitsFor: `the decision of the bank behind ${payout.rail}, which accepted it`,
    next: 'the gateway asks the bank again, unless the bank notifies it first',
    merchantCan: 'wait; never repeat it under another id',
  }),
  unknown: ({ payout, job }) => ({
    waitsFor: `its outcome: the bank behind ${payout.rail} gave no usable answer`,
    next: `the gateway asks the bank (${job.asks} times so far), and sends it again only after proof that the bank did not accept it`,
    merchantCan: 'wait; never repeat it under another id, because the bank may have paid it',
  }),
  paid_elsewhere: ({ job }) => ({
    waitsFor: `its end: ${job.paidBy} reported that it paid it`,
    next: 'the gateway ends it as paid, and no rail sends it',
    merchantCan: 'wait; never repeat it under another id, because it is paid',
  }),
  rail_missing: ({ payout }) => ({
    waitsFor: `the rail ${payout.rail}, which this gateway no longer configures`,
    next: 'nothing, until the operator configures the rail again',
    merchantCan: 'ask the operator',
  }),
};

/** The circumstances of a pending payout. */
export interface Surroundings
  extends Pick<ClaimFacts, 'statusCall' | 'pause' | 'isRailDown' | 'closedUntil' | 'doubt' | 'heldBefore'> {
  /** The names of this gateway's rails. */
  readonly configuredRails: ReadonlySet<string>;
}

export function explainPending(payout: Payout, job: PayoutJob, around: Surroundings): PendingExplanation {
  const { pause, closedUntil } = around;
  const reason = pendingReason(payout, job, around);
  return {
    reason,
    ...textsOf(reason, { payout, job }, around),
    since: reason === 'paused' && pause ? Math.max(pause.since, payout.acceptedAt) : job.stageSince,
    nextAt: nextAt(reason, job, closedUntil),
    note: job.note,
  };
}

function textsOf(
  reason: PendingReason,
  situation: Situation,
  { pause, closedUntil }: Pick<Surroundings, 'pause' | 'closedUntil'>,
): HoldTexts {
  if (!isHold(reason)) return EXPLANATIONS[reason](situation);
  return HOLDS[reason].texts({ ...situation.payout, stage: situation.job.stage, pause, closedUntil });
}

/** The record without what only the operator may know: a failing bank, a changed row, the reason of a pause. */
export function asMerchantSees(found: ExplainedPayout): ExplainedPayout {
  const { payout, job, pending } = found;
  return {
    ...found,
    pending: job && pending && pendingAsMerchantSees(pending, { payout, job }),
    attempts: found.attempts.map((each) => (each.outcome === 'not_accepted' ? { ...each, detail: '' } : each)),
    history: found.history.map((each) => ({ ...each, reasons: each.reasons.map(reasonAsMerchantSees) })),
  };
}

function reasonAsMerchantSees(reason: HistoryReason): HistoryReason {
  return reason[0] === 'rerouted' ? ['moved', reason[1], reason[2]] : reason;
}

function pendingAsMerchantSees(pending: PendingExplanation, situation: Situation): PendingExplanation {
  const { stage } = situation.job;
  const isMissing = pending.reason === 'rail_missing';
  if (!isMissing && !isHold(pending.reason)) return pending;
  const shown = isMissing ? 'stage' : HOLDS[pending.reason as HoldReason].shownToMerchant;
  const reason = shown === 'stage' ? stage : shown;
  return { ...pending, reason, ...textsOf(reason, situation, { pause: undefined, closedUntil: undefined }), note: '' };
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

/** The plan that a worker would make. Only the worker knows whether the payout matches its seal. */
function pendingReason({ rail }: Payout, job: PayoutJob, around: Surroundings): PendingReason {
  const { stage, heldBecause } = job;
  if (stage === 'awaiting_approval') return stage;
  if (!around.configuredRails.has(rail)) return 'rail_missing';
  if (!isUnsent(stage)) return heldBecause ?? stage;
  const isInDoubt = around.doubt !== null && isToBeAskedFirst(around.doubt.startedAt, job.askedAt);
  const found = {
    isBegun: false,
    holder: undefined,
    // Until the banks are asked, one of them may have received it. This reason precedes a rail that is down.
    isRailDown: !isInDoubt && (around.isRailDown || heldBecause === 'rail_down'),
  } as const;
  const isAsAccepted = () => heldBecause !== 'seal_broken';
  const step = planClaim({ ...job, ...around, ...found, rail, isAsAccepted });
  if (step.do === 'hold') return step.because;
  if (step.do === 'end_as_paid') return 'paid_elsewhere';
  return step.do === 'ask_first' || step.do === 'repeat_first' ? 'recovering' : stage;
}
