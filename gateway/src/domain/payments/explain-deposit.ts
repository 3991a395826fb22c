/**
 * Explains why a deposit is pending, for every place where it can wait: the reason, since when, and the time of the next
 * automatic step. The contract has the messages (contract/texts/deposit-waits.ts).
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Explanation } from '../../foundation/explanation.ts';
import { formatAmount } from '../../foundation/money.ts';
import type { Deposit, Mismatch, RecordedTransfer } from '../deposits/deposit.ts';
import { ADMISSIONS } from '../deposits/deposit-transitions.ts';
import { type AttemptState, isInFlight, type PaymentAttempt } from './attempts/payment-attempt.ts';
import { paymentDeadline, type RailDeadline } from './attempts/payment-deadline.ts';
import type { DepositRecord } from './deposit-record-store.ts';
import type { PayerStep } from './payment-rail.ts';

/**
 * - `provider`: no provider knows it yet.
 * - `step`, `retry`: the payer must act on the hosted form: a step of the current attempt, or another attempt.
 * - `decision`, `silence`: the provider will decide on an attempt, or returned no usable response.
 * - `overdue`: the provider reported no outcome by the deadline, and the operator must query it.
 * - `payer`: the payer can still pay.
 * - `grace`: the payer's time has passed, but late money is still accepted.
 * - `closing`: the grace period has passed, and the gateway is about to fail the deposit.
 * - `operator`: mismatched money is held. This also applies to a final deposit.
 */
type DepositWaitReason =
  | 'provider'
  | 'step'
  | 'retry'
  | 'decision'
  | 'silence'
  | 'overdue'
  | 'payer'
  | 'grace'
  | 'closing'
  | 'operator';

/** `note` describes the mismatched money. */
export type DepositExplanation = Explanation<DepositWaitReason, WaitFacts>;

interface WaitFacts {
  readonly rail: string;
  readonly amount: string;
  readonly payTo: string;
  readonly step: PayerStep['kind'] | null;
  readonly attemptState: AttemptState | undefined;
  /** Why the latest attempt is in its state. May be empty. */
  readonly why: string;
  readonly isAuthorised: boolean;
  readonly isFinal: boolean;
  /** The merchant's policy could credit some of the held money. */
  readonly mayBeCredited: boolean;
}

interface Situation {
  readonly deposit: Deposit;
  readonly held: readonly RecordedTransfer[];
  /** The latest attempt. Undefined if it is not a form deposit. */
  readonly attempt: PaymentAttempt | undefined;
  /** The deadline of the attempt. */
  readonly deadline: Instant;
}

/** The columns with the time since when an item waits, and the time of the next automatic step. */
const TIMES: {
  readonly [Reason in DepositWaitReason]: (situation: Situation) => Pick<DepositExplanation, 'since' | 'nextAt'>;
} = {
  provider: ({ deposit }) => ({ since: deposit.createdAt, nextAt: deposit.closesAt }),
  step: (situation) => ({ since: begunAt(situation), nextAt: situation.attempt?.askAt ?? situation.deposit.closesAt }),
  retry: ({ deposit, attempt }) => ({ since: attempt?.finishedAt ?? deposit.createdAt, nextAt: deposit.closesAt }),
  decision: (situation) => ({ since: begunAt(situation), nextAt: situation.attempt?.askAt ?? null }),
  silence: (situation) => ({ since: begunAt(situation), nextAt: situation.attempt?.askAt ?? null }),
  overdue: ({ attempt, deadline }) => ({ since: deadline, nextAt: attempt?.askAt ?? null }),
  payer: ({ deposit }) => ({ since: deposit.createdAt, nextAt: deposit.expiresAt }),
  grace: ({ deposit }) => ({ since: deposit.expiresAt, nextAt: deposit.closesAt }),
  closing: ({ deposit }) => ({ since: deposit.closesAt, nextAt: deposit.closesAt }),
  operator: ({ deposit, held }) => ({
    since: Math.min(...held.map(({ recordedAt }) => recordedAt)),
    nextAt: deposit.finishedAt === null ? deposit.closesAt : null,
  }),
};

function begunAt({ deposit, attempt }: Situation): Instant {
  return attempt?.startedAt ?? deposit.createdAt;
}

function factsOf({ deposit, held, attempt }: Situation): WaitFacts {
  return {
    rail: deposit.rail,
    amount: amountOf(deposit),
    payTo: deposit.payTo,
    step: attempt?.step?.kind ?? null,
    attemptState: attempt?.state,
    why: [attempt?.refusal, attempt?.detail].filter(Boolean).join(': '),
    isAuthorised: attempt?.isAuthorised ?? false,
    isFinal: deposit.finishedAt !== null,
    mayBeCredited: held.some(({ mismatch }) => ADMISSIONS[mismatch ?? 'none'] !== 'hold'),
  };
}

/** Returns undefined if it waits for nothing: it is final, and no money for it is held. */
export function explainDeposit(
  { deposit, transfers, attempts }: Pick<DepositRecord, 'deposit' | 'transfers' | 'attempts'>,
  now: Instant,
  deadlines: readonly RailDeadline[],
): DepositExplanation | undefined {
  const held = transfers.filter(({ state }) => state === 'held');
  const attempt = attempts.at(-1);
  const deadline = attempt ? paymentDeadline(attempt, deposit, deadlines) : deposit.closesAt;
  const reason = held.length > 0 ? 'operator' : reasonOf(deposit, attempt, deadline, now);
  if (reason === undefined) return undefined;
  const situation = { deposit, held, attempt, deadline };
  return {
    reason,
    facts: factsOf(situation),
    ...TIMES[reason](situation),
    note: held.map(describeTransfer).join('; '),
  };
}

function reasonOf(
  { state, expiresAt, closesAt }: Deposit,
  attempt: PaymentAttempt | undefined,
  deadline: Instant,
  now: Instant,
): DepositWaitReason | undefined {
  if (state !== 'pending') return state === 'created' ? 'provider' : undefined;
  if (attempt && isInFlight(attempt)) return now >= deadline ? 'overdue' : ATTEMPT_REASONS[attempt.state];
  if (now >= closesAt) return 'closing';
  if (attempt) return 'retry';
  return now < expiresAt ? 'payer' : 'grace';
}

const ATTEMPT_REASONS: { readonly [State in AttemptState]: DepositWaitReason } = {
  starting: 'silence',
  unknown: 'silence',
  acting: 'step',
  deciding: 'decision',
  paid: 'closing',
  refused: 'retry',
  abandoned: 'retry',
};

export const MISMATCH_TEXTS: { readonly [Kind in Mismatch]: string } = {
  other_currency: 'in a currency other than the deposit',
  short: 'less than the deposit’s amount',
  other_payer: 'from a person other than the order’s payer',
  over: 'more than the deposit’s amount',
  late: 'after the deposit closed',
  twice: 'after the deposit was paid',
  unmatched: 'matched to no deposit',
  displaced: 'for an unsigned form whose order went to a signed request',
};

function describeTransfer(transfer: RecordedTransfer): string {
  const why = transfer.mismatch === null ? '' : `, ${MISMATCH_TEXTS[transfer.mismatch]}`;
  return `${amountOf(transfer)} came${why}`;
}

function amountOf({ money }: Pick<Deposit, 'money'>): string {
  return `${formatAmount(money)} ${money.currency}`;
}

/** The output of `deposit show`: the record and, while it waits, the reason. */
export interface ExplainedDeposit extends DepositRecord {
  readonly pending: DepositExplanation | null;
}
