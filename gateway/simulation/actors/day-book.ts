/** Indexes a bank's book by UTC day, so that the list of one day does not scan the entire book. */
import { type Instant, utcDayOf } from '../../src/foundation/clock.ts';

interface DayBook<Entry> {
  add(at: Instant, entry: Entry): void;
  /** Returns each entry of the day once, in the order in which it was added. */
  of(day: string): readonly Entry[];
}

export function createDayBook<Entry>(): DayBook<Entry> {
  const days = new Map<string, Set<Entry>>();
  return {
    add(at, entry) {
      const day = utcDayOf(at);
      days.set(day, (days.get(day) ?? new Set()).add(entry));
    },
    of: (day) => [...(days.get(day) ?? [])],
  };
}
