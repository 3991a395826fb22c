/**
 * What a rail must be able to do to take a payer's payment on the hosted form, and the vocabulary in which it answers. A
 * rail knows no page, no merchant and no database: it is given an order, it says what the payer has to do next, and it
 * tells how the payment ended. What a provider calls these things stays in its own folder.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { Money } from '../../foundation/money.ts';
import type { Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { AdjustmentKind } from '../deposits/deposit-adjustment.ts';
import type { FormPaymentType } from '../methods/payment-type.ts';
import type { Language } from './form-session.ts';

/** One try of a payer to pay, as a rail sees it. */
export interface PaymentOrder {
  /** Made before the first call and used for every call about this attempt: 1 to 16 digits, a dash, 8 letters or digits. */
  readonly reference: string;
  /** What the provider calls it, once it has said so; empty before. */
  readonly providerReference: string;
  /** What the rail asked to be kept at its last answer, and needs again; empty before. Never a card number or a CVV. */
  readonly kept: string;
  readonly money: Money;
  /** As it is registered: the one text about a payment that anybody may be sent. */
  readonly merchantName: string;
  /**
   * The merchant's own id of the order, where they signed for it. Empty: anybody may have opened the form, and nothing that
   * its link says goes into a message that the provider sends to somebody (decision 59).
   */
  readonly signedOrder: string;
  readonly payer: PaymentPayer;
  /**
   * Where the payer comes back to from a page that is not ours. Holds the attempt's own secret; absolute. Empty when a rail is
   * asked about an attempt: the address can't be made a second time.
   */
  readonly returnUrl: string;
  /** Until when the payer may act. */
  readonly expiresAt: Instant;
  /** When the provider was told of it first; the time of the first call, for rails that ask by date. */
  readonly startedAt: Instant;
}

/** Empty where neither the merchant nor the payer gave it. */
export interface PaymentPayer {
  readonly userId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  readonly address: string;
  readonly city: string;
  readonly postCode: string;
  readonly region: string;
  /** Eleven digits. */
  readonly cpf: string;
  readonly bankId: string;
  readonly language: Language;
  readonly ip: string;
  readonly browser: PayerBrowser;
}

/** What 3-D Secure wants to know of the browser; zero and empty where the page could not ask (no JavaScript). */
export interface PayerBrowser {
  readonly userAgent: string;
  readonly acceptHeader: string;
  readonly screenWidth: number;
  readonly screenHeight: number;
  readonly colorDepth: number;
  /** Minutes, as JavaScript's getTimezoneOffset. */
  readonly timeZoneOffset: number;
  readonly hasJavaScript: boolean;
}

/** In memory from the payer's POST to the provider's reply; revealed at the moment of writing, and nowhere else. */
export interface PaymentCard {
  readonly number: Secret;
  readonly cvv: Secret;
  /** `mm/yy`. */
  readonly expiry: Secret;
  readonly holder: string;
}

/** What the payer has to do next. */
export type PayerStep =
  /** Leaves for the page of a bank, and comes back to `returnUrl`. */
  | { readonly kind: 'redirect'; readonly url: string }
  /** The bank's page inside ours. */
  | { readonly kind: 'frame'; readonly url: string }
  /** A form that the browser posts: hidden in a frame (device fingerprint), or shown (challenge), or as a page of its own. */
  | {
      readonly kind: 'post';
      readonly purpose: 'fingerprint' | 'challenge';
      readonly url: string;
      readonly fields: Readonly<Record<string, string>>;
    }
  /** A BR Code, as a picture and as text. */
  | { readonly kind: 'code'; readonly text: string }
  /** Something that happens elsewhere: a message from the payer's bank. */
  | { readonly kind: 'elsewhere'; readonly at: 'bank_message' };

/** Why a payment was refused, as far as a payer may be told. */
export type PaymentRefusal =
  | 'declined'
  | 'insufficient_funds'
  | 'wrong_card_data'
  | 'expired_card'
  | 'authentication_failed'
  | 'limit'
  | 'suspected_fraud'
  | 'cancelled_by_payer'
  | 'expired'
  | 'payer_details';

/** Money that came for a payment, once. */
export interface PaymentReceipt {
  readonly money: Money;
  readonly payerAccount: string;
  /** Tells one receipt from another where one payment may bring money more than once; absent: it can't. */
  readonly receiptKey?: string;
  /** True: the provider shows that the money came from another person than the order asks. */
  readonly isFromAnother?: boolean;
}

export interface PaidAnswer extends PaymentReceipt {
  readonly kind: 'paid';
  readonly providerReference: string;
  /** What came beyond the first, where the provider shows all of it at once; each with its own receiptKey. */
  readonly further?: readonly PaymentReceipt[];
  /** What has come after it, where the provider shows that beside the payment itself. */
  readonly later?: readonly LaterNews[];
}

/**
 * - `paid`: the money is ours, or will be without anybody's further act (a captured card payment, a settled transfer).
 * - `refused`: it ended without money, by the provider's own word. `canRetry`: another try with other data makes sense.
 * - `step`: the payer has to act. `keep` comes back as `kept`.
 * - `pending`: the payer has acted, and the provider will decide. `isAuthorised`: the payer's bank has agreed already.
 * - `not_taken`: it is proved that the provider did not take it (refused before acceptance, connection never made).
 * - `unknown`: anything else. A time-out is unknown, never refused.
 */
export type PaymentAnswer =
  | PaidAnswer
  | {
      readonly kind: 'refused';
      readonly refusal: PaymentRefusal;
      readonly canRetry: boolean;
      readonly detail: string;
      readonly providerReference: string;
    }
  | { readonly kind: 'step'; readonly step: PayerStep; readonly keep: string; readonly providerReference: string }
  | {
      readonly kind: 'pending';
      readonly isAuthorised: boolean;
      readonly keep: string;
      readonly providerReference: string;
    }
  | { readonly kind: 'not_taken'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * The provider refused to carry out what the payer brought back, or what ends their step. Proves that this call changed
 * nothing, and says nothing about the payment before it: the attempt stands as it stood.
 */
export interface NoEffect {
  readonly kind: 'no_effect';
  readonly reason: string;
}

/** `not_found` proves nothing until the sender's deadline and the provider's own delay have passed. */
export type PaymentStatus = Exclude<PaymentAnswer, { kind: 'not_taken' }> | { readonly kind: 'not_found' };

/** What the payer's browser brought back: the fields of a return from a bank, an ACS, or a 3-D Secure method. */
export interface PayerReturn {
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * What came after the result. `refunded`: money went back to the payer by our order or by the provider's own; `charged_back`,
 * `debited`: it was taken back; the `_undone` kinds: such a thing was undone.
 */
export interface LaterNews {
  readonly kind: AdjustmentKind;
  /** Tells one such thing from another of the same payment and kind; a refund of ours: its RefundOrder's reference. */
  readonly key: string;
  /** Null: all of the payment. */
  readonly money: Money | null;
  /** The receipt that it is about (PaymentReceipt.receiptKey); absent: the provider names none. */
  readonly receiptKey?: string;
  readonly detail: string;
}

/** What a provider tells on its own account about an attempt, beside what it tells about payouts and transfers. */
export type PaymentNews = { readonly reference: string } & (
  | Extract<PaymentAnswer, { kind: 'paid' | 'refused' | 'pending' }>
  /** The word alone proves nothing (not bound to the message, or too little said): the provider is to be asked. */
  | { readonly kind: 'ask' }
  | (LaterNews & { readonly providerReference: string })
);

export interface RefundOrder {
  /** Of the payment that is given back. */
  readonly payment: PaymentOrder;
  /** Which of the payment's receipts is given back (PaymentReceipt.receiptKey); empty or absent where it has one only. */
  readonly receiptKey?: string;
  /** Of the refund: made before the first call, used for every call about it. Shaped as a payment's. */
  readonly reference: string;
  readonly money: Money;
  /** When the provider was told of the refund first. */
  readonly startedAt: Instant;
}

export type RefundAnswer =
  | { readonly kind: 'refunded' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** `note`: what the payer has to be told, to have the money. */
  | { readonly kind: 'pending'; readonly note?: string }
  | { readonly kind: 'not_taken'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A bank as a payer looks for it, and as the list for merchants shows it (decisions, HTTP answers: bank list). */
export interface PayerBank {
  readonly bankId: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  /** Empty where the provider names none. */
  readonly bic: string;
}

export interface PaymentRail {
  readonly name: string;
  readonly paymentType: FormPaymentType;
  readonly currencies: ReadonlySet<Currency>;
  /** True for rails on which no real money moves. */
  readonly simulated: boolean;
  /** How long a call may take before it is given up and counts as unknown. */
  readonly timeoutMs: number;
  /** How long after the last possible write a `not_found` becomes proof that the provider never got it. */
  readonly notFoundProofMs: number;
  /** How long to wait before asking again, by how often was asked; the last one repeats. */
  readonly askAfterMs: readonly [number, ...number[]];
  readonly concurrency: number;
  /** How long the payer has. */
  readonly validityMs: number;
  /** How long after the payer's time the provider may take to decide. Past it the operator is to ask. */
  readonly decidesWithinMs: number;
  /**
   * True where the provider signs its word for all of its merchants alike: news count only when they name the payment as the
   * provider named it to us.
   */
  readonly newsNeedProviderReference: boolean;
  /** Which of the payer's details the provider must have; the page asks for what the merchant did not send. */
  readonly needs: readonly (keyof PaymentPayer)[];
  /**
   * Whom an attempt makes the provider contact, other than the payer's browser: attempts are counted by it (decision 56). Null:
   * nobody, or a card, which the attempt brings along.
   */
  readonly target: 'email' | 'cpf' | null;
  /** Origins that the page may frame or post to for this rail, besides those of an attempt's own step. */
  readonly frameOrigins: readonly string[];
  /** Tells the provider once. Never throws. `card` for card rails only. */
  start(order: PaymentOrder, card: PaymentCard | null, deadline: Deadline): Promise<PaymentAnswer>;
  /** Goes on after the payer came back. Never throws. */
  goOn(order: PaymentOrder, returned: PayerReturn, deadline: Deadline): Promise<PaymentAnswer | NoEffect>;
  /** Asks what became of it. Never throws. */
  ask(order: PaymentOrder, deadline: Deadline): Promise<PaymentStatus>;
  /** The banks that a payer may choose among; only of rails to which `bankId` means something. Never throws. */
  listBanks?(deadline: Deadline): Promise<Result<readonly PayerBank[], string>>;
  /** Gives up an attempt whose payer has not acted, where the provider can be told so. Its answer may be that it was paid. */
  cancel?(order: PaymentOrder, deadline: Deadline): Promise<PaymentStatus | NoEffect>;
  refund?(order: RefundOrder, deadline: Deadline): Promise<RefundAnswer>;
  askRefund?(order: RefundOrder, deadline: Deadline): Promise<RefundAnswer | { readonly kind: 'not_found' }>;
}
