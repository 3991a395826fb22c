/** The port of a rail that lists its incoming transfers. */
import type { IncomingTransfer } from '../deposits/deposit.ts';

/** A rail that lists its incoming transfers. */
export interface TransferLister {
  readonly rail: string;
  /** Returns the days, in the rail's calendar, on which transfers may still be missing at `now`. */
  daysToReconcile(now: number): readonly string[];
  /** Returns the complete list of that day. Rejects if the rail returns only a part. */
  transfersOf(day: string, signal: AbortSignal): Promise<DayList>;
}

export interface DayList {
  readonly transfers: readonly IncomingTransfer[];
  /** Why each unreadable entry could not be parsed. */
  readonly unreadable: readonly string[];
}
