/**
 * The ledger's nouns. A transfer takes one amount out of one account and puts it into another, so debits equal credits
 * by construction; transfers that belong together (an amount and its fee) share a journal. A journal's id says what
 * happened and to what (`payout/A17/reserve`), and it is unique per merchant: the same thing can't be posted twice.
 */
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

/**
 * Every account exists per merchant and currency. A balance is credits less debits.
 * - `available`: the merchant's money, free to spend; never below zero.
 * - `reserved`: set aside for payouts under way; never below zero.
 * - `owed`: what the merchant owes us after a late execution or a chargeback; never above zero.
 * - `fees`: what we earned.
 * - `operator_funding`: money that the operator put in or took out by hand (and the sandbox's own money).
 * - `suspense`: money that nobody could be matched to yet.
 * - `clearing:<rail>`: what a rail has paid out or taken in for us.
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
  /** Minor units, above zero. */
  readonly amount: bigint;
}

export interface Journal {
  readonly merchantId: MerchantId;
  /** Says what was posted; unique per merchant for ever. */
  readonly journalId: string;
  readonly currency: Currency;
  readonly transfers: readonly Transfer[];
}

/** Minor units per account of one merchant and currency; an account that is absent stands at zero. */
export type Balances = Readonly<Partial<Record<AccountName, bigint>>>;

export function balanceOf(balances: Balances, account: AccountName): bigint {
  return balances[account] ?? 0n;
}

/** What the journal does to each account that it touches, in minor units (credits less debits). */
export function netChanges(transfers: readonly Transfer[]): Map<AccountName, bigint> {
  const changes = new Map<AccountName, bigint>();
  const add = (account: AccountName, amount: bigint) => changes.set(account, (changes.get(account) ?? 0n) + amount);
  for (const { debit, credit, amount } of transfers) {
    add(debit, -amount);
    add(credit, amount);
  }
  return changes;
}
