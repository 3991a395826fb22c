/** Where it is kept what came later than a payment's result, and by which refunds are ordered. */
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Money } from '../../foundation/money.ts';
import type { Result } from '../../foundation/result.ts';
import type { Deposit, DepositKey } from '../deposits/deposit.ts';
import type { AdjustmentKind, DepositAdjustment } from '../deposits/deposit-adjustment.ts';
import type { DepositNote, DepositPlan } from '../deposits/deposit-store.ts';
import type { AdjustmentPart } from '../ledger/journals.ts';
import type { Balances } from '../ledger/transfer.ts';
import type { WordsRefusal } from '../operators/operator-words.ts';
import type { NewPayout } from '../payouts/payout-store.ts';
import type { AttemptKey, PaymentAttempt } from './payment-attempt.ts';

export interface AdjustmentKey extends AttemptKey {
  readonly kind: AdjustmentKind;
  readonly key: string;
}

/** A deposit whose merchant and balances an adjustment may have to change: where a receipt is by now. */
export interface ReceiptPlace extends DepositKey {
  readonly currency: Currency;
}

/** One receipt of a payment, where it is by now. Amounts in minor units. */
export interface ReceiptBalance {
  readonly rail: string;
  readonly transferKey: string;
  /** As the provider tells its receipts apart; empty where a payment has one only. */
  readonly receiptKey: string;
  readonly currency: Currency;
  /** The deposit that it came for, or that it was credited to. */
  readonly deposit: Deposit;
  /** Where the merchant has it; null: nowhere, since it went back to its originator. */
  readonly account: 'available' | 'suspense' | null;
  readonly brought: bigint;
  /** Money that was neither taken back nor refunded; never below zero. */
  readonly left: bigint;
}

/** Read under the locks of all merchants concerned. */
export interface AdjustmentFacts {
  /** The payment's own deposit, whoever has the money by now. */
  readonly deposit: Deposit;
  readonly attempt: PaymentAttempt;
  /** In the order in which they came. */
  readonly receipts: readonly ReceiptBalance[];
  readonly balances: (merchantId: MerchantId, currency: Currency) => Balances;
  /** What it undoes, or what undid it before it was told. */
  readonly counterpart: DepositAdjustment | undefined;
  /** Minor units that the thing with this key has taken, by receipt. */
  readonly taken: ReadonlyMap<string, bigint>;
}

/** Money that an adjustment takes from one receipt, or gives back to it. Minor units. */
export interface ReceiptTaking {
  readonly receipt: ReceiptBalance;
  readonly account: 'available' | 'suspense';
  readonly amount: bigint;
}

/** The consequence of an adjustment for one deposit. */
export interface DepositConsequence {
  readonly key: DepositKey;
  readonly plan: DepositPlan;
}

export interface AdjustmentPlan {
  readonly adjustment: DepositAdjustment;
  readonly part: AdjustmentPart;
  readonly takings: readonly ReceiptTaking[];
  readonly consequences: readonly DepositConsequence[];
  /** Minor units of what was told that should have moved money and found none to move: for the operator. */
  readonly short: bigint;
}

export interface AdjustmentRequest extends AdjustmentKey {
  readonly at: Instant;
  readonly places: readonly ReceiptPlace[];
  /** Pure. */
  readonly plan: (facts: AdjustmentFacts) => AdjustmentPlan;
}

/** With the deposit that it is about. `moved`: its money is no longer at the places that were named; nothing was written. */
export type AdjustmentOutcome =
  | { readonly kind: 'recorded'; readonly plan: AdjustmentPlan; readonly deposit: Deposit }
  | { readonly kind: 'known'; readonly deposit: Deposit }
  | { readonly kind: 'moved' };

export interface RestRequest extends AdjustmentKey {
  readonly at: Instant;
  readonly places: readonly ReceiptPlace[];
  /** Pure; undefined while it still can't be taken. */
  readonly plan: (facts: AdjustmentFacts & { readonly adjustment: DepositAdjustment }) => AdjustmentPlan | undefined;
}

export interface RestOutcome {
  readonly kind: 'taken' | 'unchanged' | 'moved';
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
  /** Its money was credited to another order, and is refunded there. */
  | { readonly kind: 'moved'; readonly merchantId: MerchantId; readonly orderId: string }
  | { readonly kind: 'more_than_left'; readonly left: Money }
  /** The merchant has not got the money, or owes some. */
  | { readonly kind: 'insufficient_funds'; readonly available: Money; readonly owed: Money };

export interface RefundFacts {
  readonly deposit: Deposit;
  readonly balances: Balances;
  /** The receipts that were credited to it, oldest first, whatever they came for. */
  readonly receipts: readonly RefundableReceipt[];
  /** Where the money of its own payments is, when none of it is here; null: nowhere else. */
  readonly movedTo: { readonly merchantId: MerchantId; readonly orderId: string } | null;
}

export interface RefundableReceipt {
  readonly rail: string;
  readonly transferKey: string;
  /** The payment that brought it; null: none of the hosted form. */
  readonly attempt: PaymentAttempt | null;
  /** Minor units that have neither been taken back nor refunded; never below zero. */
  readonly left: bigint;
  /** Refunds that were ordered of it, those that its provider refused included. */
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
  /** Pure. */
  readonly plan: (facts: RefundFacts) => Result<RefundPlan, RefundRefusal>;
}

export interface AdjustmentStore {
  /** Where the money of a payment is. It may move until the merchants are locked. */
  findPlaces(payment: AttemptKey): Promise<readonly ReceiptPlace[]>;
  /** Records it once, with what follows from it. */
  record(request: AdjustmentRequest): Promise<AdjustmentOutcome>;
  /** Takings-back, at most `limit` of those behind `after`, of which a part has found nothing to be taken from. */
  findShort(after: AdjustmentKey | null, limit: number): Promise<readonly AdjustmentKey[]>;
  /** Posts what was short. */
  postRest(request: RestRequest): Promise<RestOutcome>;
  /** Accepts a refund as a payout, under the merchant's lock. */
  refund(request: RefundRequest): Promise<Result<RefundPlan, RefundRefusal>>;
}
