/**
 * The one gate of a payout's state. Each report of a bank, a notification or an operator becomes a plan here: a final state
 * with its money, history and callback, or an adjustment of an ended payout, since nothing leaves a final state. The step comes
 * from the table of payout-transitions.ts.
 */
import type { Instant } from '../../foundation/clock.ts';
import { executeLate, executePayout, type PayoutPosting, releasePayout, reversePayout } from '../ledger/journals.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type BlockedCode, type Payout, type PayoutCode, type PayoutEvent, postingOf } from './payout.ts';
import { callbacksAfterEnd, callbacksOfEnd, type PayoutComposer } from './payout-callbacks.ts';
import type {
  AdjustmentKind,
  HistoryEntry,
  NewAdjustment,
  PlannedJournal,
  SettlementFacts,
  SettlementPlan,
} from './payout-store.ts';
import { PAYOUT_TRANSITIONS, type TransitionStep, transitionOf } from './payout-transitions.ts';

/** Something that happened to a payout. `actor` is who says so: a rail, `operator`, `gateway`. */
export interface PayoutReport {
  readonly event: PayoutEvent;
  /** The rail whose bank says so; null: nobody's bank. */
  readonly rail: string | null;
  /** Why it is blocked; needed by `declined`. */
  readonly code?: BlockedCode;
  readonly detail: string;
  readonly actor: string;
  readonly at: Instant;
}

/** What a plan is made of. */
interface Planning {
  readonly facts: SettlementFacts;
  readonly report: PayoutReport;
  readonly merchant: Merchant;
  readonly compose: PayoutComposer;
}

/** The code of a final state where the report brings none. */
const CODES: Readonly<Record<Exclude<PayoutEvent, 'reversed'>, PayoutCode>> = {
  executed: '0',
  declined: '50',
  expired: '54',
  cancelled: '55',
};

const PLANS: Readonly<Record<TransitionStep, (planning: Planning) => SettlementPlan | undefined>> = {
  succeed: (planning) => planEnd(atReporter(planning)),
  succeed_before: planPaidBefore,
  block: planEnd,
  // A payout reversed before it was known to be executed was executed and came back: to the merchant it is declined.
  block_reversed: (planning) => ({
    ...planEnd({ ...planning, report: { ...planning.report, event: 'declined' } }),
    adjustment: adjustmentOf('reversed', planning.report),
  }),
  reverse: (planning) => planOnce('reversed', atReporter(planning)),
  execute_late: (planning) => planOnce('late_execution', atReporter(planning)),
  contradict: planContradiction,
};

/** Undefined: the report changes nothing. */
export function planSettlement(
  facts: SettlementFacts,
  report: PayoutReport,
  merchant: Merchant,
  compose: PayoutComposer,
): SettlementPlan | undefined {
  const step = transitionOf(facts, report.rail, report.event);
  return step && PLANS[step]({ facts, report, merchant, compose });
}

/** True: the bank of an ended payout reports how it ended, so the report changes nothing, whatever else is known. */
export function repeatsTheEnd({ state, rail: own }: Payout, rail: string, event: PayoutEvent): boolean {
  return state !== 'pending' && own === rail && PAYOUT_TRANSITIONS[state].own[event] === undefined;
}

/** The payout ends, or is adjusted, at the rail that reports. */
function atReporter(planning: Planning): Planning {
  const { facts, report } = planning;
  const rail = report.rail ?? facts.payout.rail;
  return { ...planning, facts: { ...facts, payout: { ...facts.payout, rail } } };
}

function planEnd({ facts: { payout }, report, merchant, compose }: Planning): SettlementPlan {
  const state = report.event === 'executed' ? 'success' : 'blocked';
  const code = report.code ?? CODES[report.event as keyof typeof CODES];
  const change = { state, code, finishedAt: report.at, rail: payout.rail } as const;
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

/** The bank that had the payout last has not paid it, and an earlier one has: the payout ended there. */
function planPaidBefore(planning: Planning): SettlementPlan {
  const { facts, report } = planning;
  const { payout } = facts;
  const rail = facts.paidBy ?? payout.rail;
  const detail = `by ${rail}; ${payout.rail}: ${report.event} ${report.detail}`.trim();
  const { code: _code, ...paid } = { ...report, event: 'executed', detail } as const;
  return planEnd({ ...planning, facts: { ...facts, payout: { ...payout, rail } }, report: paid });
}

/** No other rail may send a payout that a bank has paid by its own word. */
function planContradiction(planning: Planning): SettlementPlan | undefined {
  const { facts, report } = planning;
  const plan = planOnce('contradicted', planning);
  const isOpen = facts.payout.state === 'pending';
  return plan && { ...plan, paidBy: isOpen ? report.rail : null };
}

/** A payout has one adjustment of a kind. The same from another bank is no repetition but a contradiction. */
function planOnce(kind: AdjustmentKind, planning: Planning): SettlementPlan | undefined {
  const { payout, adjustedBy } = planning.facts;
  if (adjustedBy[kind] === undefined) return planAdjustment(kind, planning);
  const isContradiction = adjustedBy[kind] !== payout.rail && adjustedBy.contradicted === undefined;
  return isContradiction ? planAdjustment('contradicted', planning) : undefined;
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
 * An execution and its reversal at one bank cancel each other out, and a bank may report them in either order. Of a blocked
 * payout the second report moves money only where the first one did: a reversal reported first is kept without any, and the
 * execution reported after it costs nothing.
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

/** The money in suspense is other money by now: an overtaken return that is executed after all is the merchant's to pay. */
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
