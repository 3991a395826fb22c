/**
 * The content of a form page, as a closed union. It must hold only what the payer may see: no card number, no CVV, no
 * other payer's data. Any text in it may be hostile, so the renderer escapes all of them.
 */
import type { CardBrand } from '../../../domain/methods/card-brand.ts';
import type { FormPaymentType } from '../../../domain/methods/payment-type.ts';
import type { PayerStep, PaymentRefusal } from '../../../domain/payments/payment-rail.ts';
import type { RailWallets, Wallet } from '../../../domain/payments/wallet.ts';
import type { Instant } from '../../../foundation/clock.ts';
import type { Money } from '../../../foundation/money.ts';

/** The head of every page of a payment. */
export interface PaymentHead {
  readonly merchantName: string;
  /** True if no real money moves. */
  readonly isTest: boolean;
  readonly help: MerchantHelp;
  readonly money: Money;
  readonly orderId: string;
  /** Empty if the merchant named no goods. */
  readonly itemName: string;
  /** The merchant's `payment_url`, or null if the page must not link to it. */
  readonly shopUrl: string | null;
  /** The end of the payer's time. Null if there is nothing left to do. */
  readonly expiresAt: Instant | null;
  /** True if the payer can cancel on this page (`act` = `cancel`). */
  readonly canCancel: boolean;
  /** True if the payer can leave this step for a different payment type (`act` = `another_way`). */
  readonly canChangeWay: boolean;
  /** True if the payer can leave this step for another bank (`act` = `another_bank`). */
  readonly canChangeBank: boolean;
}

/** The merchant's contact for payers. Each field is null if the merchant's settings name nothing. */
export interface MerchantHelp {
  /** An email address or a URL. */
  readonly support: string | null;
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
}

/** The receipt that a payer keeps of a payment. It shows no more of a card than its brand and its last four digits. */
export interface Receipt {
  readonly transactionId: number;
  readonly money: Money;
  readonly paidAt: Instant;
  readonly paymentType: FormPaymentType;
  readonly card: { readonly network: string; readonly lastFour: string } | null;
  readonly wallet: Wallet | null;
}

/** The wallets that the page shows if the browser supports them. */
export interface ShownWallets {
  /** The country of the account, which Apple Pay requires. Null without Apple Pay. */
  readonly appleCountry: string | null;
  readonly googlePay: RailWallets['googlePay'];
  /** True if the wallet must provide the payer's email address. */
  readonly needsEmail: boolean;
}

/** The details that the form may request in addition to a card: names of inputs and of the API's parameters. */
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

/** More specific than `invalid`: `too_long`, `expired` (a card's date) and `not_accepted` (a card of another brand). */
export type FieldError = 'required' | 'invalid' | 'too_long' | 'expired' | 'not_accepted';
export type FieldErrors<Field extends string> = Readonly<Partial<Record<Field, FieldError>>>;

/** The requested details, with the payer's earlier input if it had errors. */
export interface AskedDetails {
  readonly fields: readonly DetailField[];
  readonly values: Readonly<Partial<Record<DetailField, string>>>;
  readonly errors: FieldErrors<DetailField>;
}

export interface ShownBank {
  readonly bankId: string;
  readonly name: string;
  /** Empty if the list contains no BIC. */
  readonly bic: string;
}

export interface BankGroup {
  /** An ISO 3166-1 alpha-2 code. */
  readonly country: string;
  readonly banks: readonly ShownBank[];
}

export type PostStep = Extract<PayerStep, { kind: 'post' }>;

/** The event that a payment waits for after the payer has done their part. */
export type Awaited = 'bank' | 'confirmation' | 'settlement';

/** The reasons for a page without a payment result. */
export type ProblemKind =
  | 'not_found'
  | 'out_of_date'
  | 'order_already_paid'
  | 'order_being_paid'
  | 'merchant_unavailable'
  | 'method_unavailable'
  | 'too_many_requests'
  | 'temporary_error';

/** The problem of a parameter in the merchant's link. */
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
  /** `brands` are the brands of the payment type card. */
  | { readonly kind: 'choose'; readonly types: readonly FormPaymentType[]; readonly brands: readonly CardBrand[] }
  | {
      readonly kind: 'card';
      readonly brands: readonly CardBrand[];
      /** The page shows the holder again, but never a number, a date or a CVV. */
      readonly holder: string;
      readonly errors: FieldErrors<CardField>;
      readonly details: AskedDetails;
      readonly hasOtherTypes: boolean;
      /** The payer changed the language, and must type the secrets again. */
      readonly asksAgain: boolean;
      /** Null if the page offers no wallet. */
      readonly wallets: ShownWallets | null;
    }
  | {
      readonly kind: 'details';
      readonly paymentType: Exclude<FormPaymentType, 'card'>;
      readonly details: AskedDetails;
      readonly hasOtherTypes: boolean;
    }
  | {
      readonly kind: 'bank';
      readonly groups: readonly BankGroup[];
      /** The search string; empty without a search. */
      readonly search: string;
      /** The number of matching banks beyond those in `groups`. */
      readonly moreBanks: number;
      readonly hasOtherTypes: boolean;
    }
  /** The payer leaves for their bank's page. `bankName` may be empty. */
  | { readonly kind: 'leave'; readonly url: string; readonly bankName: string }
  /** The payer's bank sends a message. `email` and `phone` are masked, and empty if unknown. */
  | { readonly kind: 'bank_message'; readonly email: string; readonly phone: string; readonly since: Instant }
  | { readonly kind: 'code'; readonly text: string; readonly since: Instant }
  /** `origins` are those that the frame may show in addition to `url`, and may post to. */
  | { readonly kind: 'frame'; readonly url: string; readonly origins: readonly string[] }
  | {
      readonly kind: 'fingerprint';
      readonly post: PostStep;
      readonly origins: readonly string[];
      /** The time that the frame may take before the payment continues without it. */
      readonly timeoutMs: number;
    }
  | { readonly kind: 'challenge'; readonly post: PostStep; readonly origins: readonly string[] }
  | { readonly kind: 'waiting'; readonly awaits: Awaited; readonly since: Instant }
  | {
      readonly kind: 'refused';
      readonly refusal: PaymentRefusal;
      /** Null if attempts are unlimited. Zero if none is left. */
      readonly attemptsLeft: number | null;
      readonly canRetry: boolean;
      readonly hasOtherTypes: boolean;
      /** The merchant's fail_url with the result, if the payment has ended. */
      readonly returnUrl: string | null;
    }
  | { readonly kind: 'paid'; readonly receipt: Receipt; readonly returnUrl: string | null }
  /** `canContinue` means that nothing has ended yet, so the payer may still pay (`act` = `continue_paying`). */
  | { readonly kind: 'cancelled'; readonly canContinue: boolean; readonly returnUrl: string | null }
  /** Asked before the payer cancels a payment that they may be completing elsewhere (`act` = `cancel` again). */
  | { readonly kind: 'cancel_question' }
  | { readonly kind: 'expired'; readonly returnUrl: string | null }
  | { readonly kind: 'going_back'; readonly returnUrl: string };

/** A page of a payment. */
export type PaymentView = PaymentPage & { readonly payment: PaymentHead };

/** A page without a payment. */
export type PlainView =
  /** The end of a step inside its frame. It hands over to the surrounding page. */
  | { readonly kind: 'frame_return'; readonly pageUrl: string }
  /** The 400 page. `field` is a parameter of the API. */
  | { readonly kind: 'invalid_request'; readonly field: string; readonly problem: ParameterProblem }
  | { readonly kind: 'problem'; readonly problem: ProblemKind; readonly shopUrl: string | null };

export type PageView = PaymentView | PlainView;
export type PageKind = PageView['kind'];

export type ViewOf<Kind extends PageKind> = Extract<PageView, { kind: Kind }>;

/** The payer's actions: the value of `act` in each form of a page. All forms post to their own page. */
export const PAYER_ACTS = [
  'choose',
  'pay',
  'pay_by_wallet',
  'choose_bank',
  'go_on',
  'try_again',
  'another_way',
  'another_bank',
  'cancel',
  'continue_paying',
] as const;
export type PayerAct = (typeof PAYER_ACTS)[number];

/** Fields that the script fills in for 3-D Secure. They are empty without JavaScript. */
export const BROWSER_FIELDS = [
  'browser_screen_width',
  'browser_screen_height',
  'browser_color_depth',
  'browser_time_zone_offset',
  'browser_java_script',
] as const;
