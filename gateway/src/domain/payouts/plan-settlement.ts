/**
 * The only gate of a payout's state. It turns each report of a bank, a notification or an operator into a plan. A plan
 * contains a final state with its money, history and callback, or an adjustment of a final payout. The table in
 * payout-transitions.ts decides the step.
 */
import type { Instant } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatMoney } from '../../foundation/money.ts';
import type { ReportedDifference } from '../differences/difference.ts';
import { executeLate, executePayout, type PayoutPosting, releasePayout, reversePayout } from '../ledger/journals.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type BlockedReason, type Payout, type PayoutEvent, postingOf } from './payout.ts';
import { callbacksAfterEnd, callbacksOfEnd, type PayoutComposer } from './payout-callbacks.ts';
import type { FinalAnswer } from './payout-rail.ts';
import type {
  AdjustmentKind,
  Approver,
  HistoryEntry,
  NewAdjustment,
  PlannedJournal,
  SettlementFacts,
  SettlementPlan,
} from './payout-store.ts';
import {
  PAYOUT_TRANSITIONS,
  type Position,
  positionOf,
  type TransitionStep,
  transitionOf,
} from './payout-transitions.ts';

/** An event of a payout. `actor` is its source: a rail, `operator`, `gateway`. */
export interface PayoutReport {
  readonly event: PayoutEvent;
  /** The rail of the bank that reported it. Null if no bank did. */
  readonly rail: string | null;
  /** The reason for a blocked payout. Required with `declined`. */
  readonly blockedReason?: BlockedReason;
  readonly detail: string;
  readonly actor: string;
  readonly at: Instant;
  /** If set, the report is ignored unless the payout has this position. */
  readonly onlyAt?: Position;
  /** Required with `approved`. */
  readonly approver?: Approver;
}

export function reportOfAnswer(answer: FinalAnswer, rail: string, at: Instant): PayoutReport {
  return {
    event: answer.kind,
    ...(answer.kind === 'declined' ? { blockedReason: answer.blockedReason } : {}),
    rail,
    detail: answer.kind === 'executed' ? '' : answer.reason,
    actor: rail,
    at,
  };
}

/** The input of a plan. */
interface Planning {
  readonly facts: SettlementFacts;
  readonly report: PayoutReport;
  readonly merchant: Merchant;
  readonly compose: PayoutComposer;
}

/** The reason for a blocked payout if the report contains none. */
const REASONS: Readonly<Record<Exclude<PayoutEvent, 'reversed'>, BlockedReason | null>> = {
  executed: null,
  declined: 'unspecified',
  expired: 'expired',
  cancelled: 'cancelled',
  approved: null,
  lapsed: 'expired',
};

const PLANS: Readonly<Record<TransitionStep, (planning: Planning) => SettlementPlan | undefined>> = {
  approve: (planning) => (isLapsed(planning) ? undefined : planApproval(planning)),
  lapse: (planning) => (isLapsed(planning) ? planEnd(planning) : undefined),
  succeed: (planning) => planEnd(atReporter(planning)),
  succeed_before: planPaidBefore,
  block: planEnd,
  // A reversal may precede the report of the execution that it reverses. The merchant sees a decline.
  block_reversed: (planning) => ({
    ...planEnd({ ...planning, report: { ...planning.report, event: 'declined' } }),
    adjustment: adjustmentOf('reversed', planning.report),
  }),
  reverse: (planning) => planOnce('reversed', atReporter(planning)),
  execute_late: (planning) => planOnce('late_execution', atReporter(planning)),
  contradict: planContradiction,
};

/** Returns undefined if the report has no effect. */
export function planSettlement(
  facts: SettlementFacts,
  report: PayoutReport,
  parts: Pick<Planning, 'merchant' | 'compose'>,
): SettlementPlan | undefined {
  if (report.onlyAt && report.onlyAt !== positionOf(facts)) return undefined;
  const step = transitionOf(facts, report.rail, report.event);
  return step && PLANS[step]({ facts, report, ...parts });
}

/** True if the bank of a final payout repeats its outcome. The report then has no effect, whatever other facts exist. */
export function repeatsTheEnd({ state, rail: own }: Payout, rail: string, event: PayoutEvent): boolean {
  return state !== 'pending' && own === rail && PAYOUT_TRANSITIONS[state].own[event] === undefined;
}

/** The payout becomes final, or is adjusted, at the reporting rail. */
function atReporter(planning: Planning): Planning {
  const { facts, report } = planning;
  const rail = report.rail ?? facts.payout.rail;
  return { ...planning, facts: { ...facts, payout: { ...facts.payout, rail } } };
}

function planEnd({ facts: { payout }, report, merchant, compose }: Planning): SettlementPlan {
  const state = report.event === 'executed' ? 'success' : 'blocked';
  const blockedReason = report.blockedReason ?? REASONS[report.event as keyof typeof REASONS];
  const change = { state, blockedReason, finishedAt: report.at, rail: payout.rail } as const;
  const posting = postingOf(payout);
  return {
    change,
    journal:
      state === 'success'
        ? { kind: 'fixed', journal: executePayout(posting) }
        : { kind: 'weighed', journal: (balances) => releasePayout(posting, balances) },
    history: historyOf(payout, report, state),
    callbacks: callbacksOfEnd({ ...payout, ...change }, report.at, merchant, compose),
    adjustment: null,
    paidBy: null,
  };
}

function isLapsed({ facts: { approveBy }, report: { at } }: Planning): boolean {
  return approveBy !== null && at >= approveBy;
}

/** The money stays reserved and no callback is sent, because the payout stays pending. */
function planApproval({ facts: { payout }, report }: Planning): SettlementPlan {
  const history = historyOf(payout, report, payout.state);
  const unchanged = { change: null, journal: null, callbacks: [], adjustment: null, paidBy: null } as const;
  invariant(report.approver, 'approval has no approver');
  return { ...unchanged, history, approver: report.approver };
}

/** The latest bank did not pay the payout, and an earlier bank did. The payout becomes final at the earlier bank. */
function planPaidBefore(planning: Planning): SettlementPlan {
  const { facts, report } = planning;
  const { payout } = facts;
  const rail = facts.paidBy ?? payout.rail;
  const detail = `by ${rail}; ${payout.rail}: ${report.event} ${report.detail}`.trim();
  const { blockedReason: _reason, ...paid } = { ...report, event: 'executed', detail } as const;
  return planEnd({ ...planning, facts: { ...facts, payout: { ...payout, rail } }, report: paid });
}

/** No other rail may send a payout that a bank reported as paid. */
function planContradiction(planning: Planning): SettlementPlan | undefined {
  const { facts, report } = planning;
  const plan = planOnce('contradicted', planning);
  if (!plan || facts.payout.state !== 'pending' || report.rail === null) return plan;
  return { ...plan, paidBy: report.rail, note: `${report.rail} reports it as paid` };
}

/** A payout has at most one adjustment of each kind. The same kind from another bank is a contradiction, not a duplicate. */
function planOnce(kind: AdjustmentKind, planning: Planning): SettlementPlan | undefined {
  const { payout, adjustedBy } = planning.facts;
  if (adjustedBy[kind] === undefined) return planAdjustment(kind, planning);
  const isContradiction = adjustedBy[kind] !== payout.rail && adjustedBy.contradicted === undefined;
  return isContradiction ? planAdjustment('contradicted', planning) : undefined;
}

/** The adjustment that a step records, if it records one. */
const KINDS: Readonly<Partial<Record<TransitionStep, AdjustmentKind>>> = {
  reverse: 'reversed',
  execute_late: 'late_execution',
  contradict: 'contradicted',
};

/**
 * Returns the contradiction of a report that plans nothing because an earlier bank already contradicts the payout. The payout
 * records only the first, but an operator must see each bank that may have paid. Returns undefined for a repeated report.
 */
export function furtherContradiction(
  facts: SettlementFacts,
  { event, rail, detail, at }: PayoutReport,
): ReportedDifference | undefined {
  const { payout, adjustedBy } = facts;
  const step = transitionOf(facts, rail, event);
  const kind = step && KINDS[step];
  if (rail === null || kind === undefined || [adjustedBy[kind], adjustedBy.contradicted].includes(rail))
    return undefined;
  return contradictionOf(payout, { rail, detail, at });
}

/** A contradiction moves no money. A user must find out which of the banks' reports is true. */
export function contradictionOf(
  { merchantId, payoutId, rail: own, state, money }: Payout,
  { rail, detail, at }: Pick<NewAdjustment, 'rail' | 'detail' | 'at'>,
): ReportedDifference {
  const of = { kind: 'contradiction', rail: rail ?? own, merchantId, payoutId, transactionId: null } as const;
  const subject = `${merchantId}/${payoutId}`;
  return { ...of, subject, ours: `${state}, ${formatMoney(money)}`, theirs: detail, foundAt: at };
}

function planAdjustment(kind: AdjustmentKind, { facts, report, merchant, compose }: Planning): SettlementPlan {
  const { payout } = facts;
  const adjustment = adjustmentOf(kind, report);
  const journal = ADJUSTMENT_JOURNALS[kind](facts);
  return {
    change: null,
    journal,
    history: historyOf(payout, { ...report, detail: `${kind}: ${report.detail}` }, payout.state),
    callbacks: callbacksAfterEnd(payout, adjustment, journal !== null, merchant, compose),
    adjustment,
    paidBy: null,
  };
}

/**
 * An execution and its reversal at one bank cancel each other out, in either order. For a blocked payout, the second
 * report moves money only if the first report did. A reversal that comes first moves none, and neither does the execution
 * after it.
 */
const ADJUSTMENT_JOURNALS: { readonly [Kind in AdjustmentKind]: (facts: SettlementFacts) => PlannedJournal | null } = {
  reversed(facts) {
    const { payout, adjustedBy } = facts;
    const isPaid = payout.state === 'success' || adjustedBy.late_execution === payout.rail;
    const posting = postingNow(facts);
    return isPaid ? { kind: 'weighed', journal: (balances) => reversePayout(posting, balances) } : null;
  },
  late_execution(facts) {
    const posting = postingNow(facts);
    const isReversed = facts.adjustedBy.reversed === facts.payout.rail;
    return isReversed ? null : { kind: 'weighed', journal: (balances) => executeLate(posting, balances) };
  },
  contradicted: () => null,
};

/**
 * The gateway has credited the money of an overtaken return since, or is returning it again. If a bank executes the return
 * after all, the merchant pays.
 */
function postingNow({ payout, isOvertaken }: SettlementFacts): PayoutPosting {
  return isOvertaken ? { ...postingOf(payout), source: 'available' } : postingOf(payout);
}

function adjustmentOf(kind: AdjustmentKind, { at, detail, rail }: PayoutReport): NewAdjustment {
  return { kind, at, detail, rail };
}

function historyOf(payout: Payout, report: PayoutReport, toState: Payout['state']): HistoryEntry {
  const { at, event, actor, detail } = report;
  return { at, event, fromState: payout.state, toState, actor, detail };
}
