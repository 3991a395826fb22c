/** The port for balances, and for postings outside of payouts and deposits. */
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Balances, Journal } from './transfer.ts';

export type PostOutcome =
  | { readonly kind: 'posted'; readonly balances: Balances }
  /** A journal with that id was posted earlier. `same`: it moved the same money. */
  | { readonly kind: 'already_posted'; readonly same: boolean }
  | { readonly kind: 'insufficient_funds'; readonly balances: Balances };

export interface BalancesAt {
  readonly balances: ReadonlyMap<Currency, Balances>;
  /** Balances at or before this instant never change. Minus infinity: none. */
  readonly closedUntil: Instant;
}

export interface LedgerStore {
  balances(merchantId: MerchantId, currency: Currency): Promise<Balances>;
  allBalances(merchantId: MerchantId): Promise<ReadonlyMap<Currency, Balances>>;
  /** The balances that all postings before `at` make. */
  balancesAt(merchantId: MerchantId, at: Instant): Promise<BalancesAt>;
  /** `plan` is pure and sees the balances under the merchant's lock. `note` is the recorded reason. */
  post(
    merchantId: MerchantId,
    currency: Currency,
    note: string,
    plan: (balances: Balances) => Journal,
  ): Promise<PostOutcome>;
}
