/**
 * Explains why a payout is pending, for every stage and obstacle: the reason, since when, the next automatic step and
 * its time, and the merchant's options. One exhaustive map serves the CLI and later screens.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Explanation } from '../operators/explanation.ts';
import { isHeldUntilCompleted, isToBeAskedFirst } from '../recovery/recovery.ts';
import type { Pause } from '../routing/pause-store.ts';
import type { Payout, PayoutStage } from './payout.ts';
import type { PayoutJob } from './payout-job-store.ts';

type PendingReason = PayoutStage | 'recovering' | 'paused' | 'closed' | 'rail_missing';

export type PendingExplanation = Explanation<PendingReason>;

interface Situation {
  readonly payout: Payout;
  readonly job: PayoutJob;
  readonly pause: Pause | undefined;
}

type Texts = Pick<PendingExplanation, 'waitsFor' | 'next' | 'merchantCan'>;

const EXPLANATIONS: { readonly [Reason in PendingReason]: (situation: Situation) => Texts } = {
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
  recovering: () => ({
    waitsFor:
      'the answer of every bank that may have it from before the restore, and then the completion of the recovery of its rail',
    next: 'the gateway asks each bank. After proof that no bank has it, a payout from before the restore is sent once its rail is completed, unless the operator cancels it first; a later one at once. If a bank cannot answer, ask that bank yourself. If it has the payout, run "gateway payout resolve"; if no bank has it, run "gateway after-restore release"',
    merchantCan: 'wait; never repeat it under another id, because a bank may have paid it',
  }),
  paused: ({ pause }) => ({
    waitsFor: `the operator, who paused ${pause?.scope} ${pause?.target}: ${pause?.reason}`,
    next: 'the gateway sends it after the operator resumes',
    merchantCan: 'wait, or ask the operator',
  }),
  closed: ({ payout }) => ({
    waitsFor: `the opening hours of ${payout.rail}`,
    next: `the gateway sends it when ${payout.rail} opens`,
    merchantCan: 'wait, or ask the operator to cancel it: no bank has it',
  }),
  rail_missing: ({ payout }) => ({
    waitsFor: `the rail ${payout.rail}, which this gateway no longer configures`,
    next: 'nothing, until the operator configures the rail again',
    merchantCan: 'ask the operator',
  }),
};

/** The circumstances of a pending payout. */
export interface Surroundings {
  readonly pause: Pause | undefined;
  /** Undefined: its rail is open. */
  readonly closedUntil: Instant | undefined;
  /** Since when the gateway must ask banks before its first attempt. Undefined: it need not ask. */
  readonly asksFirstSince: Instant | undefined;
  /** Its rail holds payouts that were queued before then. Undefined: it holds none. */
  readonly heldBefore: Instant | undefined;
  /** The names of this gateway's rails. */
  readonly configuredRails: ReadonlySet<string>;
}

export function explainPending(payout: Payout, job: PayoutJob, around: Surroundings): PendingExplanation {
  const { pause, closedUntil } = around;
  const reason = pendingReason(payout, job, around);
  return {
    reason,
    ...EXPLANATIONS[reason]({ payout, job, pause }),
    since: reason === 'paused' && pause ? Math.max(pause.since, payout.acceptedAt) : job.stageSince,
    nextAt: nextAt(reason, job, closedUntil),
    note: job.note,
  };
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

/** A pause stops only unsent payouts. The worker still asks about payouts that a bank may have. */
function pendingReason({ rail }: Payout, job: PayoutJob, around: Surroundings): PendingReason {
  const { stage, askedAt } = job;
  if (stage === 'awaiting_approval') return stage;
  if (!around.configuredRails.has(rail)) return 'rail_missing';
  if (stage !== 'queued') return stage;
  const { asksFirstSince: since } = around;
  if (since !== undefined && isToBeAskedFirst(since, askedAt)) return 'recovering';
  if (isHeldUntilCompleted(around.heldBefore, job)) return 'recovering';
  if (around.pause) return 'paused';
  return around.closedUntil === undefined ? stage : 'closed';
}
