/** The operations that read balances and volumes of any time. */
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { GatewayCore } from '../gateway-core.ts';

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
