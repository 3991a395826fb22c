/**
 * Who gets an order that another deposit has already. There is at most one success per order, and what the merchant signed
 * goes before what anybody could have made: an unsigned form never blocks a signed one or a host-to-host request
 * (decisions, States: form sessions). Pure.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import { type Deposit, isFormPaymentType } from '../deposits/deposit.ts';
import type { DepositPlan } from '../deposits/deposit-store.ts';

export interface OrderClaim {
  readonly by: 'form' | 'host_to_host';
  /** Whether the merchant vouches for it, by a signature. Host-to-host requests always are signed. */
  readonly isSigned: boolean;
  readonly money: Money;
  /** Of the payer's browser; null where it is not known. */
  readonly visitorHash: Buffer | null;
}

/** The deposit that has the order. */
export interface OrderHolder {
  readonly deposit: Deposit;
  readonly isSigned: boolean;
  readonly visitorHash: Buffer | null;
  /** One of its attempts has not ended, or has brought money that somebody decides about. */
  readonly isUnderWay: boolean;
}

/**
 * - `taken`: it stays the holder's.
 * - `over`: the holder has failed, and the claimant may have it.
 * - `displaced`: the holder is ended for the claimant's sake.
 * - `joined`: the claimant's payer goes on with the holder, which is the same payment.
 */
export type OrderDecision = 'taken' | 'over' | 'displaced' | 'joined';

export function decideOrder(holder: OrderHolder, claim: OrderClaim): OrderDecision {
  const { deposit, isSigned, isUnderWay } = holder;
  if (deposit.state === 'success') return 'taken';
  if (deposit.state === 'fail') return claim.by === 'form' || !isSigned ? 'over' : 'taken';
  if (isSamePayment(holder, claim)) return 'joined';
  if (!isSigned) return claim.isSigned || !isUnderWay ? 'displaced' : 'taken';
  const mayDisplace = claim.isSigned && claim.by === 'form' && isFormPaymentType(deposit.paymentType);
  return mayDisplace && !isUnderWay ? 'displaced' : 'taken';
}

/** Over the same money: asked for twice by the merchant, or opened twice in one browser. */
function isSamePayment({ deposit, isSigned, visitorHash }: OrderHolder, claim: OrderClaim): boolean {
  if (claim.by !== 'form' || !isFormPaymentType(deposit.paymentType)) return false;
  if (isSigned !== claim.isSigned || !isSameMoney(deposit.money, claim.money)) return false;
  return isSigned || (visitorHash !== null && claim.visitorHash?.equals(visitorHash) === true);
}

function isSameMoney(one: Money, other: Money): boolean {
  return one.currency === other.currency && one.minor === other.minor;
}

/** The result of the order is that of whoever has it now, so the merchant is not told of this end. */
export function planDisplacement({ state: fromState }: Deposit, at: Instant): DepositPlan {
  const change = { state: 'fail', failReason: 'displaced', received: 0n, fee: 0n, finishedAt: at } as const;
  const detail = 'another request has its order now';
  const history = { at, event: 'displaced', fromState, toState: 'fail', actor: 'gateway', detail } as const;
  return { change, journals: [], history, callbacks: [] };
}
