/**
 * The one gate of a payout's state. Whatever a bank, a notification or an operator reports comes through here and is
 * turned into a plan: the new state with its money, history and callback; or, once the payout is final, an adjustment
 * of its own, since nothing leaves a final state; or nothing at all, when it was known already.
 */
import type { Instant } from '../../foundation/clock.ts';
import { executeLate, executePayout, type PayoutPosting, releasePayout, reversePayout } from '../ledger/journals.ts';
import type { Journal } from '../ledger/transfer.ts';
import type { Merchant } from '../merchants/merchant.ts';
import {
  type BlockedCode,
  type Payout,
  type PayoutCode,
  type PayoutEvent,
  payoutTransitions,
  postingOf,
} from './payout.ts';
import { callbacksAfterEnd, callbacksOfEnd, type PayoutComposer } from './payout-callbacks.ts';
import type { AdjustmentKind, HistoryEntry, NewAdjustment, SettlementFacts, SettlementPlan } from './payout-store.ts';

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

/** What a final state's code is where the report does not bring one. */
const CODES: Readonly<Record<Exclude<PayoutEvent, 'reversed'>, PayoutCode>> = {
  executed: '0',
  declined: '50',
  expired: '54',
  cancelled: '55',
};

/**
 * What a report means once the payout is final, by state. Absent: it only repeats what is known.
 * A bank that declines what it executed contradicts itself: no money moves on that, a person has to look.
 */
const AFTER_THE_END: Readonly<Record<'success' | 'blocked', Partial<Record<PayoutEvent, AdjustmentKind>>>> = {
  success: { reversed: 'reversed', declined: 'contradicted' },
  blocked: { executed: 'late_execution', reversed: 'reversed' },
};

/** True: what the bank of an ended payout says is how it ended, so it changes nothing, whatever else is known. */
export function repeatsTheEnd(payout: Payout, rail: string, event: PayoutEvent): boolean {
  return payout.state !== 'pending' && payout.rail === rail && AFTER_THE_END[payout.state][event] === undefined;
}

/**
 * An execution and its reversal at one bank cancel each other out, and it may tell them in either order. Of a blocked payout
 * the second one told moves money only where the first one did: a reversal told first is kept without any, and the execution
 * told after it costs nothing.
 */
const ADJUSTMENT_JOURNALS: {
  readonly [Kind in AdjustmentKind]: (facts: SettlementFacts) => Journal | null;
} = {
  reversed: (facts) =>
    facts.payout.state === 'success' || facts.adjustedBy.late_execution === facts.payout.rail
      ? reversePayout(postingNow(facts), facts.balances())
      : null,
  late_execution: (facts) =>
    facts.adjustedBy.reversed === facts.payout.rail ? null : executeLate(postingNow(facts), facts.balances()),
  contradicted: () => null,
};

/** What lies in suspense by now is other money: an overtaken return that is executed after all is the merchant's to pay. */
function postingNow({ payout, isOvertaken }: SettlementFacts): PayoutPosting {
  return isOvertaken ? { ...postingOf(payout), source: 'available' } : postingOf(payout);
}

/** Undefined: the report changes nothing. */
export function planSettlement(
  facts: SettlementFacts,
  report: PayoutReport,
  merchant: Merchant,
  compose: PayoutComposer,
): SettlementPlan | undefined {
  const { payout } = facts;
  if (report.event === 'cancelled' && (facts.stage !== 'queued' || facts.paidBy !== null)) return undefined;
  if (report.rail !== null && report.rail !== payout.rail)
    return planFromEarlierRail(facts, { ...report, rail: report.rail }, merchant, compose);
  // Its own payment came back: that it had paid is no longer so.
  const isUndone = report.event === 'reversed' && report.rail === facts.paidBy;
  if (payout.state === 'pending' && facts.paidBy !== null && report.event !== 'executed' && !isUndone)
    return planPaidBefore(facts, facts.paidBy, report, merchant, compose);
  // A payout reversed before it was known to be executed was executed and came back: to the merchant it is declined.
  const event = payout.state === 'pending' && report.event === 'reversed' ? 'declined' : report.event;
  const state = payoutTransitions.next(payout.state, event);
  if (state === undefined) return planAdjustment(facts, report, merchant, compose);
  const plan = planFinalState(facts, { ...report, event }, merchant, compose);
  // Kept for when the execution is told after all.
  return report.event === 'reversed' ? { ...plan, adjustment: adjustmentOf('reversed', report) } : plan;
}

/**
 * A rail speaks that was proved not to have taken the payout, and that another has now. That it declined is what was
 * known. If it paid after all, nobody else may: a payout that no other bank was told of has ended with it; what another
 * bank may have paid as well is a contradiction: nobody sends it any more, and a person has to look.
 */
function planFromEarlierRail(
  facts: SettlementFacts,
  report: PayoutReport & { readonly rail: string },
  merchant: Merchant,
  compose: PayoutComposer,
): SettlementPlan | undefined {
  const { payout, stage, adjustedBy } = facts;
  const there: SettlementFacts = { ...facts, payout: { ...payout, rail: report.rail } };
  const isExecuted = report.event === 'executed';
  const lateRail = adjustedBy.late_execution;
  const isLate = payout.state === 'blocked' && (isExecuted ? lateRail === undefined : lateRail === report.rail);
  if (isLate) return planAdjustment(there, report, merchant, compose);
  if (!isExecuted || lateRail === report.rail) return undefined;
  if (stage === 'queued') return planFinalState(there, report, merchant, compose);
  if (adjustedBy.contradicted !== undefined) return undefined;
  const paidBy = payout.state === 'pending' ? report.rail : null;
  return { ...adjust(facts, 'contradicted', report, merchant, compose), paidBy };
}

/** The bank that had it last has not paid it, and an earlier one has: it ended there. */
function planPaidBefore(
  facts: SettlementFacts,
  paidBy: string,
  report: PayoutReport,
  merchant: Merchant,
  compose: PayoutComposer,
): SettlementPlan {
  const { payout } = facts;
  const detail = `by ${paidBy}; ${payout.rail}: ${report.event} ${report.detail}`.trim();
  const { code: _code, ...paid } = { ...report, event: 'executed', detail } as const;
  return planFinalState({ ...facts, payout: { ...payout, rail: paidBy } }, paid, merchant, compose);
}

function planFinalState(
  { payout, balances }: SettlementFacts,
  report: PayoutReport,
  merchant: Merchant,
  compose: PayoutComposer,
): SettlementPlan {
  const state = report.event === 'executed' ? 'success' : 'blocked';
  const code = report.code ?? CODES[report.event as keyof typeof CODES];
  const change = { state, code, finishedAt: report.at, rail: payout.rail } as const;
  const final: Payout = { ...payout, ...change };
  const journal = state === 'success' ? executePayout(postingOf(payout)) : releasePayout(postingOf(payout), balances());
  return {
    change,
    journal,
    history: historyOf(payout, report, state),
    callbacks: callbacksOfEnd(final, report.at, merchant, compose),
    adjustment: null,
    paidBy: null,
  };
}

function planAdjustment(
  facts: SettlementFacts,
  report: PayoutReport,
  merchant: Merchant,
  compose: PayoutComposer,
): SettlementPlan | undefined {
  const { payout, adjustedBy } = facts;
  const kind = payout.state === 'pending' ? undefined : AFTER_THE_END[payout.state][report.event];
  if (kind === undefined) return undefined;
  if (adjustedBy[kind] === undefined) return adjust(facts, kind, report, merchant, compose);
  // The same of another bank is no repetition.
  const isNew = adjustedBy[kind] !== payout.rail && adjustedBy.contradicted === undefined;
  return isNew ? adjust(facts, 'contradicted', report, merchant, compose) : undefined;
}

function adjust(
  facts: SettlementFacts,
  kind: AdjustmentKind,
  report: PayoutReport,
  merchant: Merchant,
  compose: PayoutComposer,
): SettlementPlan {
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

function adjustmentOf(kind: AdjustmentKind, { at, detail, rail }: PayoutReport): NewAdjustment {
  return { kind, at, detail, rail };
}

function historyOf(payout: Payout, report: PayoutReport, toState: Payout['state']): HistoryEntry {
  const { at, event, actor, detail } = report;
  return { at, event, fromState: payout.state, toState, actor, detail };
}
