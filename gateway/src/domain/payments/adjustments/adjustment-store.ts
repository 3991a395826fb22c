/** The port for storing adjustments after a payment's result, and for ordering refunds. */
import type { Instant } from '../../../foundation/clock.ts';
import type { Currency } from '../../../foundation/currency.ts';
import type { MerchantId } from '../../../foundation/identifiers.ts';
import type { Money } from '../../../foundation/money.ts';
import type { Result } from '../../../foundation/result.ts';
import type { WordsRejection } from '../../audit/act-words.ts';
import type { Deposit, DepositKey } from '../../deposits/deposit.ts';
import type { DepositAdjustment, DepositAdjustmentKind } from '../../deposits/deposit-adjustment.ts';
import type { DepositNote, DepositPlan } from '../../deposits/deposit-store.ts';
import type { AdjustmentPart } from '../../ledger/journals.ts';
import type { Balances } from '../../ledger/transfer.ts';
import type { Payout } from '../../payouts/payout.ts';
import type { NewPayout } from '../../payouts/payout-store.ts';
import type { AttemptKey, PaymentAttempt } from '../attempts/payment-attempt.ts';

export interface AdjustmentKey extends AttemptKey {
  readonly kind: DepositAdjustmentKind;
  readonly key: string;
}

/** A deposit whose merchant and balances an adjustment may change, because it has a receipt now. */
export interface ReceiptPlace extends DepositKey {
  readonly currency: Currency;
}

/** A receipt of a payment, at the deposit that has it now. Amounts are in minor units. */
export interface ReceiptBalance {
  readonly rail: string;
  readonly transferKey: string;
  /** The provider's key of the receipt. Empty if a payment has only one receipt. */
  readonly receiptKey: string;
  readonly currency: Currency;
  /** The deposit for which the receipt arrived, or to which it was credited. */
  readonly deposit: Deposit;
  /** The account that has its money. Null if the gateway returned the money to its originator. */
  readonly account: 'available' | 'suspense' | null;
  readonly brought: bigint;
  /** Money that was neither reversed nor refunded, never below zero. */
  readonly left: bigint;
}

/** Facts that storage reads under the locks of all merchants concerned. */
export interface AdjustmentFacts {
  /** The payment's own deposit, even if another deposit has the money now. */
  readonly deposit: Deposit;
  readonly attempt: PaymentAttempt;
  /** The receipts, the oldest first. */
  readonly receipts: readonly ReceiptBalance[];
  readonly balances: (merchantId: MerchantId, currency: Currency) => Balances;
  /** The adjustment that this one reverses, or its reversal that was reported before it. */
  readonly counterpart: DepositAdjustment | undefined;
  /** The amount in minor units that the adjustment with this key has taken, by receipt. */
  readonly taken: ReadonlyMap<string, bigint>;
}

/** Money that an adjustment takes from a receipt or returns to it, in minor units. */
export interface ReceiptTaking {
  readonly receipt: ReceiptBalance;
  readonly account: 'available' | 'suspense';
  readonly amount: bigint;
}

/** The effect of an adjustment on one deposit. */
export interface DepositConsequence {
  readonly key: DepositKey;
  readonly plan: DepositPlan;
}

export interface AdjustmentPlan {
  readonly adjustment: DepositAdjustment;
  readonly part: AdjustmentPart;
  readonly takings: readonly ReceiptTaking[];
  readonly consequences: readonly DepositConsequence[];
  /** The part of the reported amount, in minor units, for which there was no money to move: for the operator. */
  readonly short: bigint;
}

export interface AdjustmentRequest extends AdjustmentKey {
  readonly at: Instant;
  readonly places: readonly ReceiptPlace[];
  /** Pure. */
  readonly plan: (facts: AdjustmentFacts) => AdjustmentPlan;
}

/** Includes the adjustment's deposit. `moved`: the money left the given places, so the store wrote nothing. */
export type AdjustmentOutcome =
  | { readonly kind: 'recorded'; readonly plan: AdjustmentPlan; readonly deposit: Deposit }
  | { readonly kind: 'known'; readonly adjustment: DepositAdjustment; readonly deposit: Deposit }
  | { readonly kind: 'moved' };

export interface RestRequest extends AdjustmentKey {
  readonly at: Instant;
  readonly places: readonly ReceiptPlace[];
  /** Returns undefined while the money is still missing. Pure. */
  readonly plan: (facts: AdjustmentFacts & { readonly adjustment: DepositAdjustment }) => AdjustmentPlan | undefined;
}

export interface RestOutcome {
  readonly kind: 'covered' | 'unchanged' | 'moved';
}

export type RefundRejection =
  | WordsRejection
  | { readonly kind: 'deposit_not_found' }
  | { readonly kind: 'not_paid'; readonly state: Deposit['state'] }
  /** Another deposit took the deposit's order, and all money paid for it is held. */
  | { readonly kind: 'displaced' }
  /** The rail of the payment does not support refunds, or is not configured. */
  | { readonly kind: 'rail_refunds_nothing'; readonly rail: string }
  | { readonly kind: 'invalid_amount' }
  /** All of the money was returned to the payer, or a refund of it is in flight. */
  | { readonly kind: 'nothing_left' }
  /** The operator credited the deposit's money to another order, and must refund that order instead. */
  | { readonly kind: 'moved'; readonly merchantId: MerchantId; readonly orderId: string }
  | { readonly kind: 'more_than_left'; readonly left: Money }
  /** The merchant's available money is insufficient, or the merchant has a debt. */
  | { readonly kind: 'insufficient_funds'; readonly available: Money; readonly owed: Money };

export interface RefundFacts {
  readonly deposit: Deposit;
  readonly balances: Balances;
  /** The receipts that were credited to it, oldest first, including receipts that arrived for other deposits. */
  readonly receipts: readonly RefundableReceipt[];
  /** The order that has the money of this deposit's payments, if this deposit has none of it. Otherwise null. */
  readonly movedTo: { readonly merchantId: MerchantId; readonly orderId: string } | null;
}

export interface RefundableReceipt {
  readonly rail: string;
  readonly transferKey: string;
  /** The payment that brought it. Null if it did not come through the hosted form. */
  readonly attempt: PaymentAttempt | null;
  /** The amount in minor units that was neither reversed nor refunded, never below zero. */
  readonly left: bigint;
  /** The number of refunds ordered for it, including declined ones. */
  readonly refunds: number;
}

export interface RefundPlan {
  readonly attempt: number;
  readonly transferKey: string;
  readonly payout: NewPayout;
  readonly reason: string;
  readonly note: DepositNote;
}

export interface RefundRequest extends DepositKey {
  /** If this action already ordered a refund, the store returns that refund. If null, each order is a new refund. */
  readonly act: string | null;
  /** Pure. */
  readonly plan: (facts: RefundFacts) => Result<RefundPlan, RefundRejection>;
}

export interface AdjustmentStore {
  /** Returns the deposits that have a payment's money. The money may still move until the merchants are locked. */
  findPlaces(payment: AttemptKey): Promise<readonly ReceiptPlace[]>;
  /** Records the adjustment once, with its effects. */
  record(request: AdjustmentRequest): Promise<AdjustmentOutcome>;
  /** Returns at most `limit` adjustments after `after` that found too little money. */
  findShort(after: AdjustmentKey | null, limit: number): Promise<readonly AdjustmentKey[]>;
  /** Posts the part that found no money before. */
  postRest(request: RestRequest): Promise<RestOutcome>;
  /** Reads the facts of a refund without a lock. */
  refundFacts(deposit: Deposit): Promise<Omit<RefundFacts, 'balances'>>;
  /** Accepts a refund as a payout, under the merchant's lock. */
  refund(request: RefundRequest): Promise<Result<Payout, RefundRejection>>;
}
