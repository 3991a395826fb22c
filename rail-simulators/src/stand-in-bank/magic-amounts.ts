/**
 * What the stand-in bank does with a payout, decided by the cents of its amount: a table that tests and readers share.
 * It holds no behaviour; bank.ts plays what a row says. README.md of this folder documents the same rows.
 */

export type PayoutStatus = 'executed' | 'declined' | 'pending';
export type ChangedStatus = 'executed' | 'declined' | 'reversed';
export type DeclineReason = 'declined_by_bank' | 'bad_recipient' | 'limit' | 'general';
export type Reason = '' | DeclineReason;

/** How long the bank takes over what it does by itself; tests shorten these. */
export interface BankDelays {
  /** From pending to its end. */
  readonly settleMs: number;
  /** From an end to the opposite one: a reversal, or a success after a failure. */
  readonly changeMs: number;
  /** From the first sending of a notification to its late repetition. */
  readonly lateNotificationMs: number;
  /** How long a connection that will never be answered is held. */
  readonly holdMs: number;
}

export const usualDelays: BankDelays = { settleMs: 2_000, changeMs: 3_000, lateNotificationMs: 10_000, holdMs: 60_000 };

export interface LaterChange {
  readonly status: ChangedStatus;
  readonly reason: Reason;
  readonly delay: 'settleMs' | 'changeMs';
  readonly notification: 'none' | 'once' | 'twice_and_late';
}

export interface Outcome {
  /** `lost`: the request vanishes before the bank takes it, and the book never hears of it. */
  readonly first: PayoutStatus | 'lost';
  readonly reason: Reason;
  readonly reply: 'status' | 'error_500' | 'never' | 'after_notification';
  readonly later?: LaterChange;
}

const settled = { status: 'executed', reason: '', delay: 'settleMs', notification: 'once' } as const;
const changed = { status: 'executed', reason: '', delay: 'changeMs', notification: 'once' } as const;
const pending = { first: 'pending', reason: '', reply: 'status' } as const;

const ordinary: Outcome = { first: 'executed', reason: '', reply: 'status' };

/** By the two digits after the point. Any other amount is executed at once. */
export const magicAmounts: Readonly<Record<string, Outcome>> = {
  '40': { ...pending, later: settled },
  '41': { ...pending, later: { ...settled, status: 'declined', reason: 'declined_by_bank' } },
  '42': { ...pending, later: { ...settled, notification: 'none' } },
  '44': { ...ordinary, reply: 'never' },
  '45': { first: 'lost', reason: '', reply: 'never' },
  '50': { ...ordinary, reply: 'error_500' },
  '51': { first: 'declined', reason: 'declined_by_bank', reply: 'status' },
  '52': { first: 'declined', reason: 'bad_recipient', reply: 'status' },
  '53': { first: 'declined', reason: 'limit', reply: 'status' },
  '60': { ...ordinary, later: { ...changed, status: 'reversed' } },
  '61': { first: 'declined', reason: 'declined_by_bank', reply: 'status', later: changed },
  '62': { ...ordinary, reply: 'after_notification' },
  '63': { ...pending, later: { ...settled, notification: 'twice_and_late' } },
};

/** The outcome for an amount of the form `10.00`. */
export function outcomeOf(amount: string): Outcome {
  return magicAmounts[amount.slice(-2)] ?? ordinary;
}
