/**
 * Explains why a payout is pending, for every stage and obstacle: the reason, since when, the next automatic step and
 * its time, and the merchant's options. One exhaustive map serves the CLI and later screens.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Explanation } from '../operators/explanation.ts';
import { isToBeAskedFirst } from '../recovery/recovery.ts';
import type { Pause } from '../routing/pauses.ts';
import type { Payout, PayoutStage } from './payout.ts';
import type { PayoutJob } from './payout-job-store.ts';

export type PendingReason = PayoutStage | 'recovering' | 'paused' | 'closed' | 'rail_missing';

export type PendingExplanation = Explanation<PendingReason>;

interface Situation {
  readonly payout: Payout;
  readonly job: PayoutJob;
  readonly pause: Pause | undefined;
}

type Texts = Pick<PendingExplanation, 'waitsFor' | 'next' | 'merchantCan'>;

const EXPLANATIONS: { readonly [Reason in PendingReason]: (situation: Situation) => Texts } = {
  queued: ({ payout, job }) => ({
    waitsFor: job.attempts === 0 ? 'its turn to be sent' : `the bank behind ${payout.rail}, which has not taken it yet`,
    next: `it is sent to ${payout.rail}`,
    merchantCan: 'wait, or ask the operator to cancel it: no bank holds it',
  }),
  sending: ({ payout }) => ({
    waitsFor: `the reply of the bank behind ${payout.rail}`,
    next: 'if no reply is recorded by then, the bank is asked what became of it',
    merchantCan: 'wait; it must not be sent again under another id',
  }),
  at_bank: ({ payout }) => ({
    waitsFor: `the decision of the bank behind ${payout.rail}, which has taken it`,
    next: 'the bank is asked again, unless it tells us first',
    merchantCan: 'wait; it must not be sent again under another id',
  }),
  unknown: ({ payout, job }) => ({
    waitsFor: `proof of what the bank behind ${payout.rail} did: it gave no usable answer`,
    next: `the bank is asked (${job.asks} times so far); it is sent again only once the bank provably never got it`,
    merchantCan: 'wait; it must not be sent again under another id, for the bank may have paid it',
  }),
  recovering: () => ({
    waitsFor: 'the answer of every bank that may have it from before the restore',
    next: 'the gateway asks each bank, and sends it once all of them have proved that they do not have it. Where a bank can’t answer, look it up there: "gateway payout resolve" records that it has it, "gateway after-restore release" sends it where no bank has it',
    merchantCan: 'wait, and never send it under another id: a bank may have paid it',
  }),
  paused: ({ pause }) => ({
    waitsFor: `the operator, who paused ${pause?.scope} ${pause?.target}: ${pause?.reason}`,
    next: 'it goes on as soon as the pause is lifted',
    merchantCan: 'wait, or ask the operator',
  }),
  closed: ({ payout }) => ({
    waitsFor: `the opening hours of ${payout.rail}`,
    next: `it is sent to ${payout.rail} as soon as that opens`,
    merchantCan: 'wait, or ask the operator to cancel it: no bank holds it',
  }),
  rail_missing: ({ payout }) => ({
    waitsFor: `the rail ${payout.rail}, which is not configured in this gateway any more`,
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
    nextAt:
      reason === 'paused' || reason === 'rail_missing'
        ? null
        : Math.max(job.dueAt, reason === 'closed' ? (closedUntil ?? 0) : 0),
    note: job.note,
  };
}

/** A pause stops only unsent payouts. The worker still asks about payouts that a bank may have. */
function pendingReason({ rail }: Payout, { stage, askedAt }: PayoutJob, around: Surroundings): PendingReason {
  if (!around.configuredRails.has(rail)) return 'rail_missing';
  if (stage !== 'queued') return stage;
  const { asksFirstSince: since } = around;
  if (since !== undefined && isToBeAskedFirst(since, askedAt)) return 'recovering';
  if (around.pause) return 'paused';
  return around.closedUntil === undefined ? stage : 'closed';
}
