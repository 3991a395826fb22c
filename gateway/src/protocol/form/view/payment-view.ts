/**
 * Derives the view of a payer's page from the state of the payment: first an ended or pending payment, then the
 * payer's options. It is a pure function. It must not show the payer's own input, or any data of another payment.
 */
import type { Deposit } from '../../../domain/deposits/deposit.ts';
import type { FormPaymentType } from '../../../domain/methods/payment-type.ts';
import { isInFlight, type PaymentAttempt, WITH_PROVIDER } from '../../../domain/payments/attempts/payment-attempt.ts';
import { choosePaymentRail } from '../../../domain/payments/choose-payment-rail.ts';
import type { PayerStep } from '../../../domain/payments/payment-rail.ts';
import { SECOND_MS } from '../../../foundation/clock.ts';
import { invariant } from '../../../foundation/invariant.ts';
import {
  type AskedDetails,
  DETAIL_FIELDS,
  type DetailField,
  type PageView,
  type PaymentView,
  type ProblemKind,
  type ShownWallets,
  type ViewOf,
} from '../pages/page-view.ts';
import { receiptOf } from '../pages/receipt-of.ts';
import { choosePaymentType } from '../request/choose-payment-type.ts';
import { fieldsToAskFor, type StoredParameters } from '../request/form-fields.ts';
import { findBanks } from './find-banks.ts';
import { redirectOf } from './payer-redirect.ts';
import { chosenBank, headOf, payerDeadline, shopOf, shownAttempt, type ViewFacts } from './view-facts.ts';

export function viewOf(facts: ViewFacts): PageView {
  const view = currentView(facts);
  if (!facts.choice.isCancelled || !('payment' in view) || !mustAskToCancel(facts)) return view;
  return view.payment.canCancel ? { kind: 'cancel_question', payment: view.payment } : view;
}

/** The payer may be finishing the payment at their bank, or in another window. */
export function mustAskToCancel({ record }: Pick<ViewFacts, 'record'>): boolean {
  return shownAttempt(record)?.state === 'acting';
}

function currentView(facts: ViewFacts): PageView {
  const { record, choice, now } = facts;
  const { deposit } = record;
  const attempt = shownAttempt(record);
  if (deposit !== null && deposit.state !== 'pending') return endView(facts, deposit);
  if (attempt && isInFlight(attempt)) return stepView(facts, attempt);
  // Money has arrived but differs from the request, so the operator must decide.
  if (attempt && record.attempts.some(({ state }) => state === 'paid'))
    return { kind: 'waiting', awaits: 'confirmation', since: attempt.startedAt, payment: headOf(facts, false) };
  if (now >= payerDeadline(record)) return ended(facts, 'expired');
  if (choice.isCancelled && deposit === null)
    return {
      kind: 'cancelled',
      canContinue: true,
      returnUrl: redirectOf(facts, 'canceled'),
      payment: headOf(facts, false),
    };
  const ways = waysToPay(facts);
  const wantsMore = attempt === undefined || attempt.state === 'abandoned' || choice.after === attempt.attempt;
  if (attempt && (!wantsMore || ways.types.length === 0)) return rejectedView(facts, attempt, ways);
  return inputView(facts, ways);
}

type Ended = 'expired' | 'cancelled';

function ended(facts: ViewFacts, kind: Ended): PaymentView {
  const end = { returnUrl: redirectOf(facts, 'canceled'), payment: headOf(facts, false) };
  return kind === 'expired' ? { kind, ...end } : { kind, canContinue: false, ...end };
}

function endView(facts: ViewFacts, deposit: Deposit): PageView {
  const { state, failReason } = deposit;
  if (state === 'success')
    return {
      kind: 'paid',
      receipt: receiptOf(deposit, facts.record.attempts),
      returnUrl: redirectOf(facts, 'success'),
      payment: headOf(facts, false),
    };
  // Money may have moved despite the failure. Send the payer to the shop instead of stating that nothing was charged.
  if (facts.record.attempts.some(hasReachedProvider)) return ended(facts, 'expired');
  const attempt = shownAttempt(facts.record);
  if (failReason === 'declined' && attempt) return rejectedView(facts, attempt, { types: [], preset: null });
  if (failReason === 'displaced') return problem(facts, 'order_being_paid');
  return ended(facts, failReason === 'cancelled' ? 'cancelled' : 'expired');
}

function hasReachedProvider({ state }: PaymentAttempt): boolean {
  return state === 'paid' || WITH_PROVIDER.has(state);
}

function rejectedView(facts: ViewFacts, attempt: PaymentAttempt, { types }: WaysToPay): PageView {
  const isOver = facts.record.deposit?.state !== 'pending';
  const hasEnded = isOver || types.length === 0;
  const canRetry = types.some((type) => type === attempt.paymentType);
  const canChangeBank = canRetry && attempt.paymentType === 'open_banking';
  return {
    kind: 'refused',
    refusal: attempt.refusal ?? 'cancelled_by_payer',
    attemptsLeft: isOver ? 0 : Math.max(0, facts.merchant.settings.form_attempts - facts.record.attempts.length),
    canRetry,
    hasOtherTypes: types.some((type) => type !== attempt.paymentType),
    returnUrl: hasEnded ? redirectOf(facts, 'canceled') : null,
    payment: { ...headOf(facts, !isOver), canChangeBank },
  };
}

function inputView(facts: ViewFacts, { types, preset }: WaysToPay): PageView {
  const { merchant, choice } = facts;
  if (types.length === 0)
    return problem(facts, merchant.state === 'suspended' ? 'merchant_unavailable' : 'method_unavailable');
  const chosen = types.find((type) => type === choice.type);
  const type = chosen ?? (choice.type === 'choose' && types.length > 1 ? null : preset);
  if (type === null)
    return { kind: 'choose', types, brands: merchant.settings.card_brands, payment: headOf(facts, true) };
  return typeView(facts, type, types.length > 1);
}

function typeView(facts: ViewFacts, type: FormPaymentType, hasOtherTypes: boolean): PageView {
  const payment = headOf(facts, true);
  const details = askedDetails(facts, type);
  if (type === 'card') {
    const { card_brands: brands } = facts.merchant.settings;
    const shown = { holder: '', errors: {}, details, hasOtherTypes, asksAgain: false, payment };
    return { kind: 'card', brands, ...shown, wallets: shownWallets(facts, details) };
  }
  if (type === 'open_banking' && chosenBank(facts) === undefined) {
    const { search = '' } = facts.choice;
    const found = findBanks(facts.banks, search, facts.record.session.parameters['country'] ?? '');
    return { kind: 'bank', ...found, search, hasOtherTypes, payment };
  }
  const canChangeBank = type === 'open_banking';
  return { kind: 'details', paymentType: type, details, hasOtherTypes, payment: { ...payment, canChangeBank } };
}

/** A wallet provides the email address and no other detail. */
function shownWallets({ record, merchant, rails }: ViewFacts, { fields }: AskedDetails): ShownWallets | null {
  const rail = choosePaymentRail(rails, merchant, 'card', record.session.money.currency);
  const { applePay, googlePay } = rail?.wallets ?? { applePay: null, googlePay: null };
  if ((applePay === null && googlePay === null) || fields.some((name) => name !== 'email')) return null;
  return { appleCountry: applePay?.country ?? null, googlePay, needsEmail: fields.length > 0 };
}

function askedDetails({ record, merchant, rails }: ViewFacts, type: FormPaymentType): AskedDetails {
  const rail = choosePaymentRail(rails, merchant, type, record.session.money.currency);
  invariant(rail, 'offered payment type has no rail');
  const isDetail = (field: string): field is DetailField => (DETAIL_FIELDS as readonly string[]).includes(field);
  return { fields: fieldsToAskFor(knownDetails(record), rail.needs).filter(isDetail), values: {}, errors: {} };
}

/** Returns the merchant's details, unless a bank has just rejected them. */
function knownDetails({ session, attempts }: ViewFacts['record']): StoredParameters {
  return attempts.at(-1)?.refusal === 'payer_details' ? {} : session.parameters;
}

function problem({ record, merchant }: ViewFacts, kind: ProblemKind): PageView {
  return { kind: 'problem', problem: kind, shopUrl: shopOf(record, merchant) };
}

/** The time that 3-D Secure allows a bank for the fingerprint of a browser. */
const FINGERPRINT_MS = 10 * SECOND_MS;

function stepView(facts: ViewFacts, attempt: PaymentAttempt): PageView {
  if (attempt.state !== 'acting') return waitView(facts, attempt);
  // The payer may have acted at the last moment, so the gateway is querying the provider.
  if (facts.now >= payerDeadline(facts.record)) return waiting(facts, attempt, 'confirmation');
  invariant(attempt.step, 'attempt in state acting has no step');
  return actView(facts, attempt, attempt.step);
}

/** The payer need not wait for authorised money that is still pending after a status query (decision 37). */
function waitView(facts: ViewFacts, attempt: PaymentAttempt): PageView {
  if (attempt.state !== 'deciding') return waiting(facts, attempt, 'confirmation');
  if (!attempt.isAuthorised) return waiting(facts, attempt, 'bank');
  const returnUrl = attempt.asks > 0 ? redirectOf(facts, 'success') : null;
  if (returnUrl === null) return waiting(facts, attempt, 'settlement');
  return { kind: 'going_back', returnUrl, payment: headOf(facts, false) };
}

function waiting(
  facts: ViewFacts,
  { startedAt }: PaymentAttempt,
  awaits: 'bank' | 'confirmation' | 'settlement',
): PageView {
  return { kind: 'waiting', awaits, since: startedAt, payment: headOf(facts, false) };
}

function actView(facts: ViewFacts, attempt: PaymentAttempt, step: PayerStep): PageView {
  const types = typesAfter(facts, attempt);
  const payment = {
    ...headOf(facts, true),
    canChangeWay: types.some((type) => type !== attempt.paymentType),
    canChangeBank: attempt.paymentType === 'open_banking' && types.includes('open_banking'),
  };
  const origins = facts.rails.find(({ name }) => name === attempt.rail)?.frameOrigins ?? [];
  switch (step.kind) {
    case 'redirect':
      return { kind: 'leave', url: step.url, bankName: chosenBank(facts)?.name ?? '', payment };
    case 'frame':
      return { kind: 'frame', url: step.url, origins, payment };
    case 'post':
      return step.purpose === 'fingerprint'
        ? { kind: 'fingerprint', post: step, origins, timeoutMs: FINGERPRINT_MS, payment }
        : { kind: 'challenge', post: step, origins, payment };
    case 'code':
      return { kind: 'code', text: step.text, since: attempt.startedAt, payment };
    case 'elsewhere':
      return { kind: 'bank_message', ...shownContact(facts, attempt), since: attempt.startedAt, payment };
  }
}

/**
 * Returns the masked contact that receives the message, so that the payer recognises it. Only the merchant's contact appears,
 * because the gateway does not store the payer's own input.
 */
function shownContact(
  { record, rails }: ViewFacts,
  { rail }: PaymentAttempt,
): Pick<ViewOf<'bank_message'>, 'email' | 'phone'> {
  const { email = '', phone = '' } = record.session.parameters;
  const goesByEmail = rails.find(({ name }) => name === rail)?.needs.includes('email') === true;
  const [, first = '', domain = ''] = /^(.)[^@]*(@.*)$/u.exec(email) ?? [];
  if (goesByEmail) return { email: email === '' ? '' : `${first}•••${domain}`, phone: '' };
  return { email: '', phone: phone === '' ? '' : `•••${phone.slice(-3)}` };
}

/**
 * The payment types that the payer can use now: those that the request and the merchant allow, minus those that earlier
 * attempts ruled out.
 */
interface WaysToPay {
  readonly types: readonly FormPaymentType[];
  /** The preselected type. Null if the payer must choose. */
  readonly preset: FormPaymentType | null;
}

const NO_WAY: WaysToPay = { types: [], preset: null };

function waysToPay({ record, merchant, rails }: ViewFacts): WaysToPay {
  const { session, attempts } = record;
  const { money, parameters } = session;
  const { form_attempts, form_other_type } = merchant.settings;
  if (merchant.state === 'suspended' || attempts.length >= form_attempts) return NO_WAY;
  const chosen = choosePaymentType({ merchant, money, parameters }, rails);
  if (!chosen.ok) return NO_WAY;
  const { possibleTypes, paymentType } = chosen.value;
  const last = attempts.at(-1);
  const types = possibleTypes.filter((type) => last === undefined || mayFollow(last, type, form_other_type === 'on'));
  const preset = types.length === 1 ? (types[0] ?? null) : (types.find((type) => type === paymentType) ?? null);
  return { types, preset };
}

/** An attempt that the payer abandoned rules nothing out. */
function mayFollow({ state, paymentType, canRetry }: PaymentAttempt, type: FormPaymentType, isOtherAllowed: boolean) {
  if (state === 'abandoned') return true;
  return type === paymentType ? canRetry : isOtherAllowed;
}

/** Returns the types that the payer could choose after abandoning this attempt. */
function typesAfter(facts: ViewFacts, acting: PaymentAttempt): readonly FormPaymentType[] {
  const { record } = facts;
  const attempts = record.attempts.map((attempt) => (attempt === acting ? asAbandoned(attempt) : attempt));
  return waysToPay({ ...facts, record: { ...record, attempts } }).types;
}

function asAbandoned(attempt: PaymentAttempt): PaymentAttempt {
  return { ...attempt, state: 'abandoned' };
}
