/** The past of the ledger: the task that closes its hours, and the operations that read balances and volumes of any time. */

import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { closeHours } from '../../../domain/ledger/close-hours.ts';
import { MINUTE_MS, SECOND_MS } from '../../../foundation/clock.ts';
import { readClockDifference } from '../../../storage/core/clock-difference.ts';
import { STATEMENT_LIMIT_MS } from '../../../storage/core/database.ts';
import type { PeriodicTask } from '../../../worker/periodic-work.ts';
import type { GatewayCore } from '../open-core.ts';

/** The database may notice a limit a little late. */
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

/** Many more rows than a page shows. A narrower range shows the rest. */
const MOST_VOLUMES = 20_000;

export function ledgerOperations({ directory, ledger, volumes }: GatewayCore): GatewayOperations['ledger'] {
  return {
    async balancesAt(merchantId, at) {
      return (await directory.find(merchantId)) ? ledger.balancesAt(merchantId, at) : undefined;
    },
    async balanceHistory(merchantId, points) {
      return (await directory.find(merchantId)) ? ledger.balanceHistory(merchantId, points) : undefined;
    },
    trialBalance: ledger.trialBalance,
    journal: ledger.journal,
    async volumes(query) {
      return {
        closedUntil: await volumes.closedUntil(query.merchantId),
        volumes: await volumes.volumes(query, MOST_VOLUMES),
      };
    },
  };
}
