/**
 * What no notification brought: the rail's own list of a day's transfers, each taken as if it had been told. A
 * transfer that is known already changes nothing, so this may run at any time, beside notifications and beside itself.
 */
import type { Clock } from '../../foundation/clock.ts';
import type { IncomingTransfer } from './deposit.ts';
import type { TakeTransfer } from './take-transfer.ts';

/** A rail that can be asked what came in. */
export interface TransferLister {
  readonly rail: string;
  /** The days, as the rail counts them, on which something may still be missing at `now`. */
  daysToReconcile(now: number): readonly string[];
  /** Every transfer that came in on that day. Rejects when the rail gives no whole answer: a part proves nothing. */
  transfersOf(day: string, signal: AbortSignal): Promise<readonly IncomingTransfer[]>;
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

/** Taken side by side, so that they share commits. */
const AT_ONCE = 64;

export async function reconcileTransfers(
  lister: TransferLister,
  take: TakeTransfer,
  clock: Clock,
  signal: AbortSignal,
): Promise<Reconciliation[]> {
  const reports: Reconciliation[] = [];
  for (const day of lister.daysToReconcile(clock.now())) {
    const transfers = await lister.transfersOf(day, signal);
    let found = 0;
    let differing = 0;
    for (let first = 0; first < transfers.length; first += AT_ONCE) {
      const some = transfers.slice(first, first + AT_ONCE);
      const taken = await Promise.all(some.map((transfer) => take(transfer, 'reconciliation')));
      found += taken.filter(({ kind }) => kind === 'recorded').length;
      differing += taken.filter(({ money }, index) => money.minor !== some[index]?.money.minor).length;
    }
    reports.push({ rail: lister.rail, day, listed: transfers.length, found, differing });
  }
  return reports;
}
