/** Measures the fixed floor at the same time as a scenario that cannot take turns with it. */
import { FIXED_FLOOR } from '../floors/fixed-floor.ts';
import { openSqlFloor, sqlRow } from '../floors/sql-floor.ts';
import type { Bench, Row } from '../measure/bench.ts';
import { meanOf } from '../measure/statistics.ts';

/** One entry for each concurrency of the scenario. */
const SECONDS_EACH = 2;

interface BesideFloor<Result> {
  readonly result: Result;
  readonly floor: readonly Row[];
  /** The mean rate of the floor before and after the work. */
  readonly floorRate: number;
}

/** Measures the fixed floor before and after the work, because a machine drifts meanwhile. */
export async function besideFixedFloor<Result>(
  bench: Bench,
  work: () => Promise<Result>,
): Promise<BesideFloor<Result>> {
  const measure = async (when: string): Promise<Row> => {
    const what = `fixed floor, ${when}`;
    bench.onProgress(what);
    const floor = await openSqlFloor(bench.stage, FIXED_FLOOR);
    const run = await floor.findBest(SECONDS_EACH);
    await floor.close();
    return sqlRow(`${what}, ${run.connections} at once`, run);
  };
  const before = await measure('before');
  const result = await work();
  const floor = [before, await measure('after')];
  return { result, floor, floorRate: meanOf(floor.map(({ rate }) => rate)) };
}
