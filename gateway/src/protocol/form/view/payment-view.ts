/**
 * Derives the view of a payer's page from the state of the payment: first an ended or pending payment, then the
 * payer's options. It is a pure function. It must not show the payer's own input, or anything of another payment.
 */

import type { Deposit } from '../../../domain/deposits/deposit.ts';
import type { FormPaymentType } from '../../../domain/methods/payment-type.ts';
import { isInFlight, type PaymentAttempt, WITH_PROVIDER } from '../../../domain/payments/payment-attempt.ts';
import { choosePaymentRail } from '../../../domain/payments/payment-rail-choice.ts';
import { invariant } from '../../../foundation/invariant.ts';
import {
  type AskedDetails,
  type CardBrand,
  DETAIL_FIELDS,
  type DetailField,
  type PageView,
  type PaymentView,
  type ProblemKind,
} from '../pages/page-view.ts';
import { fieldsToAskFor, type StoredParameters } from '../request/payer-details.ts';
import { findBanks } from './find-banks.ts';
import { stepView } from './step-view.ts';
import { chosenBank, headOf, payerDeadline, redirectOf, shopOf, shownAttempt, type ViewFacts } from './view-facts.ts';
import { type WaysToPay, waysToPay } from './ways-to-pay.ts';

export function viewOf(facts: ViewFacts): PageView {
  const { record, choice, now } = facts;
  const { deposit } = record;
  const attempt = shownAttempt(record);
  if (deposit !== null && deposit.state !== 'pending') return endView(facts, deposit);
  if (attempt && isInFlight(attempt)) return stepView(facts, attempt);
  // Money has arrived but differs from the request, so the operator must decide.
  if (attempt && record.attempts.some(({ state }) => state === 'paid'))
    return { kind: 'waiting', awaits: 'confirmation', since: attempt.startedAt, payment: headOf(facts, false) };
  if (now >= payerDeadline(record)) return ended(facts, 'expired');
  if (choice.isCancelled && deposit === null) return ended(facts, 'cancelled');
  const ways = waysToPay(facts);
  const wantsMore = attempt === undefined || attempt.state === 'abandoned' || choice.after === attempt.attempt;
  if (attempt && (!wantsMore || ways.types.length === 0)) return refusedView(facts, attempt, ways);
  return inputView(facts, ways);
}

type Ended = 'expired' | 'cancelled';

function ended(facts: ViewFacts, kind: Ended): PaymentView {
  return { kind, returnUrl: redirectOf(facts, 'canceled'), payment: headOf(facts, false) };
}

function endView(facts: ViewFacts, { state, failReason, transactionId }: Deposit): PageView {
  if (state === 'success')
    return {
      kind: 'paid',
      transactionId,
      returnUrl: redirectOf(facts, 'success'),
      payment: headOf(facts, false),
    };
  // Money may have moved despite the failure. Send the payer to the shop instead of stating that nothing was charged.
  if (facts.record.attempts.some(hasReachedProvider)) return ended(facts, 'expired');
  const attempt = shownAttempt(facts.record);
  if (failReason === 'declined' && attempt) return refusedView(facts, attempt, { types: [], preset: null });
  if (failReason === 'displaced') return problem(facts, 'order_being_paid');
  return ended(facts, failReason === 'cancelled' ? 'cancelled' : 'expired');
}

function hasReachedProvider({ state }: PaymentAttempt): boolean {
  return state === 'paid' || WITH_PROVIDER.has(state);
}

function refusedView(facts: ViewFacts, attempt: PaymentAttempt, { types }: WaysToPay): PageView {
  const isOver = facts.record.deposit?.state !== 'pending';
  const hasEnded = isOver || types.length === 0;
  return {
    kind: 'refused',
    refusal: attempt.refusal ?? 'cancelled_by_payer',
    triesLeft: isOver ? 0 : Math.max(0, facts.merchant.settings.form_attempts - facts.record.attempts.length),
    canRetry: types.some((type) => type === attempt.paymentType),
    hasOtherTypes: types.some((type) => type !== attempt.paymentType),
    returnUrl: hasEnded ? redirectOf(facts, 'canceled') : null,
    payment: headOf(facts, !isOver),
  };
}

function inputView(facts: ViewFacts, { types, preset }: WaysToPay): PageView {
  const { merchant, choice } = facts;
  if (types.length === 0)
    return problem(facts, merchant.state === 'suspended' ? 'merchant_unavailable' : 'method_unavailable');
  const chosen = types.find((type) => type === choice.type);
  const type = chosen ?? (choice.type === 'choose' && types.length > 1 ? null : preset);
  if (type === null) return { kind: 'choose', types, payment: headOf(facts, true) };
  return typeView(facts, type, types.length > 1);
}

/** The brands that every card rail accepts. The provider decides about others. */
const BRANDS: readonly CardBrand[] = ['visa', 'mastercard'];

function typeView(facts: ViewFacts, type: FormPaymentType, hasOtherTypes: boolean): PageView {
  const payment = headOf(facts, true);
  const details = askedDetails(facts, type);
  if (type === 'card') return { kind: 'card', brands: BRANDS, holder: '', errors: {}, details, hasOtherTypes, payment };
  if (type === 'open_banking' && chosenBank(facts) === undefined) {
    const { search = '' } = facts.choice;
    const found = findBanks(facts.banks, search, facts.record.session.parameters['country'] ?? '');
    return { kind: 'bank', ...found, search, hasOtherTypes, payment };
  }
  return { kind: 'details', paymentType: type, details, hasOtherTypes, payment };
}

function askedDetails({ record, merchant, rails }: ViewFacts, type: FormPaymentType): AskedDetails {
  const rail = choosePaymentRail(rails, merchant, type, record.session.money.currency);
  invariant(rail, 'a payment type is possible that no rail carries');
  const isDetail = (field: string): field is DetailField => (DETAIL_FIELDS as readonly string[]).includes(field);
  return { fields: fieldsToAskFor(knownDetails(record), rail.needs).filter(isDetail), values: {}, errors: {} };
}

/** The merchant's details, unless a bank has just rejected them. */
function knownDetails({ session, attempts }: ViewFacts['record']): StoredParameters {
  return attempts.at(-1)?.refusal === 'payer_details' ? {} : session.parameters;
}

function problem({ record, merchant }: ViewFacts, kind: ProblemKind): PageView {
  return { kind: 'problem', problem: kind, shopUrl: shopOf(record, merchant) };
}
