/** Runs VoPay's simulator as the provider of a gateway under test. */
import { noFaults } from '../../../../rail-simulators/src/vopay/faults.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/vopay/gateway-variables.ts';
import { startVoPay } from '../../../../rail-simulators/src/vopay/server.ts';
import { vopay as simulator } from '../../../../rail-simulators/src/vopay/simulator.ts';
import {
  type DelaysTo,
  EDGE,
  KILL_MS,
  type PayoutProviderRow,
  settingsOf,
} from '../../../test/support/rails/payout-provider-row.ts';

export const vopay: PayoutProviderRow<DelaysTo<typeof startVoPay>> = {
  simulator,
  address: 'VOPAY_URL',
  gatewayVariables,
  start({ notifications }, delays) {
    const addresses = { VOPAY_WEBHOOK_URL: `${notifications}/vopay` };
    return startVoPay({ ...settingsOf(simulator, addresses), ...EDGE, delays });
  },
  usual: noFaults,
  id: 'id',
  name: 'reference',
  // The same account has payments under the reference without a prefix.
  named: ({ reference }) => `P${reference}`,
  paid: ({ kind }) => Number(kind === 'credited'),
  killDelays: {
    sendMs: KILL_MS.stepMs,
    settleMs: KILL_MS.stepMs,
    lateMs: KILL_MS.lateMs,
    webhookPauseMs: 2_000,
    holdMs: KILL_MS.holdMs,
  },
  drill: { method: 92, delays: { sendMs: 50, settleMs: 300, returnMs: 60_000, lateMs: 400, holdMs: 30_000 } },
};
