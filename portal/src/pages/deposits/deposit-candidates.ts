/** The deposits for which held money may be intended, the likeliest first, each with the reasons for and against it. */
import type { Deposit, Transfer } from '../../../../gateway/contract/endpoints/deposits.ts';
import { DAY_MS } from '../../browser.ts';

type CandidateReason =
  | 'named'
  | 'address'
  | 'amount'
  | 'missing'
  | 'recent'
  | 'other_amount'
  | 'older'
  | 'later'
  | 'paid'
  | 'ended';

/** The weight of each reason. A negative weight counts against the deposit. */
const WEIGHTS: Readonly<Record<CandidateReason, number>> = {
  named: 8,
  address: 6,
  amount: 4,
  missing: 4,
  recent: 1,
  other_amount: -1,
  older: -2,
  later: -6,
  paid: -3,
  ended: -1,
};

export const speaksFor = (reason: CandidateReason): boolean => WEIGHTS[reason] > 0;

export interface Candidate {
  readonly deposit: Deposit;
  readonly reasons: readonly CandidateReason[];
  readonly score: number;
}

const RECENT_MS = 3 * DAY_MS;
const OLD_MS = 30 * DAY_MS;

/** A transfer never pays a deposit in a different currency. */
export function candidatesOf(transfer: Transfer, deposits: readonly Deposit[]): Candidate[] {
  const each = new Map(deposits.map((deposit) => [`${deposit.merchantId}/${deposit.orderId}`, deposit]));
  return [...each.values()]
    .filter(({ currency }) => currency === transfer.currency)
    .map((deposit) => {
      const reasons = reasonsFor(transfer, deposit);
      return { deposit, reasons, score: reasons.reduce((sum, reason) => sum + WEIGHTS[reason], 0) };
    })
    .sort((one, other) => other.score - one.score || other.deposit.createdAt.localeCompare(one.deposit.createdAt));
}

function reasonsFor(transfer: Transfer, deposit: Deposit): CandidateReason[] {
  const names = nameOf(transfer.originator.concept).includes(nameOf(deposit.orderId));
  return [
    ...(names && nameOf(deposit.orderId).length >= 3 ? (['named'] as const) : []),
    ...(transfer.payTo !== '' && transfer.payTo === deposit.payTo ? (['address'] as const) : []),
    ...amountReasons(transfer, deposit),
    ...timeReasons(Date.parse(transfer.bookedAt) - Date.parse(deposit.createdAt)),
    ...(deposit.state === 'success' ? (['paid'] as const) : deposit.state === 'fail' ? (['ended'] as const) : []),
  ];
}

/** Payers often write an order without its punctuation. */
const nameOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function amountReasons(transfer: Transfer, { amount, received }: Deposit): CandidateReason[] {
  if (amount === transfer.amount) return ['amount'];
  const [paid, due, had] = [transfer.amount, amount, received].map((text) => BigInt(text.replace('.', '')));
  const isRest = paid !== undefined && due !== undefined && had !== undefined && had > 0n && had + paid === due;
  return [isRest ? 'missing' : 'other_amount'];
}

function timeReasons(afterMs: number): CandidateReason[] {
  if (afterMs < -DAY_MS) return ['later'];
  return afterMs <= RECENT_MS ? ['recent'] : afterMs > OLD_MS ? ['older'] : [];
}
