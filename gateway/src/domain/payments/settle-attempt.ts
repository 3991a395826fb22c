/**
 * The one gate of an attempt's state. Whatever a provider answers, tells or is asked comes through here and is turned
 * into a plan: how the attempt stands, and what follows for its deposit. Pure.
 *
 * Money that a provider says is ours is received like a transfer that came in, so it meets the same rules: it makes the
 * deposit succeed, or, where it is another amount or the deposit has ended, it is held or credited as the merchant chose.
 * A refusal ends the attempt alone; the deposit waits for another try until its time is over, or until there is none left.
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
  /** The deposit's other attempts, whenever they were made. */
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
  /** The money, where there is some: recorded in the same commit. */
  readonly receipt: { readonly transfer: IncomingTransfer; readonly plan: ReceiptPlan } | null;
  /** The deposit's end, where this was the last try that it had. */
  readonly end: DepositPlan | null;
}

/**
 * What a provider has said, in answer to a call or by itself, or that it was silent. `unanswered`: it was asked and gave
 * no usable answer, which takes from nobody what they have to do. `askedAt`: when we wanted to know what became of it;
 * however late the answer is read, the provider may have looked no later.
 */
export type AttemptNews = (
  | PaymentAnswer
  | PaymentStatus
  | NoEffect
  | { readonly kind: 'abandoned'; readonly detail: string }
  | { readonly kind: 'unanswered' }
) & { readonly askedAt?: Instant };

/** How the attempts of a rail are waited for. */
export type AskPace = Pick<PaymentRail, 'askAfterMs' | 'notFoundProofMs'>;

/** Undefined: the news change nothing. */
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
  // What leads nowhere is still an answer: the provider is asked again later.
  const state = next ?? attempt.state;
  const asked = news.askedAt === undefined ? attempt.asks : attempt.asks + 1;
  const change = changeOf(facts, state, told, { pace, at, asked });
  if (receipt === null) return { change, receipt, end: endOf(facts, change, merchant, compose, at) };
  return { change: { ...change, receipts: [...attempt.receipts, receipt.key] }, receipt, end: null };
}

/** Null: it is recorded already. One that nothing tells from another is the one that there is. */
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
    // The time that a payer has bounds their act; how long the provider takes to decide does not count.
    bookedAt: startedAt,
    isFromAnother,
  };
  // The fee is that of the way by which the money came, which need not be the last that was tried.
  const deposit = { ...facts.deposit, paymentType: facts.attempt.paymentType };
  return { key, transfer, plan: planReceipt({ ...facts, deposit }, transfer, merchant, compose, at) };
}

/** A refusal after which there may be no other try, and none is under way, ends the deposit as well (decisions, States: form sessions). */
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

/** Without an event: nothing is said that would change how the attempt stands. */
type Telling = { readonly event?: AttemptEvent } & Partial<
  Pick<PaymentAttempt, 'step' | 'isAuthorised' | 'refusal' | 'canRetry' | 'detail' | 'providerReference' | 'kept'>
>;

const NOT_BEGUN = { event: 'refused', refusal: 'declined', canRetry: true } as const;

/** The news as an event of the attempt, with what they bring along. */
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
      // Proved for this very call; what an earlier one may have begun is still with the provider.
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
  // Who has proved that the payer's bank agreed is not outdone by who could not.
  const isAuthorised = attempt.isAuthorised || told.isAuthorised === true;
  // What nobody knew before is waited for anew: by no question has it been asked after yet.
  const asks = isSame && isAuthorised === attempt.isAuthorised ? asked : 0;
  return {
    state,
    step: state === 'acting' ? (told.step ?? attempt.step) : null,
    isAuthorised,
    refusal: told.refusal ?? null,
    canRetry: told.canRetry ?? false,
    detail: told.detail ?? attempt.detail,
    // By this name the payment is given back: that of the money that came first.
    providerReference: (attempt.receipts.length === 0 && told.providerReference) || attempt.providerReference,
    kept: told.kept || attempt.kept,
    receipts: attempt.receipts,
    askAt: isOver ? null : nextAsk(state, deposit, asks, pace, at),
    asks,
    finishedAt: isOver ? (isSame ? attempt.finishedAt : at) : null,
  };
}

/** Whoever is still to act when the payer's time is over is given up right then. */
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
