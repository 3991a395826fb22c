/** The task that closes the hours of the ledger. */
import { closeHours } from '../../../domain/ledger/close-hours.ts';
import { MINUTE_MS, SECOND_MS } from '../../../foundation/clock.ts';
import { readClockDifference } from '../../../storage/core/connection/clock-difference.ts';
import { STATEMENT_LIMIT_MS } from '../../../storage/core/database.ts';
import type { PeriodicTask } from '../../../worker/periodic-work.ts';
import type { GatewayCore } from '../gateway-core.ts';

/** The database may notice a time limit slightly late. */
const STATEMENT_MARGIN_MS = 5 * SECOND_MS;

export function ledgerTasks({ closings, clock, clockIsSteered, database }: GatewayCore): PeriodicTask[] {
  return [
    {
      name: 'close the hours of the ledger',
      everyMs: 5 * MINUTE_MS,
      run: (signal) =>
        closeHours(
          {
            store: closings,
            clock,
            clockDifference: async () => (clockIsSteered ? 0 : readClockDifference(database, clock)),
            statementLimitMs: STATEMENT_LIMIT_MS + STATEMENT_MARGIN_MS,
          },
          signal,
        ),
    },
  ];
}
