/** Runs RazorpayX's simulator as the provider of a gateway under test. */
import { noFaults } from '../../../../rail-simulators/src/razorpayx/faults.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/razorpayx/gateway-variables.ts';
import { startRazorpayX } from '../../../../rail-simulators/src/razorpayx/server.ts';
import { razorpayx as simulator } from '../../../../rail-simulators/src/razorpayx/simulator.ts';
import {
  byReference,
  type DelaysTo,
  EDGE,
  executions,
  KILL_MS,
  type PayoutProviderRow,
  settingsOf,
} from '../../../test/support/rails/payout-provider-row.ts';

export const razorpayx: PayoutProviderRow<DelaysTo<typeof startRazorpayX>> = {
  simulator,
  address: 'RAZORPAYX_URL',
  gatewayVariables,
  start({ notifications }, delays) {
    const addresses = { RAZORPAYX_WEBHOOK_URL: `${notifications}/razorpayx` };
    return startRazorpayX({ ...settingsOf(simulator, addresses), ...EDGE, delays });
  },
  usual: { ...noFaults, payouts: 'process' },
  id: 'id',
  name: 'reference',
  named: byReference,
  paid: executions,
  killDelays: { settleMs: KILL_MS.settleMs, reverseMs: KILL_MS.holdMs, lateMs: KILL_MS.lateMs, holdMs: KILL_MS.holdMs },
  drill: { method: 26, delays: { settleMs: 150, reverseMs: 60_000, lateMs: 300, holdMs: 30_000 } },
};
