/**
 * Decides which request has an order that another deposit has already. At most one deposit of an order succeeds and keeps
 * it, and a request that the merchant signed goes before one that anybody could have made: an unsigned form never blocks
 * or consumes an order, not even by paying it (decision 34). Pure.
 */
import { type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import { isSameMoney, type Money } from '../../foundation/money.ts';
import type { Deposit } from '../deposits/deposit.ts';
import { isFormPaymentType } from '../methods/payment-type.ts';

export interface OrderClaim {
  readonly by: 'form' | 'host_to_host';
  /** Whether the merchant vouches for it, by a signature. Host-to-host requests always are signed. */
  readonly isSigned: boolean;
  readonly money: Money;
  /** Of the payer's browser; null where it is not known. */
  readonly visitorHash: Buffer | null;
  readonly at: Instant;
}

/** The deposit that has the order. */
export interface OrderHolder {
  readonly deposit: Deposit;
  readonly isSigned: boolean;
  readonly visitorHash: Buffer | null;
  /** When its latest attempt began, if that is in flight or has brought money that the operator decides about; else null. */
  readonly busySince: Instant | null;
}

/**
 * - `taken`: it stays the holder's.
 * - `over`: the holder has failed, and the claimant may have it.
 * - `displaced`: the holder makes way for the claimant; what it was paid is held.
 * - `joined`: the claimant's payer goes on with the holder, which is the same payment.
 */
export type OrderDecision = 'taken' | 'over' | 'displaced' | 'joined';

/** A payer of an unsigned form keeps its order from other unsigned forms for this long, wherever they went. */
export const UNSIGNED_HOLD_MS = 30 * MINUTE_MS;

export function decideOrder(holder: OrderHolder, claim: OrderClaim): OrderDecision {
  const { deposit, isSigned } = holder;
  if (deposit.state === 'success') return !isSigned && claim.isSigned ? 'displaced' : 'taken';
  if (deposit.state === 'fail') return claim.by === 'form' || !isSigned ? 'over' : 'taken';
  if (isSamePayment(holder, claim)) return 'joined';
  if (!isSigned) return claim.isSigned || !isBusy(holder, claim.at) ? 'displaced' : 'taken';
  const mayDisplace = claim.isSigned && claim.by === 'form' && isFormPaymentType(deposit.paymentType);
  return mayDisplace && !isBusy(holder, claim.at) ? 'displaced' : 'taken';
}

function isBusy({ isSigned, busySince }: OrderHolder, at: Instant): boolean {
  return busySince !== null && (isSigned || at < busySince + UNSIGNED_HOLD_MS);
}

/** Over the same money: requested twice by the merchant, or opened twice in one browser. */
function isSamePayment({ deposit, isSigned, visitorHash }: OrderHolder, claim: OrderClaim): boolean {
  if (claim.by !== 'form' || !isFormPaymentType(deposit.paymentType)) return false;
  if (isSigned !== claim.isSigned || !isSameMoney(deposit.money, claim.money)) return false;
  return isSigned || (visitorHash !== null && claim.visitorHash?.equals(visitorHash) === true);
}
