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
}

/** The deposit that has the order. */
export interface OrderHolder {
  readonly deposit: Deposit;
  readonly isSigned: boolean;
  /** One of its attempts has not ended. */
  readonly isUnderWay: boolean;
}

/**
 * - `taken`: it stays the holder's.
 * - `over`: the holder has failed, and the claimant may have it.
 * - `displaced`: the holder is ended for the claimant's sake.
 * - `joined`: the claimant's payer goes on with the holder, which is the same payment.
 */
export type OrderDecision = 'taken' | 'over' | 'displaced' | 'joined';

export function decideOrder({ deposit, isSigned, isUnderWay }: OrderHolder, claim: OrderClaim): OrderDecision {
  if (deposit.state === 'success') return 'taken';
  if (deposit.state === 'fail') return claim.by === 'form' || !isSigned ? 'over' : 'taken';
  if (!isSigned) return claim.isSigned || !isUnderWay ? 'displaced' : 'taken';
  if (!claim.isSigned || claim.by !== 'form' || !isFormPaymentType(deposit.paymentType)) return 'taken';
  if (isSameMoney(deposit.money, claim.money)) return 'joined';
  return isUnderWay ? 'taken' : 'displaced';
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
