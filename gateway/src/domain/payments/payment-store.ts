/** The port for storing form sessions and payment attempts. */
import type { Instant } from '../../foundation/clock.ts';
import type { Deposit, DepositKey } from '../deposits/deposit.ts';
import type { DepositPlan, Displacement, PlanDisplacement } from '../deposits/deposit-store.ts';
import type { CountedAttempt, LimitSubject } from './attempts/attempt-limits.ts';
import type { AttemptCard, AttemptKey, PaymentAttempt, RecordedAttempt } from './attempts/payment-attempt.ts';
import type { AttemptFacts, AttemptPlan } from './attempts/plan-attempt.ts';
import type { FormSession } from './form-session.ts';
import type { ReceiptAddress } from './receipt-email-store.ts';
import type { AttemptWallet } from './wallet.ts';

export interface SessionRecord {
  readonly session: FormSession;
  /** Null until the payer submits. */
  readonly deposit: Deposit | null;
  /** The attempts, the oldest first. */
  readonly attempts: readonly RecordedAttempt[];
}

/** The deposit that currently owns an order. */
export interface OrderHolder {
  readonly deposit: Deposit;
  readonly isSigned: boolean;
  readonly visitorHash: Buffer | null;
  /** When its latest attempt began, if that is in flight or brought money on which the operator decides. Otherwise null. */
  readonly busySince: Instant | null;
}

/** An attempt before the call to its provider. */
type NewAttempt = Pick<PaymentAttempt, 'rail' | 'paymentType' | 'reference' | 'startedAt' | 'sendUntil' | 'askAt'>;

export interface AttemptRequest {
  readonly session: FormSession;
  /** The deposit that the session becomes, unless it has already become one. */
  readonly deposit: Deposit;
  /** Plans how the deposit that currently has the order loses it. */
  readonly displace: PlanDisplacement;
  readonly attempt: NewAttempt;
  /** Null for an attempt without a card. */
  readonly card: AttemptCard | null;
  /** Null for an attempt without a wallet. */
  readonly wallet: AttemptWallet | null;
  readonly counted: CountedAttempt;
  /** The address for the receipt after a success. If null, the gateway sends no receipt. */
  readonly receiptTo: ReceiptAddress | null;
  /** The number of attempts that the payer has seen. */
  readonly attemptsSeen: number;
  /** The maximum number of attempts. */
  readonly mostAttempts: number;
}

/** An attempt with the current state of its deposit. */
export interface DueAttempt {
  readonly attempt: PaymentAttempt;
  readonly deposit: Deposit;
}

export type BeginOutcome =
  /** `displaced` is the deposit that lost the order, or null. */
  | {
      readonly kind: 'begun';
      readonly deposit: Deposit;
      readonly attempt: PaymentAttempt;
      readonly displaced: Displacement | null;
    }
  /** Another deposit has the order: it was paid, or a payer is paying it. */
  | { readonly kind: 'order_paid' }
  | { readonly kind: 'order_in_use' }
  /** Another attempt has not ended. Two concurrent attempts could both be paid. */
  | { readonly kind: 'in_flight'; readonly attempt: PaymentAttempt }
  | { readonly kind: 'ended'; readonly deposit: Deposit }
  | { readonly kind: 'too_many_attempts' }
  /** Another attempt has begun and ended in the meantime. */
  | { readonly kind: 'out_of_date' }
  /** The wallet's token was used before. */
  | { readonly kind: 'token_used' }
  /** The limit counts all payments of the merchant. */
  | { readonly kind: 'attempt_limit'; readonly subject: LimitSubject }
  | { readonly kind: 'no_session' };

export interface AttemptSettlement extends AttemptKey {
  readonly at: Instant;
  /** Each plan is pure and sees the facts that the previous one left. It returns undefined if it has no effect. */
  readonly plans: readonly ((facts: AttemptFacts) => AttemptPlan | undefined)[];
}

export type AttemptOutcome =
  | { readonly kind: 'settled'; readonly plan: AttemptPlan }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' };

/** A final state that depends on the attempts: a plan, or the reason to reject it. */
export interface PaymentEnd<Rejection extends string> extends DepositKey {
  readonly at: Instant;
  /** Pure. */
  readonly plan: (facts: {
    readonly deposit: Deposit;
    readonly attempts: readonly PaymentAttempt[];
  }) => DepositPlan | Rejection;
}

/** Selects sessions that ended before these times, at most twice `limit`. */
export interface SessionRetention {
  /** The time limit for sessions that no payer submitted. */
  readonly unusedSince: Instant;
  /** The time limit for sessions that became a deposit. */
  readonly usedSince: Instant;
  readonly limit: number;
}

export interface PaymentStore {
  /** `tokenHash` is the hash of the token in the page's URL. */
  openSession(session: FormSession, tokenHash: Buffer): Promise<void>;
  /** Returns the deposit that has the order, if there is one. Another request may take the order at any time. */
  findOrder(order: Pick<Deposit, 'merchantId' | 'orderId'>): Promise<OrderHolder | null>;
  findSession(tokenHash: Buffer): Promise<SessionRecord | undefined>;
  /** Resolves to the number of destroyed sessions. Their deposits stay. */
  destroySessions(retention: SessionRetention): Promise<number>;
  /** Commits an attempt before the call to its provider. This is the only gate through which a session becomes a deposit. */
  begin(request: AttemptRequest): Promise<BeginOutcome>;
  /** The only gate of an attempt's state: commits all plans and their effects on deposits. Returns one outcome per plan. */
  settle(settlement: AttemptSettlement): Promise<readonly AttemptOutcome[]>;
  /** Ends a deposit if its attempts allow it. */
  end<Rejection extends string>(end: PaymentEnd<Rejection>): Promise<DepositPlan | Rejection>;
  /** Claims at most `limit` attempts of a rail that are due for a query. Their next query is due at `leaseUntil`. */
  claimDue(rail: string, now: Instant, leaseUntil: Instant, limit: number): Promise<readonly DueAttempt[]>;
  find(key: AttemptKey): Promise<PaymentAttempt | undefined>;
  findDue(key: AttemptKey): Promise<DueAttempt | undefined>;
  findByReference(rail: string, reference: string): Promise<AttemptKey | undefined>;
}
