/** Measures the fixed floor for a scenario that cannot alternate with it. */
import { FIXED_FLOOR } from '../floors/fixed-floor.ts';
import { openSqlFloor, sqlRow } from '../floors/sql-floor.ts';
import type { Bench, Row } from '../measure/bench.ts';
import { meanOf } from '../measure/statistics.ts';

/** The duration per concurrency. */
const SECONDS_EACH = 2;

interface BesideFloor<Result> {
  readonly result: Result;
  readonly floor: readonly Row[];
  /** The mean rate of the floor before and after the scenario. */
  readonly floorRate: number;
}

/** Measures the fixed floor before and after the work, because the speed of a machine drifts. */
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
