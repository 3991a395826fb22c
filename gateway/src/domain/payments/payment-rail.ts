/**
 * The port of a rail that accepts a payer's payment on the hosted form, and the closed set of its responses. A rail knows no
 * page, no merchant and no database. It gets an order, returns the payer's next step and reports the outcome. A provider's own
 * vocabulary stays in its folder.
 */
import type { Clock, Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import { type Deadline, withDeadline } from '../../foundation/deadline.ts';
import type { Money } from '../../foundation/money.ts';
import type { Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { DepositAdjustmentKind } from '../deposits/deposit-adjustment.ts';
import type { FormPaymentType } from '../methods/payment-type.ts';
import type { Language } from './form-session.ts';
import type { RailWallets, WalletPayment } from './wallet.ts';

/** An attempt of a payer, as a rail sees it. */
export interface PaymentOrder {
  /** Created before the first call, and used in every call about this attempt: 1 to 16 digits, a dash, 8 letters or digits. */
  readonly reference: string;
  /** The provider's own id; empty until the provider has assigned one. */
  readonly providerReference: string;
  /** A value from the rail's last response that it needs again. Empty before. Never a card number or a CVV. */
  readonly kept: string;
  readonly money: Money;
  /** The registered name: the only text about a payment that may be sent to anyone. */
  readonly merchantName: string;
  /**
   * The merchant's order id, if the merchant signed it. Empty for an unsigned form, which anyone may have opened, so no
   * message of the provider may quote its link (decision 59).
   */
  readonly signedOrder: string;
  readonly payer: PaymentPayer;
  /**
   * The absolute URL to which the payer returns from a provider's page, with the attempt's own secret. Empty in a query about
   * an attempt, because the gateway cannot compute the URL again.
   */
  readonly returnUrl: string;
  /** The end of the payer's time to act. */
  readonly expiresAt: Instant;
  /** The time of the first call, for rails that query by date. */
  readonly startedAt: Instant;
}

/** A field is empty if neither the merchant nor the payer gave it. */
export interface PaymentPayer {
  readonly userId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  /** An ISO 3166-1 alpha-2 code in upper case. */
  readonly country: string;
  readonly address: string;
  readonly city: string;
  readonly postCode: string;
  readonly region: string;
  /** The CPF has eleven digits. */
  readonly cpf: string;
  readonly bankId: string;
  readonly language: Language;
  readonly ip: string;
  readonly browser: PayerBrowser;
}

/** The browser's details for 3-D Secure. Zero and empty if the page could not read them (no JavaScript). */
export interface PayerBrowser {
  readonly userAgent: string;
  readonly acceptHeader: string;
  readonly screenWidth: number;
  readonly screenHeight: number;
  readonly colorDepth: number;
  /** The offset in minutes, as JavaScript's getTimezoneOffset returns it. */
  readonly timeZoneOffset: number;
  /** An IANA name that Intl knows, otherwise empty. */
  readonly timeZone: string;
  readonly hasJavaScript: boolean;
}

/** Held in memory from the payer's POST to the provider's response. Only the rail reveals it, at the moment of writing. */
export interface PaymentCard {
  readonly number: Secret;
  readonly cvv: Secret;
  /** The expiry in the form `mm/yy`. */
  readonly expiry: Secret;
  readonly holder: string;
}

/** The payer's next action. */
export type PayerStep =
  /** The payer is redirected to a bank's page and returns to `returnUrl`. */
  | { readonly kind: 'redirect'; readonly url: string }
  /** The bank's page, embedded in ours. */
  | { readonly kind: 'frame'; readonly url: string }
  /** A form that the browser posts: in a hidden frame (device fingerprint), a visible one (challenge), or a full page. */
  | {
      readonly kind: 'post';
      readonly purpose: 'fingerprint' | 'challenge';
      readonly url: string;
      readonly fields: Readonly<Record<string, string>>;
    }
  /** A BR Code as a picture and as text. */
  | { readonly kind: 'code'; readonly text: string }
  /** An action elsewhere, such as in a message from the payer's bank. */
  | { readonly kind: 'elsewhere'; readonly at: 'bank_message' };

/** The reason for a refusal, as far as a payer may know it. */
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

/** Money that arrived for a payment, recorded once. */
export interface PaymentReceipt {
  readonly money: Money;
  readonly payerAccount: string;
  /** The unique key of a receipt. Absent if a payment can bring money only once. */
  readonly receiptKey?: string;
  /** True if the provider shows that someone other than the expected payer paid. */
  readonly isFromAnother?: boolean;
}

export interface PaidAnswer extends PaymentReceipt {
  readonly kind: 'paid';
  readonly providerReference: string;
  /** Receipts after the first, if the provider reports all of them in one response. Each has a receiptKey. */
  readonly further?: readonly PaymentReceipt[];
  /** Later events of the payment, if the provider reports them together with it. */
  readonly later?: readonly LaterNews[];
}

/**
 * - `paid`: the money is ours, or will be without another action (a captured card payment, a settled transfer).
 * - `refused`: the provider reported that it ended without money. `canRetry`: another attempt with other data may
 * succeed.
 * - `step`: the payer must act. The rail gets `keep` again as `kept`.
 * - `pending`: the payer has acted, and the provider will decide. `isAuthorised`: the payer's bank has already agreed.
 * - `not_accepted`: proof that the provider did not accept it (rejected before acceptance, or no connection).
 * - `unknown`: anything else. A timeout is unknown, never refused.
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
  | { readonly kind: 'not_accepted'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * The provider rejected the payer's return or the cancellation of the step. This proves that the call changed nothing, but
 * says nothing about the payment before it, so the attempt keeps its state.
 */
export interface NoEffect {
  readonly kind: 'no_effect';
  readonly reason: string;
}

/** `not_found` is proof only after the sender's deadline and the provider's own delay. */
export type PaymentStatus = Exclude<PaymentAnswer, { kind: 'not_accepted' }> | { readonly kind: 'not_found' };

/** The fields that the payer's browser returned from a bank, an ACS, or a 3-D Secure method. */
export interface PayerReturn {
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * An event after the result. `refunded`: the provider paid money back to the payer, on our order or its own. `charged_back`,
 * `debited`: the provider reversed the payment. The `_undone` kinds reverse the kind in their name.
 */
export interface LaterNews {
  readonly kind: DepositAdjustmentKind;
  /** Distinguishes events of one payment and kind. For a refund of ours, it is the reference of its RefundOrder. */
  readonly key: string;
  /** Null means the full payment. */
  readonly money: Money | null;
  /** The receipt in question (PaymentReceipt.receiptKey). Undefined if the provider names none. */
  readonly receiptKey?: string;
  readonly detail: string;
}

/** A provider's notification about an attempt. Notifications about payouts and transfers have their own types. */
export type PaymentNews = { readonly reference: string } & (
  | Extract<PaymentAnswer, { kind: 'paid' | 'refused' | 'pending' }>
  /** The notification proves nothing by itself (unsigned or incomplete), so the gateway must query the provider. */
  | { readonly kind: 'ask' }
  | (LaterNews & { readonly providerReference: string })
);

export interface RefundOrder {
  /** The refunded payment. */
  readonly payment: PaymentOrder;
  /** The refunded receipt (PaymentReceipt.receiptKey). Empty or absent if the payment has only one. */
  readonly receiptKey?: string;
  /**
   * The refund's own reference, created before the first call and used in every call about it. It has the format of a
   * payment's reference.
   */
  readonly reference: string;
  readonly money: Money;
  /** The time of the first call about the refund. */
  readonly startedAt: Instant;
}

export type RefundAnswer =
  | { readonly kind: 'refunded' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** `note` contains a message that the payer must get to receive the money. */
  | { readonly kind: 'pending'; readonly note?: string }
  | { readonly kind: 'not_accepted'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A bank as the payer's bank picker and the merchants' list show it (decision 28). */
export interface PayerBank {
  readonly bankId: string;
  readonly name: string;
  /** An ISO 3166-1 alpha-2 code in upper case. */
  readonly country: string;
  /** Empty if the provider gives none. */
  readonly bic: string;
}

export interface PaymentRail {
  readonly name: string;
  readonly paymentType: FormPaymentType;
  readonly currencies: ReadonlySet<Currency>;
  /** True if the rail does not move real money. */
  readonly simulated: boolean;
  /** The timeout of a call, after which the outcome is unknown. */
  readonly timeoutMs: number;
  /** How long after the last possible write a `not_found` proves that the provider never received it. */
  readonly notFoundProofMs: number;
  /** The delays between status queries, by the number of queries so far. The last interval repeats. */
  readonly askAfterMs: readonly [number, ...number[]];
  readonly concurrency: number;
  /** How long the payer can act. */
  readonly validityMs: number;
  /** How long the provider may take to decide after the payer's time. Afterwards the operator should query it. */
  readonly decidesWithinMs: number;
  /**
   * True if the provider signs notifications for all its merchants with one key. A notification then needs the payment id that
   * the provider gave us.
   */
  readonly newsNeedProviderReference: boolean;
  /** True if the payer's return makes the provider act, so that `handleReturn` may bring money. False if it only queries. */
  readonly returnActs: boolean;
  /** The payer's details that the provider requires. The page requests those that the merchant did not send. */
  readonly needs: readonly (keyof PaymentPayer)[];
  /**
   * The third party that the provider contacts because of an attempt. The gateway counts attempts by it (decision 56). Null
   * means no third party, or a card, which the attempt itself contains.
   */
  readonly target: 'email' | 'cpf' | null;
  /** Origins that the page may frame or post to for this rail, in addition to those of an attempt's own step. */
  readonly frameOrigins: readonly string[];
  /** The wallets of the rail. If undefined, it offers none. */
  readonly wallets?: RailWallets;
  /** Sends the order once. Never throws. `card` is set for card rails only. */
  start(order: PaymentOrder, card: PaymentCard | WalletPayment | null, deadline: Deadline): Promise<PaymentAnswer>;
  /** Continues the payment after the payer's return. Never throws. */
  handleReturn(order: PaymentOrder, returned: PayerReturn, deadline: Deadline): Promise<PaymentAnswer | NoEffect>;
  /** Queries the provider for the outcome. Never throws. */
  ask(order: PaymentOrder, deadline: Deadline): Promise<PaymentStatus>;
  /** Lists the banks that a payer can choose, for rails that use `bankId`. Never throws. */
  listBanks?(deadline: Deadline): Promise<Result<readonly PayerBank[], string>>;
  /** Cancels an attempt whose payer has not acted, if the provider supports it. The response may report a payment. */
  cancel?(order: PaymentOrder, deadline: Deadline): Promise<PaymentStatus | NoEffect>;
  refund?(order: RefundOrder, deadline: Deadline): Promise<RefundAnswer>;
  /** Queries the provider for the refund's status. Moves no money. */
  askRefund?(order: RefundOrder, deadline: Deadline): Promise<RefundAnswer | { readonly kind: 'not_found' }>;
  /** Replaces `askRefund`: sends the refund again, and the provider recognises the repeat (`PayoutRail.repeat`). */
  repeatRefund?(order: RefundOrder, deadline: Deadline): Promise<RefundAnswer>;
}

export interface CallParts {
  readonly clock: Clock;
  readonly onRailCall: (rail: string, call: string, answer: string, latencyMs: number, reference: string) => void;
}

/** Makes one call to a form rail, with its timeout and its metrics. */
export async function callRail<Answer extends { readonly kind: string }>(
  { clock, onRailCall }: CallParts,
  rail: PaymentRail,
  name: 'start' | 'handle_return' | 'ask' | 'cancel',
  { reference }: Pick<PaymentOrder, 'reference'>,
  work: (deadline: Deadline) => Promise<Answer>,
): Promise<Answer> {
  const startedAt = clock.now();
  const answer = await withDeadline(clock, rail.timeoutMs, work);
  onRailCall(rail.name, name, answer.kind, clock.now() - startedAt, reference);
  return answer;
}
