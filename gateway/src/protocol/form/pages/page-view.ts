/**
 * What a page of the hosted form shows: a closed union. It holds what a payer may see and nothing that has to be kept from
 * them: no card number, no CVV, no other payer's data. Every text in it may be hostile; the rendering escapes it.
 */
import type { PayerStep, PaymentRefusal } from '../../../domain/payments/payment-rail.ts';
import type { Instant } from '../../../foundation/clock.ts';
import type { Money } from '../../../foundation/money.ts';

/** The payment types of the form; `spei` is host-to-host alone. */
export const FORM_PAYMENT_TYPES = [
  'card',
  'open_banking',
  'e_transfer',
  'instant_bank',
  'bank_transfer_iframe',
] as const;
export type FormPaymentType = (typeof FORM_PAYMENT_TYPES)[number];

/** The head of every page of a payment. */
export interface PaymentHead {
  readonly merchantName: string;
  readonly money: Money;
  readonly orderId: string;
  /** Empty where the merchant named no goods. */
  readonly itemName: string;
  /** The merchant's `payment_url`, where it may be linked; null where not. */
  readonly shopUrl: string | null;
  /** Until when the payer may act; null where there is nothing left to do. */
  readonly expiresAt: Instant | null;
  /** Whether the payer can give up from this page (`act` = `cancel`). */
  readonly canCancel: boolean;
  /** Whether the payer can leave the step on this page for another payment type (`act` = `another_way`). */
  readonly canChangeWay: boolean;
}

/** What the payer is asked for, beside a card: the names of its inputs, and of the interface's parameters. */
export const DETAIL_FIELDS = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'address',
  'city',
  'post_code',
  'region',
  'cpf',
] as const;
export type DetailField = (typeof DETAIL_FIELDS)[number];

const CARD_FIELDS = ['card_number', 'card_expiry', 'card_cvv', 'card_holder'] as const;
export type CardField = (typeof CARD_FIELDS)[number];

/** `too_long`, `expired` (a card's date) and `not_accepted` (a card of another brand) say more than `invalid`. */
export type FieldError = 'required' | 'invalid' | 'too_long' | 'expired' | 'not_accepted';
export type FieldErrors<Field extends string> = Readonly<Partial<Record<Field, FieldError>>>;

/** What the payer is asked for, and what they had written when it came back with errors. */
export interface AskedDetails {
  readonly fields: readonly DetailField[];
  readonly values: Readonly<Partial<Record<DetailField, string>>>;
  readonly errors: FieldErrors<DetailField>;
}

export type CardBrand =
  | 'visa'
  | 'mastercard'
  | 'maestro'
  | 'amex'
  | 'unionpay'
  | 'jcb'
  | 'discover'
  | 'diners'
  | 'rupay'
  | 'elo'
  | 'hipercard';

export interface ShownBank {
  readonly bankId: string;
  readonly name: string;
  /** Empty where the list has none. */
  readonly bic: string;
}

export type PostStep = Extract<PayerStep, { kind: 'post' }>;

/** What a payment is waiting for once the payer has done their part. */
export type Awaited = 'bank' | 'confirmation' | 'settlement';

/** Why a payment ended without money and without a refusal. */
export type ProblemKind =
  | 'not_found'
  | 'out_of_date'
  | 'order_already_paid'
  | 'order_being_paid'
  | 'merchant_unavailable'
  | 'method_unavailable'
  | 'too_many_requests'
  | 'temporary_error';

/** What is wrong with a parameter of the merchant's link. */
export type ParameterProblem =
  | 'missing'
  | 'invalid'
  | 'repeated'
  | 'unknown'
  | 'not_supported'
  | 'out_of_limits'
  | 'conflict'
  | 'wrong_signature';

type PaymentPage =
  | { readonly kind: 'choose'; readonly types: readonly FormPaymentType[] }
  | {
      readonly kind: 'card';
      readonly brands: readonly CardBrand[];
      /** The holder comes back to the page; a number, a date and a CVV never do. */
      readonly holder: string;
      readonly errors: FieldErrors<CardField>;
      readonly details: AskedDetails;
      readonly hasOtherTypes: boolean;
    }
  | {
      readonly kind: 'details';
      readonly paymentType: Exclude<FormPaymentType, 'card'>;
      readonly details: AskedDetails;
      readonly hasOtherTypes: boolean;
    }
  | {
      readonly kind: 'bank';
      readonly banks: readonly ShownBank[];
      /** What was searched for; empty: nothing. */
      readonly search: string;
      /** How many more banks match than are in `banks`. */
      readonly moreBanks: number;
      readonly hasOtherTypes: boolean;
    }
  /** The payer leaves for their bank's page. `bankName` may be empty. */
  | { readonly kind: 'leave'; readonly url: string; readonly bankName: string }
  /** A message of the payer's bank is on its way. `email` and `phone` as they may be shown; empty where unknown. */
  | { readonly kind: 'bank_message'; readonly email: string; readonly phone: string; readonly since: Instant }
  | { readonly kind: 'code'; readonly text: string; readonly since: Instant }
  /** `origins`: what the frame may show beside `url`, and where it may post to. */
  | { readonly kind: 'frame'; readonly url: string; readonly origins: readonly string[] }
  | {
      readonly kind: 'fingerprint';
      readonly post: PostStep;
      readonly origins: readonly string[];
      /** How long the frame may take before the payment goes on without it. */
      readonly timeoutMs: number;
    }
  | { readonly kind: 'challenge'; readonly post: PostStep; readonly origins: readonly string[] }
  | { readonly kind: 'waiting'; readonly awaits: Awaited; readonly since: Instant }
  | {
      readonly kind: 'refused';
      readonly refusal: PaymentRefusal;
      /** Null: not limited, so not told. Zero: there is no other try. */
      readonly triesLeft: number | null;
      readonly canRetry: boolean;
      readonly hasOtherTypes: boolean;
      /** The merchant's fail_url with the result, where the payment has ended. */
      readonly returnUrl: string | null;
    }
  | { readonly kind: 'paid'; readonly transactionId: number; readonly returnUrl: string | null }
  | { readonly kind: 'cancelled'; readonly returnUrl: string | null }
  | { readonly kind: 'expired'; readonly returnUrl: string | null }
  | { readonly kind: 'going_back'; readonly returnUrl: string };

/** A page of a payment. */
export type PaymentView = PaymentPage & { readonly payment: PaymentHead };

/** A page without a payment. */
export type PlainView =
  /** Inside the frame of a step, once the payer has finished there: hands over to the page around it. */
  | { readonly kind: 'frame_return'; readonly pageUrl: string }
  /** The 400 page: `field` is a parameter of the interface. */
  | { readonly kind: 'invalid_request'; readonly field: string; readonly problem: ParameterProblem }
  | { readonly kind: 'problem'; readonly problem: ProblemKind; readonly shopUrl: string | null };

export type PageView = PaymentView | PlainView;
export type PageKind = PageView['kind'];

export type ViewOf<Kind extends PageKind> = Extract<PageView, { kind: Kind }>;

/** What the payer can do on a page: the value of `act` in each of its forms, which all post to the page itself. */
export const PAYER_ACTS = ['choose', 'pay', 'choose_bank', 'go_on', 'try_again', 'another_way', 'cancel'] as const;
export type PayerAct = (typeof PAYER_ACTS)[number];

/** What the script fills in, for 3-D Secure; empty without JavaScript. */
export const BROWSER_FIELDS = [
  'browser_screen_width',
  'browser_screen_height',
  'browser_color_depth',
  'browser_time_zone_offset',
  'browser_java_script',
] as const;
