/**
 * One try of a payer to pay a deposit of the hosted form, by one rail. A deposit has one attempt under way at most; the
 * money of any of them is the deposit's.
 */
import type { Instant } from '../../foundation/clock.ts';
import { defineTransitions } from '../../foundation/transitions.ts';
import type { DepositKey } from '../deposits/deposit.ts';
import type { PaymentType } from '../methods/payment-type.ts';
import type { PayerStep, PaymentRefusal } from './payment-rail.ts';

/**
 * - `starting`: committed; the provider is being told, or was when the process died.
 * - `acting`: the payer has to act.
 * - `deciding`: the payer has acted, and the provider will decide.
 * - `unknown`: the provider was told and gave no usable answer; it is being asked.
 * - `paid`, `refused`: the provider's own word.
 * - `abandoned`: the payer did not act in time, or chose another way; no provider has said that it took the payment.
 */
export const ATTEMPT_STATES = ['starting', 'acting', 'deciding', 'unknown', 'paid', 'refused', 'abandoned'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

export type AttemptEvent = 'step' | 'pending' | 'unknown' | 'paid' | 'refused' | 'abandoned';

/** That the money is there ends every doubt, whatever was said before; nothing else follows an end. */
export const attemptTransitions = defineTransitions<AttemptState, AttemptEvent>({
  starting: { step: 'acting', pending: 'deciding', unknown: 'unknown', paid: 'paid', refused: 'refused' },
  acting: {
    step: 'acting',
    pending: 'deciding',
    unknown: 'unknown',
    paid: 'paid',
    refused: 'refused',
    abandoned: 'abandoned',
  },
  deciding: { pending: 'deciding', paid: 'paid', refused: 'refused' },
  unknown: { step: 'acting', pending: 'deciding', unknown: 'unknown', paid: 'paid', refused: 'refused' },
  paid: {},
  refused: { paid: 'paid' },
  abandoned: { pending: 'deciding', paid: 'paid', refused: 'refused' },
});

/** A provider may have the payment: only its answer ends the attempt, and no other may begin. */
export const WITH_PROVIDER: ReadonlySet<AttemptState> = new Set(['starting', 'deciding', 'unknown']);

export function isUnderWay({ state }: Pick<PaymentAttempt, 'state'>): boolean {
  return WITH_PROVIDER.has(state) || state === 'acting';
}

/** There may be money of it, or is: nobody else may pay until it is known, or decided, what becomes of that. */
export function mayBePaid(attempt: Pick<PaymentAttempt, 'state'>): boolean {
  return isUnderWay(attempt) || attempt.state === 'paid';
}

export interface PaymentAttempt extends DepositKey {
  /** From 1. */
  readonly attempt: number;
  readonly rail: string;
  readonly paymentType: PaymentType;
  /** Made before the first call and used for every call about this attempt. */
  readonly reference: string;
  /** What the provider calls it; empty before it has said so. */
  readonly providerReference: string;
  /** What the rail wants to be given again (PaymentOrder.kept). */
  readonly kept: string;
  /** What the provider tells its receipts of money apart by; more than one only where a payer paid more than once. */
  readonly receipts: readonly string[];
  readonly state: AttemptState;
  /** What the payer has to do; null unless `acting`. */
  readonly step: PayerStep | null;
  /** The payer's bank has agreed, though the money is not there yet. */
  readonly isAuthorised: boolean;
  readonly refusal: PaymentRefusal | null;
  /** Whether another try makes sense; said with a refusal. */
  readonly canRetry: boolean;
  /** What the provider said, for the operator. */
  readonly detail: string;
  readonly startedAt: Instant;
  /** The first call's deadline: past it nothing more is written to the provider by whoever made it. */
  readonly sendUntil: Instant;
  /** When the provider is asked next, if it has not told by then; null once nothing is waited for. */
  readonly askAt: Instant | null;
  readonly asks: number;
  readonly finishedAt: Instant | null;
}

/** As an operator sees it. */
export interface RecordedAttempt extends PaymentAttempt {
  /** First six and last four digits; absent where it was not paid by card. */
  readonly cardMask?: string;
}

export interface AttemptKey extends DepositKey {
  readonly attempt: number;
}

/** A receipt of money, as the payment's provider and as the directory of transfers tell it from others. */
export interface PaymentReceiptKey {
  readonly receiptKey: string;
  readonly transferKey: string;
}

/** The key of a receipt in the directory of transfers. A provider may number the receipts of one payment. */
export function transferKeyOf({ reference }: Pick<PaymentAttempt, 'reference'>, receiptKey: string): string {
  return receiptKey === '' ? reference : `${reference}/${receiptKey}`;
}

/** In the order in which they came. */
export function receiptsOf(attempt: PaymentAttempt): readonly PaymentReceiptKey[] {
  return attempt.receipts.map((receiptKey) => ({ receiptKey, transferKey: transferKeyOf(attempt, receiptKey) }));
}
