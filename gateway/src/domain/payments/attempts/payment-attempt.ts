/**
 * One attempt of a payer to pay a form deposit through one rail. At most one attempt per deposit is in flight. Money of any
 * attempt belongs to the deposit.
 */
import { HOUR_MS, type Instant } from '../../../foundation/clock.ts';
import { Secret } from '../../../foundation/secret.ts';
import type { DepositKey } from '../../deposits/deposit.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import type { PaymentType } from '../../methods/payment-type.ts';
import { maskCard, type Vault, type VaultRecord } from '../../vault/vault.ts';
import type { PayerStep, PaymentCard, PaymentRefusal } from '../payment-rail.ts';
import type { Wallet } from '../wallet.ts';

/**
 * - `starting`: committed. The gateway is calling the provider, or was when its process died.
 * - `acting`: the payer must act.
 * - `deciding`: the payer has acted, and the provider will decide.
 * - `unknown`: the provider returned no usable response. The gateway queries it.
 * - `paid`, `refused`: as the provider reported.
 * - `abandoned`: the payer did not act in time or chose another way, and no provider confirmed a payment.
 *
 * attempt-transitions.ts defines the transitions.
 */
export const ATTEMPT_STATES = ['starting', 'acting', 'deciding', 'unknown', 'paid', 'refused', 'abandoned'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** The provider may have the payment. Only its response ends the attempt, and no other attempt may begin. */
export const WITH_PROVIDER: ReadonlySet<AttemptState> = new Set(['starting', 'deciding', 'unknown']);

export function isInFlight({ state }: Pick<PaymentAttempt, 'state'>): boolean {
  return WITH_PROVIDER.has(state) || state === 'acting';
}

/** True if the attempt has brought money or may still do so. No other payer may pay until its outcome is known and decided. */
export function mayBePaid(attempt: Pick<PaymentAttempt, 'state'>): boolean {
  return isInFlight(attempt) || attempt.state === 'paid';
}

export interface PaymentAttempt extends DepositKey {
  /** Counts from 1. */
  readonly attempt: number;
  readonly rail: string;
  readonly paymentType: PaymentType;
  /** The gateway creates this reference before the first call, and sends it in every call of the attempt. */
  readonly reference: string;
  /** The provider's own id; empty until the provider has assigned one. */
  readonly providerReference: string;
  /** A value that the rail gets back with its next call (PaymentOrder.kept). */
  readonly kept: string;
  /** The provider's keys of its receipts. There is more than one only if the payer paid more than once. */
  readonly receipts: readonly string[];
  readonly state: AttemptState;
  /** The payer's next action. Null unless `acting`. */
  readonly step: PayerStep | null;
  /** True if the payer's bank has agreed but the money has not arrived. */
  readonly isAuthorised: boolean;
  readonly refusal: PaymentRefusal | null;
  /** Whether the payer may start another attempt. Set when the attempt is refused. */
  readonly canRetry: boolean;
  /** The provider's statement, for the operator. */
  readonly detail: string;
  readonly startedAt: Instant;
  /** The deadline of the first call: its sender writes nothing to the provider after it. */
  readonly sendUntil: Instant;
  /** When the gateway queries the provider next, unless a notification arrives first. Null if it waits for nothing. */
  readonly askAt: Instant | null;
  readonly asks: number;
  /**
   * The number of the payer's returns from this step that the provider may have received, and whose response is not recorded.
   * If there are any, the attempt is not abandoned.
   */
  readonly openReturns: number;
  readonly finishedAt: Instant | null;
}

/** An attempt with the visible part of its card. */
export interface RecordedAttempt extends PaymentAttempt {
  /** The first six and last four digits. Absent for an attempt without a card. */
  readonly cardMask?: string;
  /** Absent for an attempt without a wallet. */
  readonly wallet?: Wallet;
}

export interface AttemptKey extends DepositKey {
  readonly attempt: number;
}

/** The two unique keys of a receipt: the provider's, and its key in the directory of transfers. */
interface PaymentReceiptKey {
  readonly receiptKey: string;
  readonly transferKey: string;
}

/** Returns the receipt's key in the directory of transfers. A provider may number the receipts of one payment. */
export function transferKeyOf({ reference }: Pick<PaymentAttempt, 'reference'>, receiptKey: string): string {
  return receiptKey === '' ? reference : `${reference}/${receiptKey}`;
}

/** Returns the oldest receipts first. */
export function receiptsOf(attempt: PaymentAttempt): readonly PaymentReceiptKey[] {
  return attempt.receipts.map((receiptKey) => ({ receiptKey, transferKey: transferKeyOf(attempt, receiptKey) }));
}

/** The vault destroys the card of an older attempt, even if it is unfinished: only the first call needs the number. */
export const LONGEST_CARD_LIFE_MS = 12 * HOUR_MS;

/**
 * The part of a payer's card that is stored by the commit that begins the attempt. The vault holds the sealed number, expiry
 * and holder until the attempt ends; the mask stays. The CVV is never stored.
 */
export interface AttemptCard {
  /** The first six and last four digits. */
  readonly mask: string;
  readonly vaultRecord: VaultRecord;
  readonly destroyAt: Instant;
}

export function keepCard(
  vault: Pick<Vault, 'sealFields'>,
  { merchantId }: Pick<Merchant, 'merchantId'>,
  { number, expiry, holder }: PaymentCard,
  at: Instant,
): AttemptCard {
  return {
    mask: maskCard(number),
    vaultRecord: vault.sealFields(merchantId, at, { number, expiry, holder: new Secret(holder) }),
    destroyAt: at + LONGEST_CARD_LIFE_MS,
  };
}
