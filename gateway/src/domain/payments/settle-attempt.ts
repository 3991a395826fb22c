/**
 * The only gate of an attempt's state. It turns each answer, notification and timeout of a provider into a plan: the
 * attempt's new state and the effects on its deposit. Pure.
 *
 * Money that a provider confirms is received like an incoming transfer, under the same rules. It makes the deposit
 * succeed; on a mismatch, or after the deposit's end, it is held or credited by the merchant's policy. A refusal ends
 * only the attempt. The deposit waits for another attempt until its time is over or no attempt is left.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Deposit, IncomingTransfer } from '../deposits/deposit.ts';
import type { DepositComposer } from '../deposits/deposit-callbacks.ts';
import type { DepositFacts, DepositPlan, ReceiptPlan } from '../deposits/deposit-store.ts';
import { planFailure } from '../deposits/fail-deposit.ts';
import { planReceipt } from '../deposits/receive-transfer.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { withoutCardNumbers } from '../vault/card-number.ts';
import {
  type AttemptEvent,
  type AttemptState,
  attemptTransitions,
  isUnderWay,
  type PaymentAttempt,
  transferKeyOf,
} from './payment-attempt.ts';
import type { NoEffect, PaidAnswer, PaymentAnswer, PaymentRail, PaymentStatus } from './payment-rail.ts';

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
  | 'finishedAt'
>;

export interface AttemptPlan {
  readonly change: AttemptChange;
  /** The money, if any. It is recorded in the same commit. */
  readonly receipt: { readonly transfer: IncomingTransfer; readonly plan: ReceiptPlan } | null;
  /** The deposit's end, if this was the last allowed attempt. */
  readonly end: DepositPlan | null;
}

/**
 * A provider's answer or notification, or its silence. `unanswered`: the provider gave no usable answer to a question,
 * so the payer's step stays. `askedAt`: the time of the question. However late the gateway reads the answer, the
 * provider may have looked no later.
 */
export type AttemptNews = (
  | PaymentAnswer
  | PaymentStatus
  | NoEffect
  | { readonly kind: 'abandoned'; readonly detail: string }
  | { readonly kind: 'unanswered' }
) & { readonly askedAt?: Instant };

/** The intervals of questions about a rail's attempts. */
export type AskPace = Pick<PaymentRail, 'askAfterMs' | 'notFoundProofMs'>;

/** Undefined: the news changes nothing. */
export function planAttempt(
  facts: AttemptFacts,
  news: AttemptNews,
  pace: AskPace,
  merchant: Merchant,
  compose: DepositComposer,
  at: Instant,
): AttemptPlan | undefined {
  const { attempt } = facts;
  const receipt = news.kind === 'paid' ? receiptOf(facts, news, merchant, compose, at) : null;
  const told = tellingOf(attempt, news, pace);
  const next = told.event && attemptTransitions.next(attempt.state, told.event);
  if (next === undefined && receipt === null && !isUnderWay(attempt)) return undefined;
  // News without a transition is still an answer: the next question comes later.
  const state = next ?? attempt.state;
  const asked = news.askedAt === undefined ? attempt.asks : attempt.asks + 1;
  const change = changeOf(facts, state, told, { pace, at, asked });
  if (receipt === null) return { change, receipt, end: endOf(facts, change, merchant, compose, at) };
  return { change: { ...change, receipts: [...attempt.receipts, receipt.key] }, receipt, end: null };
}

/** Null: it is already recorded. A receipt without a key equals the existing one. */
function receiptOf(
  facts: AttemptFacts,
  { money, payerAccount, providerReference, receiptKey: key = '', isFromAnother = false }: PaidAnswer,
  merchant: Merchant,
  compose: DepositComposer,
  at: Instant,
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
  // The fee follows the payment type that brought the money, which need not be the latest attempt's.
  const deposit = { ...facts.deposit, paymentType: facts.attempt.paymentType };
  return { key, transfer, plan: planReceipt({ ...facts, deposit }, transfer, merchant, compose, at) };
}

/**
 * A refusal also ends the deposit if no further attempt is allowed and none is in flight (decisions, States: form
 * sessions).
 */
function endOf(
  { deposit, attempt, others }: AttemptFacts,
  { state, detail }: AttemptChange,
  merchant: Merchant,
  compose: DepositComposer,
  at: Instant,
): DepositPlan | null {
  const isLast = others.length + 1 >= merchant.settings.form_attempts && !others.some(isUnderWay);
  if (state !== 'refused' || !isLast) return null;
  return planFailure(deposit, 'declined', { at, actor: attempt.rail, detail }, compose) ?? null;
}

/** Without an event, the news does not change the attempt's state. */
type Telling = { readonly event?: AttemptEvent } & Partial<
  Pick<PaymentAttempt, 'step' | 'isAuthorised' | 'refusal' | 'canRetry' | 'detail' | 'providerReference' | 'kept'>
>;

const NOT_BEGUN = { event: 'refused', refusal: 'declined', canRetry: true } as const;

/** The news as an event of the attempt, with its changes. */
function tellingOf(attempt: PaymentAttempt, news: AttemptNews, pace: AskPace): Telling {
  switch (news.kind) {
    case 'paid':
      return { event: 'paid', providerReference: news.providerReference, isAuthorised: true };
    case 'refused': {
      const { refusal, canRetry, detail, providerReference } = news;
      return { event: 'refused', refusal, canRetry, detail, providerReference };
    }
    case 'step':
      return { event: 'step', step: news.step, kept: news.keep, providerReference: news.providerReference };
    case 'pending': {
      const { isAuthorised, keep, providerReference } = news;
      return { event: 'pending', isAuthorised, kept: keep, providerReference };
    }
    case 'abandoned':
      return { event: 'abandoned', detail: news.detail };
    case 'not_taken':
      // Proof about this call only. An earlier call may have reached the provider.
      return attempt.state === 'starting'
        ? { ...NOT_BEGUN, detail: news.reason }
        : { event: 'unknown', detail: news.reason };
    case 'unknown':
      return { event: 'unknown', detail: news.reason };
    case 'no_effect':
      return { detail: news.reason };
    case 'unanswered':
      return {};
    case 'not_found': {
      const askedAt = news.askedAt ?? Number.NEGATIVE_INFINITY;
      const isProved = askedAt >= attempt.sendUntil + pace.notFoundProofMs && attempt.providerReference === '';
      return isProved
        ? { ...NOT_BEGUN, detail: 'the provider never got it' }
        : { event: 'unknown', detail: 'not found yet' };
    }
  }
}

const ENDS: ReadonlySet<AttemptState> = new Set(['paid', 'refused', 'abandoned']);

function changeOf(
  { attempt, deposit }: AttemptFacts,
  state: AttemptState,
  told: Telling,
  { pace, at, asked }: { readonly pace: AskPace; readonly at: Instant; readonly asked: number },
): AttemptChange {
  const isOver = ENDS.has(state);
  const isSame = state === attempt.state;
  // A later answer without `isAuthorised` does not revoke the bank's agreement.
  const isAuthorised = attempt.isAuthorised || told.isAuthorised === true;
  // A new answer restarts the intervals of the questions.
  const asks = isSame && isAuthorised === attempt.isAuthorised ? asked : 0;
  return {
    state,
    step: state === 'acting' ? (told.step ?? attempt.step) : null,
    isAuthorised,
    refusal: told.refusal ?? null,
    canRetry: told.canRetry ?? false,
    detail: told.detail ?? attempt.detail,
    // Refunds use this id, so it stays the id of the first receipt.
    providerReference: (attempt.receipts.length === 0 && told.providerReference) || attempt.providerReference,
    kept: told.kept || attempt.kept,
    receipts: attempt.receipts,
    askAt: isOver ? null : nextAsk(state, deposit, asks, pace, at),
    asks,
    finishedAt: isOver ? (isSame ? attempt.finishedAt : at) : null,
  };
}

/** An attempt that still waits for the payer when the payer's time ends is given up at that moment. */
function nextAsk(
  state: AttemptState,
  { closesAt }: Deposit,
  asks: number,
  { askAfterMs }: AskPace,
  at: Instant,
): Instant {
  const next = at + (askAfterMs[Math.min(asks, askAfterMs.length - 1)] ?? askAfterMs[0]);
  return state === 'acting' && at < closesAt ? Math.min(next, closesAt) : next;
}
