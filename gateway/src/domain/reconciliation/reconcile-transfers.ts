/**
 * Records transfers that no notification reported, from the rail's own list of a day, as if each had been notified. A recorded
 * transfer has no effect, so the command may run at any time, even concurrently.
 */
import type { Clock, Instant } from '../../foundation/clock.ts';
import { isSameMoney } from '../../foundation/money.ts';
import type { ProcessTransfer } from '../deposits/process-transfer.ts';
import { OF_NOTHING_OF_OURS, type ReportedDifference } from '../differences/difference.ts';
import type { DifferenceStore } from '../differences/difference-store.ts';
import type { TransferLister } from './transfer-lister.ts';

export interface TransferReconciliation {
  readonly rail: string;
  readonly day: string;
  readonly listed: number;
  /** The number of transfers that no notification had reported. */
  readonly found: number;
  /** The number of transfers that were recorded with a different amount. The operator decides which amount is correct. */
  readonly differing: number;
}

interface ReconcileTransfersParts {
  readonly lister: TransferLister;
  readonly processTransfer: ProcessTransfer;
  readonly differences: Pick<DifferenceStore, 'report'>;
  readonly clock: Clock;
  readonly onReconciled: (report: TransferReconciliation) => void;
}

/** The number of transfers processed concurrently, so that they share commits. */
const AT_ONCE = 64;

/** A day or an entry that cannot be read does not stop the others. The first error is thrown at the end. */
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
  const { lister, processTransfer, differences, clock, onReconciled } = parts;
  const { rail } = lister;
  const { transfers, unreadable } = await lister.transfersOf(day, signal);
  let found = 0;
  let differing = 0;
  for (let first = 0; first < transfers.length; first += AT_ONCE) {
    const some = transfers.slice(first, first + AT_ONCE);
    const processed = await Promise.all(some.map((transfer) => processTransfer(transfer, 'reconciliation')));
    found += processed.filter(({ kind }) => kind === 'recorded').length;
    differing += processed.filter(({ money }, index) => !some[index] || !isSameMoney(money, some[index].money)).length;
  }
  onReconciled({ rail, day, listed: transfers.length, found, differing });
  for (const subject of new Set(unreadable)) await differences.report(unreadableEntry(rail, subject, clock.now()));
  if (unreadable.length > 0) throw new ListUnreadable(`${rail} ${day}: ${unreadable.join(', ')}`);
}

function unreadableEntry(rail: string, subject: string, foundAt: Instant): ReportedDifference {
  return { ...OF_NOTHING_OF_OURS, foundAt, kind: 'transfer_unreadable', rail, subject, ours: '', theirs: subject };
}

/** Thrown for an entry of a rail's list that could not be processed. A user must investigate it. */
export class ListUnreadable extends Error {
  override readonly name = 'ListUnreadable';
}
