/**
 * The types of the ledger. A transfer debits one account and credits another by the same amount, so debits always equal
 * credits. Transfers that belong together (an amount and its fee) share a journal. A journal's id names the event and its
 * object (`payout/A17/reserve`). It is unique per merchant, so that nothing is posted twice.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

/**
 * Every account exists per merchant and currency. A balance is credits minus debits.
 * - `available`: the merchant's spendable money; never below zero.
 * - `reserved`: set aside for pending payouts; never below zero.
 * - `owed`: the merchant's debt after a late execution or a chargeback; never above zero.
 * - `fees`: our earnings.
 * - `operator_funding`: money that the operator added or removed by hand, and the sandbox's created money.
 * - `suspense`: unmatched money.
 * - `clearing:<rail>`: the money that a rail paid out or took in for us.
 */
export type AccountName =
  | 'available'
  | 'reserved'
  | 'owed'
  | 'fees'
  | 'operator_funding'
  | 'suspense'
  | `clearing:${string}`;

export type TransferKind =
  | 'funding'
  | 'withdrawal'
  | 'reserve'
  | 'reserve_fee'
  | 'release'
  | 'release_fee'
  | 'payout'
  | 'payout_fee'
  | 'reversal'
  | 'late_execution'
  | 'owed'
  | 'owed_repaid'
  | 'deposit'
  | 'deposit_fee'
  | 'held'
  | 'held_credited'
  | 'displaced'
  | 'fee_returned'
  | 'given_up'
  | 'taken_back'
  | 'given_again';

export interface Transfer {
  readonly kind: TransferKind;
  readonly debit: AccountName;
  readonly credit: AccountName;
  /** The amount in minor units, above zero. */
  readonly amount: bigint;
}

/** A transfer with the facts of its journal. */
export interface PostedTransfer extends Transfer {
  readonly merchantId: MerchantId;
  readonly currency: Currency;
}

/** A transfer as the ledger stores it. */
export interface LedgerLine extends Transfer {
  readonly journalId: string;
  readonly currency: Currency;
  /** The operator's reason, if a user posted it. */
  readonly note: string | null;
  readonly postedAt: Instant;
}

export interface Journal {
  readonly merchantId: MerchantId;
  /** Names the event. It stays unique per merchant indefinitely. */
  readonly journalId: string;
  readonly currency: Currency;
  readonly transfers: readonly Transfer[];
}

/** Minor units per account of one merchant and currency. An absent account has a balance of zero. */
export type Balances = Readonly<Partial<Record<AccountName, bigint>>>;

export function balanceOf(balances: Balances, account: AccountName): bigint {
  return balances[account] ?? 0n;
}

/** Returns the change of each account in the journal, in minor units (credits minus debits). */
export function netChanges(transfers: readonly Transfer[]): Map<AccountName, bigint> {
  const changes = new Map<AccountName, bigint>();
  const add = (account: AccountName, amount: bigint) => changes.set(account, (changes.get(account) ?? 0n) + amount);
  for (const { debit, credit, amount } of transfers) {
    add(debit, -amount);
    add(credit, amount);
  }
  return changes;
}
