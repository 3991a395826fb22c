/** Runs the simulator of Adyen's Transfers API as the provider of a gateway under test. */
import { noFaults } from '../../../../rail-simulators/src/adyen-transfers/faults.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/adyen-transfers/gateway-variables.ts';
import { startAdyenTransfers } from '../../../../rail-simulators/src/adyen-transfers/server.ts';
import { adyenTransfers as simulator } from '../../../../rail-simulators/src/adyen-transfers/simulator.ts';
import {
  byReference,
  type DelaysTo,
  EDGE,
  KILL_MS,
  type PayoutProviderRow,
  settingsOf,
} from '../../../test/support/rails/payout-provider-row.ts';

export const adyenTransfers: PayoutProviderRow<DelaysTo<typeof startAdyenTransfers>> = {
  simulator,
  address: 'ADYEN_TRANSFERS_URL',
  gatewayVariables,
  start({ notifications }, delays) {
    const addresses = { ADYEN_TRANSFERS_WEBHOOK_URL: `${notifications}/adyen-transfers` };
    return startAdyenTransfers({ ...settingsOf(simulator, addresses), ...EDGE, delays });
  },
  usual: { ...noFaults, transfers: 'book' },
  id: 'id',
  name: 'reference',
  named: byReference,
  paid: ({ status }) => Number(status === 'booked'),
  killDelays: { stepMs: KILL_MS.settleMs, returnMs: KILL_MS.settleMs, lateMs: KILL_MS.lateMs, holdMs: KILL_MS.holdMs },
  drill: { method: 8, delays: { stepMs: 150, returnMs: 60_000, lateMs: 300, holdMs: 30_000 } },
};
