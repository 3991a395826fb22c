/**
 * Decides which request gets an order that another deposit already has. At most one deposit of an order succeeds and keeps it.
 * A signed request has precedence over an unsigned one, which anyone could make. An unsigned form therefore never blocks or
 * uses up an order, even by paying it (decision 34). Also decides whether the holder gets another attempt. Pure.
 */
import { type Instant, MINUTE_MS } from '../../../foundation/clock.ts';
import { isSameMoney, type Money } from '../../../foundation/money.ts';
import type { Deposit, DepositState } from '../../deposits/deposit.ts';
import { isFormPaymentType } from '../../methods/payment-type.ts';
import { mayBePaid, type PaymentAttempt } from '../attempts/payment-attempt.ts';
import type { AttemptRequest, BeginOutcome, OrderHolder } from '../payment-store.ts';

export interface OrderClaim {
  readonly by: 'form' | 'host_to_host';
  /** Whether the merchant signed the request. Host-to-host requests are always signed. */
  readonly isSigned: boolean;
  readonly money: Money;
  /** The payer's browser. Null if unknown. */
  readonly visitorHash: Buffer | null;
  readonly at: Instant;
}

/**
 * - `kept`: the holder keeps it.
 * - `over`: the holder has failed, and the claimant may take the order.
 * - `displaced`: the claimant gets it, and the holder's money is held.
 * - `joined`: the claimant's payer continues with the holder, because both are the same payment.
 */
export type OrderDecision = 'kept' | 'over' | 'displaced' | 'joined';

/** How long a payer of an unsigned form keeps its order from other unsigned forms, even after leaving. */
const UNSIGNED_HOLD_MS = 30 * MINUTE_MS;

/** The request behind the holder's deposit. Every host-to-host request is signed. */
const HOLDERS = ['unsigned_form', 'signed_form', 'host_to_host'] as const;
type Holder = (typeof HOLDERS)[number];

/** `same_payment` means a form of the holder's own payment. */
const CLAIMANTS = [...HOLDERS, 'same_payment'] as const;
type Claimant = (typeof CLAIMANTS)[number];

/** `if_idle`: displaced, unless the holder is busy. */
type Row = Readonly<Record<Claimant, OrderDecision | 'if_idle'>>;

/** An unsigned form never keeps an order from a signed request. */
const NOBODY: Row = { unsigned_form: 'kept', signed_form: 'kept', host_to_host: 'kept', same_payment: 'kept' };
const WEAK: Row = { ...NOBODY, signed_form: 'displaced', host_to_host: 'displaced' };
const ANYBODY: Row = { unsigned_form: 'over', signed_form: 'over', host_to_host: 'over', same_payment: 'over' };
/** A host-to-host request never gets an order that the merchant signed before. */
const ANY_FORM: Row = { ...ANYBODY, host_to_host: 'kept' };

const OPEN: Readonly<Record<Holder, Row>> = {
  unsigned_form: { ...WEAK, unsigned_form: 'if_idle', same_payment: 'joined' },
  signed_form: { ...NOBODY, signed_form: 'if_idle', same_payment: 'joined' },
  host_to_host: NOBODY,
};

const ORDER_DECISIONS: Readonly<Record<DepositState, Readonly<Record<Holder, Row>>>> = {
  created: OPEN,
  pending: OPEN,
  success: { unsigned_form: WEAK, signed_form: NOBODY, host_to_host: NOBODY },
  fail: { unsigned_form: ANYBODY, signed_form: ANY_FORM, host_to_host: ANY_FORM },
};

export function decideOrder(holder: OrderHolder, claim: OrderClaim): OrderDecision {
  const decision = ORDER_DECISIONS[holder.deposit.state][holderOf(holder)][claimantOf(holder, claim)];
  if (decision !== 'if_idle') return decision;
  return isBusy(holder, claim.at) ? 'kept' : 'displaced';
}

function holderOf({ deposit, isSigned }: OrderHolder): Holder {
  if (!isSigned) return 'unsigned_form';
  return isFormPaymentType(deposit.paymentType) ? 'signed_form' : 'host_to_host';
}

/** Returns the kind of a request. A request of an open holder's own payment is a separate kind. */
function claimantOf(holder: OrderHolder, claim: OrderClaim): Claimant {
  if (isSamePayment(holder, claim)) return 'same_payment';
  if (claim.by === 'host_to_host') return 'host_to_host';
  return claim.isSigned ? 'signed_form' : 'unsigned_form';
}

function isBusy({ isSigned, busySince }: OrderHolder, at: Instant): boolean {
  return busySince !== null && (isSigned || at < busySince + UNSIGNED_HOLD_MS);
}

/** True for a repeated request of the merchant, or a second opening in one browser, with the same amount. */
function isSamePayment({ deposit, isSigned, visitorHash }: OrderHolder, claim: OrderClaim): boolean {
  if (claim.by !== 'form' || !isFormPaymentType(deposit.paymentType)) return false;
  if (isSigned !== claim.isSigned || !isSameMoney(deposit.money, claim.money)) return false;
  return isSigned || (visitorHash !== null && claim.visitorHash?.equals(visitorHash) === true);
}

/**
 * - `fresh`: a new form, which claims the order when its payer submits.
 * - `resumed`: the holder's payment in progress, or the receipt of the payer's own browser.
 * - `paid`: the merchant's own link to a paid order, in another browser. It shows nothing of that payment.
 */
export type Opening = 'fresh' | 'resumed' | 'paid';

/** Decides what the link of an order opens. It changes no claim: only an attempt does. */
export function decideOpening(holder: OrderHolder, claim: OrderClaim): Opening {
  const { deposit, visitorHash } = holder;
  if (deposit.state !== 'success')
    return holder.busySince !== null && decideOrder(holder, claim) === 'joined' ? 'resumed' : 'fresh';
  if (!isFormPaymentType(deposit.paymentType) || !isSameMoney(deposit.money, claim.money)) return 'fresh';
  if (visitorHash !== null && claim.visitorHash?.equals(visitorHash) === true) return 'resumed';
  return holder.isSigned && claim.isSigned ? 'paid' : 'fresh';
}

/** Returns why the deposit accepts no further attempt, or null if it accepts one. */
export function rejectAttempt(
  deposit: Deposit,
  attempts: readonly PaymentAttempt[],
  { attempt, attemptsSeen, mostAttempts }: Pick<AttemptRequest, 'attempt' | 'attemptsSeen' | 'mostAttempts'>,
): BeginOutcome | null {
  // The job that expires deposits runs some time after their expiry, so it finds no attempt that has just begun.
  const isOver = deposit.finishedAt !== null || deposit.expiresAt <= attempt.startedAt;
  if (isOver) return { kind: 'ended', deposit };
  const inFlight = attempts.find(mayBePaid);
  if (inFlight) return { kind: 'in_flight', attempt: inFlight };
  if (attempts.length > attemptsSeen) return { kind: 'out_of_date' };
  return attempts.length >= mostAttempts ? { kind: 'too_many_attempts' } : null;
}
