/** Where form sessions and payment attempts are kept, as the domain asks for it. */
import type { Instant } from '../../foundation/clock.ts';
import type { Deposit, DepositKey } from '../deposits/deposit.ts';
import type { DepositPlan, Displacement, PlanDisplacement } from '../deposits/deposit-store.ts';
import type { AttemptCard } from './attempt-card.ts';
import type { FormSession } from './form-session.ts';
import type { AttemptKey, PaymentAttempt } from './payment-attempt.ts';
import type { AttemptFacts, AttemptPlan } from './settle-attempt.ts';
import type { CountedTry, TrySubject } from './try-limits.ts';

export interface SessionRecord {
  readonly session: FormSession;
  /** Null before the payer submitted. */
  readonly deposit: Deposit | null;
  /** Oldest first. */
  readonly attempts: readonly PaymentAttempt[];
}

/** What an attempt is before its provider was told. */
export type NewAttempt = Pick<
  PaymentAttempt,
  'rail' | 'paymentType' | 'reference' | 'startedAt' | 'sendUntil' | 'askAt'
>;

export interface AttemptRequest {
  readonly session: FormSession;
  /** What the session becomes, if it is none yet. */
  readonly deposit: Deposit;
  /** Plans how the deposit that has the order makes way. */
  readonly displace: PlanDisplacement;
  readonly attempt: NewAttempt;
  /** Null for what is not paid by card. */
  readonly card: AttemptCard | null;
  readonly counted: CountedTry;
  /** How many there are, as far as the payer knows. */
  readonly attemptsSeen: number;
  /** How many there may be. */
  readonly mostAttempts: number;
}

/** With the deposit that it is to pay, as that stands now. */
export interface DueAttempt {
  readonly attempt: PaymentAttempt;
  readonly deposit: Deposit;
}

export type BeginOutcome =
  /** `displaced`: the deposit that had the order before and was displaced; null: none. */
  | {
      readonly kind: 'begun';
      readonly deposit: Deposit;
      readonly attempt: PaymentAttempt;
      readonly displaced: Displacement | null;
    }
  /** Another deposit has the order: it was paid, or somebody is paying it. */
  | { readonly kind: 'order_paid' }
  | { readonly kind: 'order_taken' }
  /** Another attempt has not ended; two at once could both be paid. */
  | { readonly kind: 'under_way'; readonly attempt: PaymentAttempt }
  | { readonly kind: 'ended'; readonly deposit: Deposit }
  | { readonly kind: 'too_many_attempts' }
  /** Another attempt began and ended meanwhile. */
  | { readonly kind: 'out_of_date' }
  /** Over all payments of the merchant. */
  | { readonly kind: 'too_many_tries'; readonly subject: TrySubject }
  | { readonly kind: 'no_session' };

export interface AttemptSettlement extends AttemptKey {
  readonly at: Instant;
  /** Each pure; undefined when nothing changes. Each meets the facts that the one before it left. */
  readonly plans: readonly ((facts: AttemptFacts) => AttemptPlan | undefined)[];
}

export type AttemptOutcome =
  | { readonly kind: 'settled'; readonly plan: AttemptPlan }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' };

/** An end that depends on the attempts: a plan, or why there is none. */
export interface PaymentEnd<Refusal extends string> extends DepositKey {
  readonly at: Instant;
  /** Pure. */
  readonly plan: (facts: {
    readonly deposit: Deposit;
    readonly attempts: readonly PaymentAttempt[];
  }) => DepositPlan | Refusal;
}

/** Sessions that ended before these times, at most twice `limit` of them. */
export interface SessionRetention {
  /** Of those that nobody submitted. */
  readonly unusedSince: Instant;
  /** Of those that became a deposit. */
  readonly usedSince: Instant;
  readonly limit: number;
}

export interface PaymentStore {
  /** `tokenHash`: of what stands in the page's address. */
  openSession(session: FormSession, tokenHash: Buffer): Promise<void>;
  findSession(tokenHash: Buffer): Promise<SessionRecord | undefined>;
  /** Gives how many it destroyed. The deposits stay. */
  destroySessions(retention: SessionRetention): Promise<number>;
  /** Commits an attempt before its provider is told. The one gate by which a session becomes a deposit. */
  begin(request: AttemptRequest): Promise<BeginOutcome>;
  /** The one gate of an attempt's state: all plans and what follows for the deposit in one commit. An outcome for each plan. */
  settle(settlement: AttemptSettlement): Promise<readonly AttemptOutcome[]>;
  /** Ends a deposit by what its attempts allow. */
  end<Refusal extends string>(end: PaymentEnd<Refusal>): Promise<DepositPlan | Refusal>;
  /** At most `limit` attempts of a rail that are to be asked about, whose next time to ask becomes `leaseUntil`. */
  claimDue(rail: string, now: Instant, leaseUntil: Instant, limit: number): Promise<readonly DueAttempt[]>;
  find(key: AttemptKey): Promise<PaymentAttempt | undefined>;
  findDue(key: AttemptKey): Promise<DueAttempt | undefined>;
  findByReference(rail: string, reference: string): Promise<AttemptKey | undefined>;
}
