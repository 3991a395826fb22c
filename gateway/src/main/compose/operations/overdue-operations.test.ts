import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OverdueQuery } from '../../../domain/monitoring/overdue-store.ts';
import { createManualClock, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../foundation/clock.ts';
import type { GatewayCore } from '../gateway-core.ts';
import { createFindLatePayouts } from './overdue-operations.ts';

it('a payout is late after the 95th percentile of its rail, after a minute at the earliest, or else after its deadline', async () => {
  const queries: OverdueQuery[] = [];
  const core = {
    clock: createManualClock(HOUR_MS),
    rails: { paymentRails: [] },
    sendingRails: ['slow', 'fast', 'new'].map((name) => ({ name, decidesWithinMs: 9 * HOUR_MS })),
    overdue: {
      async payouts(query: OverdueQuery) {
        queries.push(query);
        return [{ deadline: HOUR_MS }, { deadline: HOUR_MS + 1 }];
      },
    },
  } as unknown as GatewayCore;
  const mostMs: Readonly<Record<string, number>> = { slow: 3 * HOUR_MS, fast: 2_000 };
  const find = createFindLatePayouts(core, { everUsed: async () => ['slow', 'fast', 'new', 'old'] }, async (_, rail) =>
    rail in mostMs ? { payments: 50, halfMs: 1, mostMs: mostMs[rail] ?? null } : null,
  );
  const found = await find('m', 10);
  assert.deepEqual(
    found.map(({ deadline }) => deadline),
    [HOUR_MS],
    'a payout with a broken seal is not late before its time',
  );
  const [query] = queries;
  assert.deepEqual([query?.merchantId, query?.limit], ['m', 10]);
  assert.deepEqual(
    query?.deadlines.map(({ rail, decidesWithinMs }) => [rail, decidesWithinMs]),
    [
      ['slow', 3 * HOUR_MS],
      ['fast', MINUTE_MS],
      ['new', 9 * HOUR_MS],
      ['old', DAY_MS],
    ],
  );
});
