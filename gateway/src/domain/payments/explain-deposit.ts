/**
 * Explains why a deposit is pending, for every place where it can wait: the reason, since when, the next automatic step
 * and its time, and the merchant's options. One exhaustive map, as explain-pending.ts has for payouts.
 */
import type { Instant } from '../../foundation/clock.ts';
import { formatAmount } from '../../foundation/money.ts';
import type { Deposit, Mismatch, RecordedTransfer } from '../deposits/deposit.ts';
import { ADMISSIONS } from '../deposits/deposit-transitions.ts';
import type { Explanation } from '../operators/explanation.ts';
import { type AttemptState, isInFlight, type PaymentAttempt } from './attempts/payment-attempt.ts';
import { paymentDeadline, type RailDeadline } from './attempts/payment-deadline.ts';
import type { DepositRecord } from './deposit-record-store.ts';
import type { PayerStep } from './payment-rail.ts';

/**
 * - `provider`: no provider knows it yet.
 * - `step`, `retry`: the payer must act on the hosted form: a step of the current attempt, or another attempt.
 * - `decision`, `silence`: the provider will decide on an attempt, or gave no usable answer.
 * - `overdue`: the provider reported no outcome by the deadline. The operator must ask.
 * - `payer`: the payer can pay and still has time.
 * - `grace`: the payer's time is over, but late money still counts.
 * - `closing`: the grace period is over, and the gateway is about to end the deposit.
 * - `operator`: mismatched money is held. This also applies to an ended deposit.
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

/** `note`: the mismatched money. */
export type DepositExplanation = Explanation<DepositWaitReason>;

interface Situation {
  readonly deposit: Deposit;
  readonly held: readonly RecordedTransfer[];
  /** The latest attempt; undefined if the deposit is not of the hosted form. */
  readonly attempt: PaymentAttempt | undefined;
  /** The deadline of the attempt. */
  readonly deadline: Instant;
}

const SETTLES = 'it succeeds when the money arrives';

const EXPLANATIONS: {
  readonly [Reason in DepositWaitReason]: (situation: Situation) => Omit<DepositExplanation, 'reason' | 'note'>;
} = {
  provider: ({ deposit }) => ({
    waitsFor: `${deposit.rail}, which has not accepted it yet`,
    since: deposit.createdAt,
    next: 'the gateway opens it, or fails it when its time ends',
    nextAt: deposit.closesAt,
    merchantCan: 'wait',
  }),
  step: ({ deposit, attempt }) => ({
    waitsFor: `the payer, who has to ${attempt?.step ? STEP_TEXTS[attempt.step.kind] : 'act'}`,
    since: attempt?.startedAt ?? deposit.createdAt,
    next: `${SETTLES}; the gateway asks ${deposit.rail} at intervals, and abandons the attempt when the payer's time ends`,
    nextAt: attempt?.askAt ?? deposit.closesAt,
    merchantCan: 'remind the payer, whose page shows the step',
  }),
  retry: ({ deposit, attempt }) => ({
    waitsFor: `the payer, who may make another attempt: the last one was ${attempt?.state} ${whyOf(attempt)}`.trimEnd(),
    since: attempt?.finishedAt ?? deposit.createdAt,
    next: 'it continues with another attempt, or fails as expired',
    nextAt: deposit.closesAt,
    merchantCan: 'wait; create a new order if the payer wants another payment type',
  }),
  decision: ({ deposit, attempt }) => ({
    waitsFor: `${deposit.rail}, which decides${attempt?.isAuthorised ? ': the payer’s bank has agreed' : ''}`,
    since: attempt?.startedAt ?? deposit.createdAt,
    next: `it ends when ${deposit.rail} reports the outcome; otherwise the gateway asks`,
    nextAt: attempt?.askAt ?? null,
    merchantCan: 'wait; ship nothing before the callback',
  }),
  silence: ({ deposit, attempt }) => ({
    waitsFor: `${deposit.rail}, which got the attempt and gave no usable answer ${whyOf(attempt)}`.trimEnd(),
    since: attempt?.startedAt ?? deposit.createdAt,
    next: 'the gateway asks again; no other attempt may begin before an answer, because both could be paid',
    nextAt: attempt?.askAt ?? null,
    merchantCan: 'wait',
  }),
  overdue: ({ deposit, attempt, deadline }) => ({
    waitsFor:
      `the operator, who must ask ${deposit.rail}: it reported no outcome by the deadline ${whyOf(attempt)}`.trimEnd(),
    since: deadline,
    next: `the gateway asks ${deposit.rail} again; without an answer only gateway deposit end-attempt ends the attempt`,
    nextAt: attempt?.askAt ?? null,
    merchantCan: 'wait, or ask the operator; ship nothing before the callback',
  }),
  payer: ({ deposit }) => ({
    waitsFor: `the payer's transfer of ${amountOf(deposit)} to ${deposit.payTo}`,
    since: deposit.createdAt,
    next: `${SETTLES}; after the expiry, only a transfer already in transit counts`,
    nextAt: deposit.expiresAt,
    merchantCan: 'remind the payer to send the whole amount in one transfer',
  }),
  grace: ({ deposit }) => ({
    waitsFor: `a transfer of ${amountOf(deposit)} to ${deposit.payTo} that may be in transit: the payer's time has ended`,
    since: deposit.expiresAt,
    next: `${SETTLES}; otherwise it fails as expired`,
    nextAt: deposit.closesAt,
    merchantCan: 'wait; create a new order if the payer has not paid yet',
  }),
  closing: ({ deposit }) => ({
    waitsFor: 'the gateway, which is about to end it: its time has ended',
    since: deposit.closesAt,
    next: 'it fails as expired, within moments',
    nextAt: deposit.closesAt,
    merchantCan: 'wait',
  }),
  operator: ({ deposit, held }) => ({
    waitsFor: 'the operator, who must decide on held money that does not match it',
    since: Math.min(...held.map(({ recordedAt }) => recordedAt)),
    next:
      deposit.finishedAt === null
        ? 'nothing happens to the held money; a matching transfer still makes it succeed, otherwise it fails as expired'
        : 'nothing; the decision about the money does not change its final state',
    nextAt: deposit.finishedAt === null ? deposit.closesAt : null,
    merchantCan: `ask the operator to credit the money or to return it${
      held.every(({ mismatch }) => ADMISSIONS[mismatch ?? 'none'] === 'hold')
        ? ''
        : '; with mismatch_policy = credit the gateway credits such money immediately'
    }`,
  }),
};

const STEP_TEXTS: { readonly [Kind in PayerStep['kind']]: string } = {
  redirect: 'confirm on the bank’s page and return',
  frame: 'finish on the bank’s page inside ours',
  post: 'authenticate with the card’s bank (3-D Secure)',
  code: 'pay the code on their page',
  elsewhere: 'answer a message from their bank',
};

function whyOf(attempt: PaymentAttempt | undefined): string {
  const why = [attempt?.refusal, attempt?.detail].filter(Boolean).join(': ');
  return why === '' ? '' : `(${why})`;
}

/** Undefined if it waits for nothing: it has ended, and no money for it is held. */
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
  return {
    reason,
    ...EXPLANATIONS[reason]({ deposit, held, attempt, deadline }),
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
