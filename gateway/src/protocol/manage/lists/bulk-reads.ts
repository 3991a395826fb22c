/**
 * Counts the unmasked personal data that each caller reads. Paging through lists, or opening one payment after another, copies
 * data in bulk like an export, so the audit log also records it. Each process counts for itself.
 */
import { type Clock, HOUR_MS, type Instant } from '../../../foundation/clock.ts';

/** More records than this in an hour are treated as reading in bulk. */
export const BULK_RECORDS = 200;
/** The number of callers that a process counts. Beyond it, the process drops the oldest count. */
const MOST_CALLERS = 10_000;

interface Count {
  readonly since: Instant;
  records: number;
}

/** Returns true if the caller reads in bulk with these records. */
export type CountRead = (caller: string, records: number) => boolean;

export function createBulkReads(clock: Pick<Clock, 'now'>): CountRead {
  const counts = new Map<string, Count>();
  return (caller, records) => {
    const now = clock.now();
    const known = counts.get(caller);
    const count = known && now < known.since + HOUR_MS ? known : { since: now, records: 0 };
    count.records += records;
    if (count !== known) {
      counts.delete(caller);
      counts.set(caller, count);
    }
    const [oldest] = counts.keys();
    if (counts.size > MOST_CALLERS && oldest !== undefined) counts.delete(oldest);
    return count.records > BULK_RECORDS;
  };
}
