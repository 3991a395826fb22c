/** What a rail must be able to do to carry payouts, and the vocabulary in which it answers. */
import type { Instant } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { Money } from '../../foundation/money.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { BlockedCode } from './payout.ts';

/** A payout as a rail sees it. Card numbers are revealed by the rail at the moment of writing, and nowhere else. */
export interface PayoutOrder {
  /** Made before the first call and used for every call about this payout on this rail. */
  readonly reference: string;
  /** `merchant/payout_id`: what the bank's statement shows. */
  readonly remittance: string;
  readonly method: number;
  readonly money: Money;
  /** The request's beneficiary fields by their wire names, `account` among them. */
  readonly beneficiary: Readonly<Record<string, string | Secret>>;
  /** Of the latest attempt: past it nothing is written to the bank. Every earlier attempt is proved not taken. */
  readonly sendUntil: Instant;
  /** Where a restore forgot what was written to the bank: since when it may have been. Absent: shortly before `sendUntil`. */
  readonly writtenFrom?: Instant;
  /** True when the merchant asked the sandbox to take its time (setting `sandbox_mode` = delayed). */
  readonly delayed: boolean;
}

/**
 * - `executed`, `declined`: the bank's final word.
 * - `reversed`: executed and undone since; the recipient has nothing.
 * - `pending`: the bank has it and will decide. `note`: what somebody has to know or do meanwhile.
 * - `not_taken`: it is proved that the bank did not take it (refused before acceptance, connection never made).
 * - `unknown`: anything else. A time-out is unknown, never failed.
 */
export type RailAnswer =
  | { readonly kind: 'executed' }
  | { readonly kind: 'declined'; readonly code: BlockedCode; readonly reason: string }
  | { readonly kind: 'reversed'; readonly reason: string }
  | { readonly kind: 'pending'; readonly note?: string }
  | { readonly kind: 'not_taken'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** `not_found` proves nothing until the sender's deadline and the bank's own delay have passed (`notFoundProofMs`). */
export type RailStatus = Exclude<RailAnswer, { kind: 'not_taken' }> | { readonly kind: 'not_found' };

/** The accounts that a rail can pay, where its methods take others too. */
export interface PayableAccounts {
  /** Completes "pays … only". */
  readonly what: string;
  /** `accountShown`: of a card its first six and last four digits. */
  include(accountShown: string): boolean;
}

export interface PayoutRail {
  readonly name: string;
  /** The methods that this rail carries. */
  readonly methods: ReadonlySet<number>;
  /** Those of its methods for which, without routes, every other rail comes first. */
  readonly fallbackFor?: ReadonlySet<number>;
  /** Absent: every account of its methods. */
  readonly accounts?: PayableAccounts;
  /** Beneficiary fields, optional on the wire, without which this rail can pay nobody: a payout that lacks one goes elsewhere. */
  readonly needs?: readonly string[];
  /** True for rails on which no real money moves: they serve merchants in test, and no real bank stands behind them. */
  readonly simulated: boolean;
  /** True when the bank also tells on its own account: its references are then kept in a directory. */
  readonly notifies: boolean;
  /** True where there is no list of a day to compare the ledger with: reconciliation then asks about each payout. */
  readonly isReconciledByAsking?: boolean;
  /** How long a call may take before it is given up and counts as unknown. */
  readonly timeoutMs: number;
  /** How long after the last possible write a `not_found` becomes proof that the bank never got the order. */
  readonly notFoundProofMs: number;
  /** How long to wait before asking again, by how often was asked; the last one repeats. */
  readonly askAfterMs: readonly [number, ...number[]];
  /** How long after its acceptance a payout may be pending. Past it the operator is to ask. Absent: DECIDES_WITHIN_MS. */
  readonly decidesWithinMs?: number;
  /** Payouts under way at this rail at once, per process. */
  readonly concurrency: number;
  /** Tells the bank once, and writes nothing past the deadline. Never throws: what it does not understand is `unknown`. */
  send(order: PayoutOrder, deadline: Deadline): Promise<RailAnswer>;
  /** Asks what became of the order, of whose account no more may be there than is shown of it, or nothing. Never throws. */
  ask(order: PayoutOrder, deadline: Deadline): Promise<RailStatus>;
}
