/** The port of the lists that users and programs page through, newest first. A page reads a bounded number of rows. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Money } from '../../foundation/money.ts';
import type { Callback } from '../callbacks/callback.ts';
import type { Deposit, RecordedTransfer } from '../deposits/deposit.ts';
import type { LedgerLine } from '../ledger/transfer.ts';
import type { RecordedAttempt } from '../payments/attempts/payment-attempt.ts';
import type { Payout } from '../payouts/payout.ts';
import type { LoggedRequest } from '../requests/logged-request.ts';

/** The position of an item in its list: its time, and the rest of its key. */
export interface Place {
  readonly at: Instant;
  readonly key: readonly (string | number)[];
}

/** Null fields do not filter. */
export interface ListQuery {
  readonly merchantId: MerchantId | null;
  /** The inclusive start of the period. */
  readonly from: Instant | null;
  /** The exclusive end of the period. */
  readonly to: Instant | null;
  /** The page begins after this place. If null, it begins with the newest item. */
  readonly after: Place | null;
  readonly limit: number;
  /** The filters, by the names that the list accepts. Amounts are in minor units. */
  readonly filters: Readonly<Record<string, string | number | bigint>>;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The position of the next page. Null at the end of the list. A page without items can have a next page. */
  readonly next: Place | null;
}

/** A refund of the gateway with the payment that it returns. */
export interface ListedRefund {
  readonly payout: Payout;
  readonly orderId: string;
  readonly depositTransactionId: number;
  readonly attempt: number;
  readonly reason: string;
}

export interface ListedAttempt extends RecordedAttempt {
  readonly orderId: string;
  /** The amount of its deposit. */
  readonly money: Money;
}

export interface ListedTransfer extends RecordedTransfer {
  /** Null if its address belongs to no deposit. */
  readonly orderId: string | null;
}

export interface ListedLedgerLine extends LedgerLine {
  readonly merchantId: MerchantId;
  /** The line's number within the journal. */
  readonly line: number;
}

/** All lists by name, with the type of their items. */
export interface Lists {
  readonly payouts: Payout;
  readonly refunds: ListedRefund;
  readonly deposits: Deposit;
  readonly payments: ListedAttempt;
  readonly transfers: ListedTransfer;
  readonly callbacks: Callback;
  readonly requests: LoggedRequest;
  readonly ledger: ListedLedgerLine;
}
export type ListName = keyof Lists;

/** The parts of a position after its time. Undefined for a position in a different list. */
export const PLACE_PARTS: { readonly [Name in ListName]: readonly ('number' | 'small' | 'text')[] } = {
  payouts: ['number'],
  refunds: ['number'],
  deposits: ['number'],
  payments: ['number', 'small'],
  transfers: ['text', 'text', 'text'],
  callbacks: ['text', 'text'],
  requests: ['text', 'text'],
  ledger: ['text', 'small', 'text'],
};

export type ListStore = {
  readonly [Name in ListName]: (query: ListQuery) => Promise<ListPage<Lists[Name]>>;
};
