/**
 * Decides which request gets an order that another deposit already has. At most one deposit of an order succeeds and
 * keeps it. A signed request has precedence over one that any person could make. An unsigned form therefore never
 * blocks or uses up an order, even by paying it (decision 34). Pure.
 */
import { type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import { isSameMoney, type Money } from '../../foundation/money.ts';
import type { Deposit } from '../deposits/deposit.ts';
import { isFormPaymentType } from '../methods/payment-type.ts';

export interface OrderClaim {
  readonly by: 'form' | 'host_to_host';
  /** Whether the merchant signed it. Host-to-host requests are always signed. */
  readonly isSigned: boolean;
  readonly money: Money;
  /** The payer's browser; null if unknown. */
  readonly visitorHash: Buffer | null;
  readonly at: Instant;
}

/** The deposit that has the order. */
export interface OrderHolder {
  readonly deposit: Deposit;
  readonly isSigned: boolean;
  readonly visitorHash: Buffer | null;
  /**
   * When its latest attempt began, if that is in flight or brought money that the operator decides about; else null.
   */
  readonly busySince: Instant | null;
}

/**
 * - `taken`: the holder keeps it.
 * - `over`: the holder has failed, and the claimant may have it.
 * - `displaced`: the claimant gets it, and the holder's money is held.
 * - `joined`: the claimant's payer continues with the holder, because both are the same payment.
 */
export type OrderDecision = 'taken' | 'over' | 'displaced' | 'joined';

/** How long a payer of an unsigned form keeps its order from other unsigned forms, even after leaving. */
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

/** With the same amount: a repeated request of the merchant, or a second opening in one browser. */
function isSamePayment({ deposit, isSigned, visitorHash }: OrderHolder, claim: OrderClaim): boolean {
  if (claim.by !== 'form' || !isFormPaymentType(deposit.paymentType)) return false;
  if (isSigned !== claim.isSigned || !isSameMoney(deposit.money, claim.money)) return false;
  return isSigned || (visitorHash !== null && claim.visitorHash?.equals(visitorHash) === true);
}
