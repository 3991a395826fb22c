/**
 * Why is it pending? For every place where a deposit can wait: what it waits for, since when, what happens next by itself
 * and when, and what the merchant can do. One exhaustive map, as explain-pending.ts has for payouts.
 */
import type { Instant } from '../../foundation/clock.ts';
import { formatAmount } from '../../foundation/money.ts';
import type { Explanation } from '../explanation.ts';
import type { Deposit, DepositState, Mismatch, RecordedTransfer } from './deposit.ts';
import type { DepositRecord } from './deposit-record.ts';

/**
 * - `provider`: not with a provider yet.
 * - `payer`: the payer can pay, and has the time that they were told.
 * - `grace`: that time is over, but money that is under way still counts.
 * - `closing`: no time is left, and the end is about to be written.
 * - `operator`: money came that does not fit, and is held. Also of a deposit that has ended: the money still waits.
 */
export type DepositWaitReason = 'provider' | 'payer' | 'grace' | 'closing' | 'operator';

/** `note`: what money came and did not fit. */
export type DepositExplanation = Explanation<DepositWaitReason>;

interface Situation {
  readonly deposit: Deposit;
  readonly held: readonly RecordedTransfer[];
}

const SETTLES = 'it succeeds as soon as the money is there';

const EXPLANATIONS: {
  readonly [Reason in DepositWaitReason]: (situation: Situation) => Omit<DepositExplanation, 'reason' | 'note'>;
} = {
  provider: ({ deposit }) => ({
    waitsFor: `${deposit.rail}, which has not taken it yet`,
    since: deposit.createdAt,
    next: 'it is opened, or fails when its time is over',
    nextAt: deposit.closesAt,
    merchantCan: 'wait',
  }),
  payer: ({ deposit }) => ({
    waitsFor: `the payer's transfer of ${amountOf(deposit)} to ${deposit.payTo}`,
    since: deposit.createdAt,
    next: `${SETTLES}; from then on only a transfer that is under way is still waited for`,
    nextAt: deposit.expiresAt,
    merchantCan: 'remind the payer: the whole amount, in one transfer',
  }),
  grace: ({ deposit }) => ({
    waitsFor: `a transfer of ${amountOf(deposit)} to ${deposit.payTo} that may be under way: the payer's own time is over`,
    since: deposit.expiresAt,
    next: `${SETTLES}; else it fails as expired`,
    nextAt: deposit.closesAt,
    merchantCan: 'wait; a payer who has not paid yet needs a new order',
  }),
  closing: ({ deposit }) => ({
    waitsFor: 'its end to be written: its time is over',
    since: deposit.closesAt,
    next: 'it fails as expired, within moments',
    nextAt: deposit.closesAt,
    merchantCan: 'wait',
  }),
  operator: ({ deposit, held }) => ({
    waitsFor: 'the operator, who holds money that came for it and does not fit',
    since: Math.min(...held.map(({ recordedAt }) => recordedAt)),
    next:
      deposit.finishedAt === null
        ? 'nothing with the held money; a transfer that fits still makes it succeed, and else it fails as expired'
        : 'nothing; what is decided about the money does not change how it ended',
    nextAt: deposit.finishedAt === null ? deposit.closesAt : null,
    merchantCan:
      'tell the operator whether to credit the money or send it back; with mismatch_policy = credit it is credited at once',
  }),
};

/** Undefined once nothing is waited for: it has ended, and no money for it is held. */
export function explainDeposit(
  { deposit, transfers }: Pick<DepositRecord, 'deposit' | 'transfers'>,
  now: Instant,
): DepositExplanation | undefined {
  const held = transfers.filter(({ state }) => state === 'held');
  const reason = held.length > 0 ? 'operator' : REASONS[deposit.state](deposit, now);
  if (reason === undefined) return undefined;
  return { reason, ...EXPLANATIONS[reason]({ deposit, held }), note: held.map(describeTransfer).join('; ') };
}

const REASONS: { readonly [State in DepositState]: (deposit: Deposit, now: Instant) => DepositWaitReason | undefined } =
  {
    created: () => 'provider',
    pending: ({ expiresAt, closesAt }, now) => (now < expiresAt ? 'payer' : now < closesAt ? 'grace' : 'closing'),
    success: () => undefined,
    fail: () => undefined,
  };

export const MISMATCH_TEXTS: { readonly [Kind in Mismatch]: string } = {
  short: 'less than was asked for',
  other_payer: 'from another person than the one who was asked',
  over: 'more than was asked for',
  late: 'after its time was over',
  twice: 'after it had been paid',
  unmatched: 'matched to no deposit',
};

function describeTransfer(transfer: RecordedTransfer): string {
  const why = transfer.mismatch === null ? '' : `, ${MISMATCH_TEXTS[transfer.mismatch]}`;
  return `${amountOf(transfer)} came${why}`;
}

function amountOf({ money }: Pick<Deposit, 'money'>): string {
  return `${formatAmount(money)} ${money.currency}`;
}
