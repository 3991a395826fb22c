/** Where it is kept what came later than a payment's result, and by which refunds are ordered. */
import type { Instant } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import type { Result } from '../../foundation/result.ts';
import type { Deposit, DepositKey } from '../deposits/deposit.ts';
import type { AdjustmentKind, DepositAdjustment } from '../deposits/deposit-adjustment.ts';
import type { DepositNote, DepositPlan } from '../deposits/deposit-store.ts';
import type { Balances } from '../ledger/transfer.ts';
import type { WordsRefusal } from '../operator-words.ts';
import type { NewPayout } from '../payouts/payout-store.ts';
import type { AttemptKey, PaymentAttempt } from './payment-attempt.ts';

export interface AdjustmentKey extends AttemptKey {
  readonly kind: AdjustmentKind;
  readonly key: string;
}

/** Minor units, in the deposit's currency. */
export interface PaymentStanding {
  readonly attempt: PaymentAttempt;
  /** What it brought the merchant, before fees. */
  readonly credited: bigint;
  /** What of that has not gone back and is not on its way back; never below zero. */
  readonly left: bigint;
  /** Refunds that were ordered of it, those that its provider refused included. */
  readonly refunds: number;
}

/** Read under the merchant's lock. */
export interface AdjustmentFacts {
  readonly deposit: Deposit;
  readonly balances: Balances;
  readonly payment: PaymentStanding;
  /** What it undoes, or what undid it before it was told. */
  readonly counterpart: DepositAdjustment | undefined;
}

export interface AdjustmentPlan extends DepositPlan {
  readonly adjustment: DepositAdjustment;
  /** Minor units of what was told that should have moved money and found none to move: for the operator. */
  readonly short: bigint;
}

export interface AdjustmentRequest extends AdjustmentKey {
  readonly at: Instant;
  /** Pure. */
  readonly plan: (facts: AdjustmentFacts) => AdjustmentPlan;
}

/** With the deposit that it is about. */
export type AdjustmentOutcome = { readonly deposit: Deposit } & (
  | { readonly kind: 'recorded'; readonly plan: AdjustmentPlan }
  | { readonly kind: 'known' }
);

export interface RestRequest extends AdjustmentKey {
  readonly at: Instant;
  /** Pure; undefined while it still can't be taken. */
  readonly plan: (
    facts: AdjustmentFacts & { readonly adjustment: DepositAdjustment },
  ) => Omit<AdjustmentPlan, 'short'> | undefined;
}

export type RefundRefusal =
  | WordsRefusal
  | { readonly kind: 'deposit_not_found' }
  | { readonly kind: 'not_paid'; readonly state: Deposit['state'] }
  /** Its order went to another deposit, and whatever was paid for it is held. */
  | { readonly kind: 'displaced' }
  /** The rail that it was paid by gives nothing back, or is not configured. */
  | { readonly kind: 'rail_refunds_nothing'; readonly rail: string }
  | { readonly kind: 'invalid_amount' }
  /** All of it is with the payer again, or on its way there. */
  | { readonly kind: 'nothing_left' }
  | { readonly kind: 'more_than_left'; readonly left: Money }
  /** The merchant has not got the money, or owes some. */
  | { readonly kind: 'insufficient_funds'; readonly available: Money; readonly owed: Money };

export interface RefundFacts {
  readonly deposit: Deposit;
  readonly balances: Balances;
  /** Those that brought money, oldest first. */
  readonly payments: readonly PaymentStanding[];
}

export interface RefundPlan {
  readonly attempt: number;
  readonly payout: NewPayout;
  readonly reason: string;
  readonly note: DepositNote;
}

export interface RefundRequest extends DepositKey {
  /** Pure. */
  readonly plan: (facts: RefundFacts) => Result<RefundPlan, RefundRefusal>;
}

export interface AdjustmentStore {
  /** Records it once, with what follows from it. */
  record(request: AdjustmentRequest): Promise<AdjustmentOutcome>;
  /** Takings-back, at most `limit`, of which a part has found nothing to be taken from. */
  findShort(limit: number): Promise<readonly AdjustmentKey[]>;
  /** Posts what was short. True when money moved. */
  postRest(request: RestRequest): Promise<boolean>;
  /** Accepts a refund as a payout, under the merchant's lock. */
  refund(request: RefundRequest): Promise<Result<RefundPlan, RefundRefusal>>;
}
