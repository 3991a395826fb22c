/**
 * The complete state machine of a payout, as two tables: the effect of each report by position and reporter, and the stage of
 * a pending payout after each event. plan-settlement.ts turns a step into a plan. No other code may decide.
 */
import { invariant } from '../../foundation/invariant.ts';
import { PAYOUT_STAGES, type Payout, type PayoutEvent, type PayoutStage } from './payout.ts';
import type { AdjustedBy } from './payout-store.ts';

/**
 * The position of a payout.
 * - `awaiting_approval`: pending, no bank has received it, and a user must approve it first.
 * - `queued`: pending, and no bank has received it. `with_bank`: pending, and a bank may have received it.
 * - `paid_queued`, `paid_with_bank`: the same, after an earlier rail reported that it paid the payout.
 * - `blocked_paid`: a bank executed the payout after it was blocked.
 */
export const POSITIONS = [
  'awaiting_approval',
  'queued',
  'with_bank',
  'paid_queued',
  'paid_with_bank',
  'success',
  'blocked',
  'blocked_paid',
] as const;
export type Position = (typeof POSITIONS)[number];

/**
 * The reporter. `own`: the payout's current rail, or the gateway itself. `payer`: the rail that reported that it paid
 * the payout. `earlier`: any other rail.
 */
export const REPORTERS = ['own', 'payer', 'earlier'] as const;
export type Reporter = (typeof REPORTERS)[number];

/**
 * The effect of a report.
 * - `succeed`, `block`: the payout becomes final. `block_reversed`: it is blocked, and its reversal is recorded.
 * - `succeed_before`: the payout succeeds at the earlier rail that paid it.
 * - `approve`: the payout may be sent. `lapse`: it is blocked, because its approval came too late.
 * - `reverse`, `execute_late`: an adjustment of a final payout, with its money.
 * - `contradict`: a contradiction for the operator, without money. For a pending payout, the reporter becomes its
 * payer.
 */
export type TransitionStep =
  | 'approve'
  | 'lapse'
  | 'succeed'
  | 'succeed_before'
  | 'block'
  | 'block_reversed'
  | 'reverse'
  | 'execute_late'
  | 'contradict';

type Row = Readonly<Partial<Record<PayoutEvent, TransitionStep>>>;

const NONE: Row = {};
const ENDS: Row = { executed: 'succeed', declined: 'block', expired: 'block', reversed: 'block_reversed' };
const ENDS_PAID: Row = {
  executed: 'succeed',
  declined: 'succeed_before',
  expired: 'succeed_before',
  reversed: 'succeed_before',
};
/** The bank returned the payment, so its earlier report no longer holds. */
const ENDS_UNPAID: Row = { ...ENDS_PAID, reversed: 'block_reversed' };

/** A report without an entry repeats a known fact or comes too late, and has no effect. */
export const PAYOUT_TRANSITIONS: Readonly<Record<Position, Readonly<Record<Reporter, Row>>>> = {
  awaiting_approval: {
    own: { ...ENDS, cancelled: 'block', approved: 'approve', lapsed: 'lapse' },
    payer: NONE,
    earlier: { executed: 'succeed' },
  },
  queued: { own: { ...ENDS, cancelled: 'block' }, payer: NONE, earlier: { executed: 'succeed' } },
  with_bank: { own: ENDS, payer: NONE, earlier: { executed: 'contradict' } },
  paid_queued: { own: ENDS_PAID, payer: ENDS_UNPAID, earlier: { executed: 'succeed' } },
  paid_with_bank: { own: ENDS_PAID, payer: ENDS_UNPAID, earlier: { executed: 'contradict' } },
  success: {
    own: { reversed: 'reverse', declined: 'contradict' },
    payer: NONE,
    earlier: { executed: 'contradict' },
  },
  blocked: {
    own: { executed: 'execute_late', reversed: 'reverse' },
    payer: NONE,
    earlier: { executed: 'execute_late' },
  },
  blocked_paid: {
    own: { executed: 'contradict', reversed: 'reverse' },
    payer: { reversed: 'reverse' },
    earlier: { executed: 'contradict' },
  },
};

/**
 * The events that move a pending payout between its stages: its acceptance (`approval_required`: if a user must approve it), a
 * claim (`begun`), a bank's response, or an attempt that a restore lost (`recognised`). `not_accepted`: proof that the bank
 * did not receive it.
 */
export const STAGE_EVENTS = [
  'accepted',
  'approval_required',
  'approved',
  'begun',
  'pending',
  'unknown',
  'not_accepted',
  'recognised',
] as const;
export type StageEvent = (typeof STAGE_EVENTS)[number];

/** A payout that a bank has accepted stays accepted, whatever the bank returns later. No worker sends it again. */
export const STAGE_TRANSITIONS: Readonly<
  Record<PayoutStage | 'new', Readonly<Partial<Record<StageEvent, PayoutStage>>>>
> = {
  new: { accepted: 'queued', approval_required: 'awaiting_approval' },
  awaiting_approval: { approved: 'queued', recognised: 'at_bank' },
  queued: { begun: 'sending', not_accepted: 'queued', recognised: 'at_bank' },
  sending: { pending: 'at_bank', unknown: 'unknown', not_accepted: 'queued' },
  at_bank: { pending: 'at_bank', unknown: 'at_bank', not_accepted: 'at_bank' },
  unknown: { pending: 'at_bank', unknown: 'unknown', not_accepted: 'queued' },
};

export function stageAfter(stage: PayoutStage | 'new', event: StageEvent): PayoutStage {
  const next = STAGE_TRANSITIONS[stage][event];
  invariant(next !== undefined, `a payout that is ${stage} cannot be ${event}`);
  return next;
}

/** Returns the stages in which the event leads to `next`. */
export function stagesBefore(event: StageEvent, next: PayoutStage): readonly PayoutStage[] {
  return PAYOUT_STAGES.filter((stage) => STAGE_TRANSITIONS[stage][event] === next);
}

interface TransitionFacts {
  readonly payout: Pick<Payout, 'state' | 'rail'>;
  /** Null once the payout is final. */
  readonly stage: PayoutStage | null;
  readonly paidBy: string | null;
  readonly adjustedBy: AdjustedBy;
}

export function positionOf({ payout, stage, paidBy, adjustedBy }: TransitionFacts): Position {
  if (payout.state === 'success') return 'success';
  if (payout.state === 'blocked') return adjustedBy.late_execution === undefined ? 'blocked' : 'blocked_paid';
  if (stage === 'awaiting_approval') return stage;
  if (stage === 'queued') return paidBy === null ? 'queued' : 'paid_queued';
  return paidBy === null ? 'with_bank' : 'paid_with_bank';
}

/**
 * `rail` is the reporting rail, or null for the gateway itself. The payer of a pending payout counts as `payer` only at the
 * payout's current rail, and as `earlier` elsewhere.
 */
export function reporterOf({ payout, paidBy, adjustedBy }: TransitionFacts, rail: string | null): Reporter {
  const reporting = rail ?? payout.rail;
  if (payout.state === 'blocked' && reporting === adjustedBy.late_execution) return 'payer';
  if (reporting !== payout.rail) return 'earlier';
  return payout.state === 'pending' && rail !== null && rail === paidBy ? 'payer' : 'own';
}

/** Returns undefined if the report has no effect. */
export function transitionOf(
  facts: TransitionFacts,
  rail: string | null,
  event: PayoutEvent,
): TransitionStep | undefined {
  return PAYOUT_TRANSITIONS[positionOf(facts)][reporterOf(facts, rail)][event];
}
