/** The port for balances, and for postings outside payouts and deposits. */
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { AccountName, Balances, Journal, LedgerLine } from './transfer.ts';

export type PostOutcome =
  | { readonly kind: 'posted'; readonly balances: Balances }
  /** A journal with this id was posted earlier. `same` is true if it moved the same money. */
  | { readonly kind: 'already_posted'; readonly same: boolean }
  | { readonly kind: 'insufficient_funds'; readonly balances: Balances };

export interface BalancesAt {
  readonly balances: ReadonlyMap<Currency, Balances>;
  /** Balances at or before this instant are final. `-Infinity` if no hour is closed yet. */
  readonly closedUntil: Instant;
}

export interface BalanceHistory {
  readonly points: readonly { readonly at: Instant; readonly balances: ReadonlyMap<Currency, Balances> }[];
  /** Later points are absent. Minus infinity if no hour is closed. */
  readonly closedUntil: Instant;
}

/** The balance of one account over all merchants, in minor units. */
export interface TrialLine {
  readonly currency: Currency;
  readonly account: AccountName;
  readonly balance: bigint;
}

export interface TrialBalance {
  /** The lines, ordered by currency and account. Accounts with a balance of zero are absent. */
  readonly lines: readonly TrialLine[];
  /** Balances at or before this instant are final. `-Infinity` if no hour is closed yet. */
  readonly closedUntil: Instant;
}

/** A journal with the payment to which it belongs. All three are null for a movement of funds by a user. */
export interface PostedJournal {
  readonly lines: readonly LedgerLine[];
  readonly payoutId: string | null;
  readonly orderId: string | null;
  readonly transactionId: number | null;
}

export interface LedgerStore {
  balances(merchantId: MerchantId, currency: Currency): Promise<Balances>;
  allBalances(merchantId: MerchantId): Promise<ReadonlyMap<Currency, Balances>>;
  /** Returns the balances from all postings before `at`. */
  balancesAt(merchantId: MerchantId, at: Instant): Promise<BalancesAt>;
  /** Returns the balances at each of these full hours that is closed. */
  balanceHistory(merchantId: MerchantId, points: readonly Instant[]): Promise<BalanceHistory>;
  /** Returns the balances of all merchants together, from all postings before `at`. */
  trialBalance(at: Instant): Promise<TrialBalance>;
  /** Returns undefined if the merchant has no such journal. */
  journal(merchantId: MerchantId, journalId: string): Promise<PostedJournal | undefined>;
  /** `plan` is pure and sees the balances under the merchant's lock. `note` is the recorded reason. */
  post(
    merchantId: MerchantId,
    currency: Currency,
    note: string,
    plan: (balances: Balances) => Journal,
  ): Promise<PostOutcome>;
}
