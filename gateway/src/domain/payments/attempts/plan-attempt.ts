/**
 * The only gate of an attempt's state. It turns each response, notification and timeout of a provider into a plan: the
 * attempt's new state and the effects on its deposit. The tables in attempt-transitions.ts decide the state. Pure. Money that
 * a provider confirms is received like an incoming transfer, under the same rules. It completes the deposit; on a mismatch, or
 * after the deposit's final state, it is held or credited by the merchant's policy. A refusal ends only the attempt: the
 * deposit waits for another attempt until its time has passed or no attempt is left.
 */
import type { Instant } from '../../../foundation/clock.ts';
import type { Deposit, FoundBy, IncomingTransfer } from '../../deposits/deposit.ts';
import type { DepositFacts, DepositPlan, ReceiptPlan } from '../../deposits/deposit-store.ts';
import { planFailure } from '../../deposits/plan-failure.ts';
import { type DepositPlanningParts, planReceipt } from '../../deposits/plan-receipt.ts';
import { withoutCardNumbers } from '../../vault/card-number.ts';
import type { NoEffect, PaidAnswer, PaymentAnswer, PaymentRail, PaymentStatus } from '../payment-rail.ts';
import {
  AFTER_LAST_ATTEMPT,
  ATTEMPT_MEANINGS,
  ATTEMPT_TRANSITIONS,
  type AttemptEvent,
  type AttemptReport,
  type AttemptReporter,
} from './attempt-transitions.ts';
import { type AttemptState, isInFlight, type PaymentAttempt, transferKeyOf } from './payment-attempt.ts';

export interface AttemptFacts extends DepositFacts {
  readonly deposit: Deposit;
  readonly attempt: PaymentAttempt;
  /** The deposit's other attempts, earlier and later. */
  readonly others: readonly PaymentAttempt[];
}

export type AttemptChange = Pick<
  PaymentAttempt,
  | 'state'
  | 'step'
  | 'isAuthorised'
  | 'refusal'
  | 'canRetry'
  | 'detail'
  | 'providerReference'
  | 'kept'
  | 'receipts'
  | 'askAt'
  | 'asks'
  | 'openReturns'
  | 'finishedAt'
>;

export interface AttemptPlan {
  readonly change: AttemptChange;
  /** The money, if there is any. It is recorded in the same commit. */
  readonly receipt: {
    readonly transfer: IncomingTransfer;
    readonly foundBy: FoundBy;
    readonly plan: ReceiptPlan;
  } | null;
  /** The deposit's final state, if this was the last allowed attempt. */
  readonly end: DepositPlan | null;
}

/**
 * A provider's response or notification. `reporter` says how the gateway received it, and defaults to the provider's own
 * statement. `foundBy` is the message that brought it, and defaults to the provider's response. `askedAt` is the time of the
 * query: however late the gateway reads the response, the provider may have looked no later.
 */
export type AttemptNews = (PaymentAnswer | PaymentStatus | NoEffect) & {
  readonly reporter?: AttemptReporter;
  readonly foundBy?: FoundBy;
  readonly askedAt?: Instant;
  /** The step (PaymentAttempt.kept) of the counted return to which this responds. */
  readonly returnFrom?: string;
};

/** The query intervals of a rail's attempts. */
export type AskIntervals = Pick<PaymentRail, 'askAfterMs' | 'notFoundProofMs'>;

interface AttemptPlanningParts extends DepositPlanningParts {
  readonly intervals: AskIntervals;
}

/** Returns undefined if the report has no effect. */
export function planAttempt(
  facts: AttemptFacts,
  news: AttemptNews,
  { intervals, ...parts }: AttemptPlanningParts,
): AttemptPlan | undefined {
  const { attempt } = facts;
  const { at } = parts;
  const receipt = news.kind === 'paid' ? receiptOf(facts, news, parts) : null;
  const report = reportOf(attempt, news, intervals, receipt !== null);
  const event = ATTEMPT_MEANINGS[reporterOf(attempt, news)][report];
  const state = ATTEMPT_TRANSITIONS[attempt.state][event];
  if (state === undefined) return undefined;
  const asked = news.askedAt === undefined ? attempt.asks : attempt.asks + 1;
  const change = changeOf(facts, state, factsOf(news, event, state), { intervals, at, asked, news });
  if (receipt === null) return { change, receipt, end: endOf(facts, change, parts) };
  return { change: { ...change, receipts: [...attempt.receipts, receipt.key] }, receipt, end: null };
}

/** Returns the two facts that a response alone does not show: whether its money is new, and whether it proves an absence. */
function reportOf(
  { sendUntil, providerReference }: PaymentAttempt,
  { kind, askedAt = Number.NEGATIVE_INFINITY }: AttemptNews,
  { notFoundProofMs }: AskIntervals,
  bringsMoney: boolean,
): AttemptReport {
  if (kind === 'paid') return bringsMoney ? 'paid' : 'repeated';
  if (kind !== 'not_found') return kind;
  return askedAt >= sendUntil + notFoundProofMs && providerReference === '' ? 'never_got' : 'not_found';
}

/**
 * An open return may have brought money, and the provider's final response may be older than the return. The attempt then
 * counts as only queried.
 */
function reporterOf({ openReturns }: PaymentAttempt, { reporter = 'provider' }: AttemptNews): AttemptReporter {
  const mayAbandon = reporter === 'payer' || reporter === 'deadline';
  return mayAbandon && openReturns > 0 ? 'inquiry' : reporter;
}

/**
 * Counts a payer's return before the gateway forwards it. Returns undefined if the attempt no longer waits for this step.
 * Without the count, a process that dies during the call would leave a step that could be abandoned although it was paid.
 */
export function planReturn({ attempt }: AttemptFacts, returnFrom: string): AttemptPlan | undefined {
  if (attempt.state !== 'acting' || attempt.kept !== returnFrom) return undefined;
  return { change: { ...attempt, openReturns: attempt.openReturns + 1 }, receipt: null, end: null };
}

/** Returns null if the receipt is already recorded. A receipt without a key equals the existing one. */
function receiptOf(
  facts: AttemptFacts,
  {
    money,
    payerAccount,
    providerReference,
    receiptKey: key = '',
    isFromAnother = false,
    foundBy = 'answer',
  }: PaidAnswer & Pick<AttemptNews, 'foundBy'>,
  parts: DepositPlanningParts,
) {
  const { rail, reference, receipts, startedAt } = facts.attempt;
  const isKnown = key === '' ? receipts.length > 0 : receipts.includes(key) || receipts.includes('');
  if (isKnown) return null;
  const transfer: IncomingTransfer = {
    rail,
    transferKey: transferKeyOf(facts.attempt, key),
    payTo: reference,
    money,
    originator: {
      name: '',
      account: withoutCardNumbers(payerAccount),
      institution: '',
      concept: '',
      trackingKey: providerReference,
    },
    // The payer's time limits the payer's action, not the provider's decision.
    bookedAt: startedAt,
    isFromAnother,
  };
  // The fee depends on the payment type that brought the money, which need not be the latest attempt's.
  const deposit = { ...facts.deposit, paymentType: facts.attempt.paymentType };
  return { key, transfer, foundBy, plan: planReceipt({ ...facts, deposit }, transfer, parts) };
}

/** A refusal also ends the deposit if no other attempt is allowed and none is in flight (decision 34). */
function endOf(
  { deposit, attempt, others }: AttemptFacts,
  { state, detail }: AttemptChange,
  { merchant, compose, at }: DepositPlanningParts,
): DepositPlan | null {
  const reason = AFTER_LAST_ATTEMPT[state];
  const isLast = others.length + 1 >= merchant.settings.form_attempts && !others.some(isInFlight);
  if (reason === undefined || !isLast) return null;
  return planFailure(deposit, { reason, actor: attempt.rail, detail }, { compose, at }) ?? null;
}

/** The part of a report that the attempt stores. */
type ReportedFacts = Partial<
  Pick<PaymentAttempt, 'step' | 'isAuthorised' | 'refusal' | 'canRetry' | 'detail' | 'providerReference' | 'kept'>
>;

const NOT_BEGUN = { refusal: 'declined', canRetry: true } as const;

const WHY_ABANDONED: Readonly<Partial<Record<AttemptReporter, string>>> = {
  deadline: 'the payer did not act in time',
  payer: 'the payer chose not to continue',
};

function factsOf(news: AttemptNews, event: AttemptEvent, next: AttemptState): ReportedFacts {
  if (event === 'no_news') return {};
  if (event === 'abandoned') return { detail: WHY_ABANDONED[news.reporter ?? 'provider'] ?? '' };
  switch (news.kind) {
    case 'paid':
      return { providerReference: news.providerReference, isAuthorised: true };
    case 'refused': {
      const { refusal, canRetry, detail, providerReference } = news;
      return { refusal, canRetry, detail, providerReference };
    }
    case 'step':
      return { step: news.step, kept: news.keep, providerReference: news.providerReference };
    case 'pending': {
      const { isAuthorised, keep, providerReference } = news;
      return { isAuthorised, kept: keep, providerReference };
    }
    case 'not_accepted':
      return next === 'refused' ? { ...NOT_BEGUN, detail: news.reason } : { detail: news.reason };
    case 'unknown':
    case 'no_effect':
      return { detail: news.reason };
    case 'not_found':
      return event === 'never_got'
        ? { ...NOT_BEGUN, detail: 'the provider never received it' }
        : { detail: 'not found yet' };
  }
}

interface ChangeParts {
  readonly intervals: AskIntervals;
  readonly at: Instant;
  readonly asked: number;
  readonly news: AttemptNews;
}

function changeOf(
  { attempt, deposit }: AttemptFacts,
  state: AttemptState,
  facts: ReportedFacts,
  { intervals, at, asked, news }: ChangeParts,
): AttemptChange {
  const isOver = !isInFlight({ state });
  const isSame = state === attempt.state;
  // A later response without `isAuthorised` does not revoke the bank's agreement.
  const isAuthorised = attempt.isAuthorised || facts.isAuthorised === true;
  // A new response restarts the query intervals.
  const asks = isSame && isAuthorised === attempt.isAuthorised ? asked : 0;
  return {
    state,
    step: state === 'acting' ? (facts.step ?? attempt.step) : null,
    isAuthorised,
    refusal: facts.refusal ?? null,
    canRetry: facts.canRetry ?? false,
    detail: facts.detail ?? attempt.detail,
    // Refunds use this id, so it stays the id of the first receipt.
    providerReference: (attempt.receipts.length === 0 && facts.providerReference) || attempt.providerReference,
    kept: facts.kept || attempt.kept,
    receipts: attempt.receipts,
    askAt: isOver ? null : nextAsk(state, deposit, asks, intervals, at),
    asks,
    openReturns: state === 'acting' ? openReturnsOf(attempt, facts, news) : 0,
    finishedAt: isOver ? (isSame ? attempt.finishedAt : at) : null,
  };
}

/** A new step has no returns yet, and a return from an earlier step says nothing about it. */
function openReturnsOf(
  { openReturns, kept }: PaymentAttempt,
  { step }: ReportedFacts,
  { returnFrom }: AttemptNews,
): number {
  if (step !== undefined) return 0;
  return returnFrom === kept ? Math.max(0, openReturns - 1) : openReturns;
}

/** An attempt that still waits for the payer is abandoned when the payer's time ends. */
function nextAsk(
  state: AttemptState,
  { closesAt }: Deposit,
  asks: number,
  { askAfterMs }: AskIntervals,
  at: Instant,
): Instant {
  const next = at + (askAfterMs[Math.min(asks, askAfterMs.length - 1)] ?? askAfterMs[0]);
  return state === 'acting' && at < closesAt ? Math.min(next, closesAt) : next;
}
