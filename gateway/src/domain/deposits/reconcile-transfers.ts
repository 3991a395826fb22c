/**
 * What no notification brought: the rail's own list of a day's transfers, each taken as if it had been told. A
 * transfer that is known already changes nothing, so this may run at any time, beside notifications and beside itself.
 */
import type { Clock, Instant } from '../../foundation/clock.ts';
import { isSameMoney } from '../../foundation/money.ts';
import { OF_NOTHING_OF_OURS, type ReportedDifference } from '../differences/difference.ts';
import type { DifferenceStore } from '../differences/difference-store.ts';
import type { IncomingTransfer } from './deposit.ts';
import type { TakeTransfer } from './take-transfer.ts';

/** A rail that can be asked what came in. */
export interface TransferLister {
  readonly rail: string;
  /** The days, as the rail counts them, on which something may still be missing at `now`. */
  daysToReconcile(now: number): readonly string[];
  /** What came in on that day. Rejects when the rail gives no whole answer. */
  transfersOf(day: string, signal: AbortSignal): Promise<DayList>;
}

export interface DayList {
  readonly transfers: readonly IncomingTransfer[];
  /** What is on the list and can't be read, each with the reason. */
  readonly unreadable: readonly string[];
}

export interface Reconciliation {
  readonly rail: string;
  readonly day: string;
  readonly listed: number;
  /** Those that no notification had brought. */
  readonly found: number;
  /** Those that were recorded with another amount than the list has. Which one is right, a person finds out. */
  readonly differing: number;
}

export interface ReconcileTransfersParts {
  readonly lister: TransferLister;
  readonly take: TakeTransfer;
  readonly differences: Pick<DifferenceStore, 'report'>;
  readonly clock: Clock;
  readonly onReconciled: (report: Reconciliation) => void;
}

/** Taken side by side, so that they share commits. */
const AT_ONCE = 64;

/** One day, or one entry, that can't be had keeps no other from being taken: what went wrong first is thrown at the end. */
export async function reconcileTransfers(parts: ReconcileTransfersParts, signal: AbortSignal): Promise<void> {
  const { lister, clock } = parts;
  const faults: unknown[] = [];
  for (const day of lister.daysToReconcile(clock.now())) {
    if (signal.aborted) break;
    await reconcileDay(parts, day, signal).catch((fault: unknown) => faults.push(fault));
  }
  if (faults.length > 0) throw faults[0];
}

async function reconcileDay(parts: ReconcileTransfersParts, day: string, signal: AbortSignal): Promise<void> {
  const { lister, take, differences, clock, onReconciled } = parts;
  const { rail } = lister;
  const { transfers, unreadable } = await lister.transfersOf(day, signal);
  let found = 0;
  let differing = 0;
  for (let first = 0; first < transfers.length; first += AT_ONCE) {
    const some = transfers.slice(first, first + AT_ONCE);
    const taken = await Promise.all(some.map((transfer) => take(transfer, 'reconciliation')));
    found += taken.filter(({ kind }) => kind === 'recorded').length;
    differing += taken.filter(({ money }, index) => !some[index] || !isSameMoney(money, some[index].money)).length;
  }
  onReconciled({ rail, day, listed: transfers.length, found, differing });
  for (const subject of new Set(unreadable)) await differences.report(unreadableEntry(rail, subject, clock.now()));
  if (unreadable.length > 0) throw new ListUnreadable(`${rail} ${day}: ${unreadable.join(', ')}`);
}

function unreadableEntry(rail: string, subject: string, foundAt: Instant): ReportedDifference {
  return { ...OF_NOTHING_OF_OURS, foundAt, kind: 'transfer_unreadable', rail, subject, ours: '', theirs: subject };
}

/** What is on a rail's list and was not taken: a person must look at it. */
export class ListUnreadable extends Error {
  override readonly name = 'ListUnreadable';
}
