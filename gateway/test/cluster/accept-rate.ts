/** Measures how many payouts per second the gateway's store accepts on a database. */

import { openPayoutBench } from '../support/payouts/stored-payouts.ts';
import type { TestDatabase } from '../support/postgres/postgres.ts';

const MERCHANTS = 6;
const CLIENTS = 64;
const WARM_MS = 2_000;
const MEASURED_MS = 5_000;
const PLENTY = 10n ** 12n;

/** Uses 64 clients, each of which waits for its response. */
export async function measureAcceptRate(database: TestDatabase): Promise<number> {
  const bench = await openPayoutBench(database);
  const merchants = Array.from({ length: MERCHANTS }, (_, index) => `rate-${index}`);
  for (const merchant of merchants) await bench.fund(merchant, PLENTY);
  const startedAt = performance.now();
  let accepted = 0;
  const isOver = () => performance.now() > startedAt + WARM_MS + MEASURED_MS;
  const client = async (number: number) => {
    for (let count = 0; !isOver(); count++) {
      const merchant = merchants[(number + count) % MERCHANTS] ?? '';
      await bench.store.accept(await bench.newPayout(merchant, `p-${number}-${count}`, 10n));
      if (performance.now() > startedAt + WARM_MS) accepted += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  await bench.close();
  return accepted / (MEASURED_MS / 1_000);
}
