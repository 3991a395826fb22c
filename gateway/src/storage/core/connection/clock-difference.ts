/** Measures the difference between the database's clock and ours. All other code in storage takes its times from its callers. */
import type { Clock } from '../../../foundation/clock.ts';
import type { Queryable } from '../database.ts';

/** Returns the database's clock minus ours, in milliseconds. Our time is the middle of the round trip. */
export async function readClockDifference(database: Queryable, clock: Clock): Promise<number> {
  const before = clock.now();
  const [row] = await database.query<{ now: number }>('select clock_timestamp() as now');
  return Number(row?.now) - (before + clock.now()) / 2;
}
