/**
 * The one gate of a payout's state. Whatever a bank, a notification or an operator reports comes through here and is
 * turned into a plan: the new state with its money, history and callback; or, once the payout is final, an adjustment
 * of its own, since nothing leaves a final state; or nothing at all, when it was known already.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { CallbackPayload, CallbackState, CallbackSubject, NewCallback } from '../callbacks/callback.ts';
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
  RETURN_METHOD,
} from './payout.ts';
import {
  ADJUSTMENT_KINDS,
  type AdjustmentKind,
  type HistoryEntry,
  type NewAdjustment,
  type SettlementFacts,
  type SettlementPlan,
} from './payout-store.ts';

/** Something that happened to a payout. `actor` is who says so: a rail, `operator`, `gateway`. */
export interface PayoutReport {
  readonly event: PayoutEvent;
  /** Why it is blocked; needed by `declined`. */
  readonly code?: BlockedCode;
  readonly detail: string;
  readonly actor: string;
  readonly at: Instant;
}

/** The callback bodies, written by the wire that merchants read. */
export interface CallbackComposer {
  payout(payout: Payout): CallbackPayload;
  event(payout: Payout, adjustment: NewAdjustment): CallbackPayload;
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

/**
 * An execution and its reversal cancel each other out, and a bank may tell them in either order. Of a blocked payout the
 * second one told moves money only where the first one did: a reversal told first is kept without any, and the execution
 * told after it costs nothing.
 */
const ADJUSTMENT_JOURNALS: {
  readonly [Kind in AdjustmentKind]: (facts: SettlementFacts) => Journal | null;
} = {
  reversed: (facts) =>
    facts.payout.state === 'success' || facts.adjustments.includes('late_execution')
      ? reversePayout(postingNow(facts), facts.balances)
      : null,
  late_execution: (facts) =>
    facts.adjustments.includes('reversed') ? null : executeLate(postingNow(facts), facts.balances),
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
  compose: CallbackComposer,
): SettlementPlan | undefined {
  const { payout } = facts;
  if (report.event === 'cancelled' && facts.stage !== 'queued') return undefined;
  // A payout reversed before it was known to be executed was executed and came back: to the merchant it is declined.
  const event = payout.state === 'pending' && report.event === 'reversed' ? 'declined' : report.event;
  const state = payoutTransitions.next(payout.state, event);
  if (state === undefined) return planAdjustment(facts, report, merchant, compose);
  const plan = planFinalState(facts, { ...report, event }, merchant, compose);
  // Kept for when the execution is told after all.
  return report.event === 'reversed' ? { ...plan, adjustment: adjustmentOf('reversed', report) } : plan;
}

function planFinalState(
  { payout, balances }: SettlementFacts,
  report: PayoutReport,
  merchant: Merchant,
  compose: CallbackComposer,
): SettlementPlan {
  const state = report.event === 'executed' ? 'success' : 'blocked';
  const code = report.code ?? CODES[report.event as keyof typeof CODES];
  const change = { state, code, finishedAt: report.at } as const;
  const final: Payout = { ...payout, ...change };
  const journal = state === 'success' ? executePayout(postingOf(payout)) : releasePayout(postingOf(payout), balances);
  return {
    change,
    journal,
    history: historyOf(payout, report, state),
    callbacks: tellMerchant(payout, () =>
      newCallback(
        payout,
        'payout',
        callbackIdOf('payout', payout),
        compose.payout(final),
        report.at,
        payoutCallbackState(merchant),
      ),
    ),
    adjustment: null,
  };
}

function planAdjustment(
  facts: SettlementFacts,
  report: PayoutReport,
  merchant: Merchant,
  compose: CallbackComposer,
): SettlementPlan | undefined {
  const { payout } = facts;
  const kind = payout.state === 'pending' ? undefined : AFTER_THE_END[payout.state][report.event];
  if (kind === undefined || facts.adjustments.includes(kind)) return undefined;
  const adjustment = adjustmentOf(kind, report);
  const journal = ADJUSTMENT_JOURNALS[kind](facts);
  // Merchants move money in their own books by these events: where none moved here, only the operator is told.
  const isTold = merchant.eventUrl !== null && (journal !== null || kind === 'contradicted');
  const eventState: CallbackState = isTold ? 'due' : 'not_wanted';
  return {
    change: null,
    journal,
    history: historyOf(payout, { ...report, detail: `${kind}: ${report.detail}` }, payout.state),
    callbacks: tellMerchant(payout, () =>
      newCallback(
        payout,
        'event',
        `${callbackIdOf('event', payout)}_${kind}`,
        compose.event(payout, adjustment),
        report.at,
        eventState,
      ),
    ),
    adjustment,
  };
}

function adjustmentOf(kind: AdjustmentKind, { at, detail }: PayoutReport): NewAdjustment {
  return { kind, at, detail };
}

function historyOf(payout: Payout, report: PayoutReport, toState: Payout['state']): HistoryEntry {
  const { at, event, actor, detail } = report;
  return { at, event, fromState: payout.state, toState, actor, detail };
}

/**
 * Follows from the payout, so that nothing is told under two ids. With the time in it, since after a restore from a backup
 * transaction ids come again, and a merchant would take the new payout's callback for one that they know.
 */
function callbackIdOf(subject: CallbackSubject, { transactionId, acceptedAt }: Payout): string {
  return `${subject}_${transactionId}_${acceptedAt.toString(36)}`;
}

/** The ids of all callbacks that there can be about a payout. */
export function callbackIdsOf(payout: Payout): string[] {
  const events = ADJUSTMENT_KINDS.map((kind) => `${callbackIdOf('event', payout)}_${kind}`);
  return [callbackIdOf('payout', payout), ...events];
}

/** A merchant without any address gets a due callback all the same: its delivery then records that there was none. */
function payoutCallbackState(merchant: Merchant): CallbackState {
  return merchant.settings.payout_callback === 'on' ? 'due' : 'not_wanted';
}

/** A return is the operator's own: no merchant asked for it, and none is told. */
function tellMerchant({ method }: Payout, write: () => NewCallback): NewCallback[] {
  return method === RETURN_METHOD ? [] : [write()];
}

function newCallback(
  { merchantId, payoutId }: Payout,
  subject: CallbackSubject,
  callbackId: string,
  payload: CallbackPayload,
  createdAt: Instant,
  state: CallbackState,
): NewCallback {
  return { merchantId, callbackId, subject, subjectId: payoutId, payload, state, createdAt };
}
