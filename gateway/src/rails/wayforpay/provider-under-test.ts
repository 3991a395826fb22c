/** Runs WayForPay's simulator as the provider of a gateway under test. */
import { noFaults } from '../../../../rail-simulators/src/wayforpay/faults.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/wayforpay/gateway-variables.ts';
import { startWayForPay } from '../../../../rail-simulators/src/wayforpay/server.ts';
import { wayforpay as simulator } from '../../../../rail-simulators/src/wayforpay/simulator.ts';
import {
  byReference,
  type DelaysTo,
  EDGE,
  executions,
  KILL_MS,
  type PayoutProviderRow,
  settingsOf,
} from '../../../test/support/rails/payout-provider-row.ts';

export const wayforpay: PayoutProviderRow<DelaysTo<typeof startWayForPay>> = {
  simulator,
  address: 'WAYFORPAY_URL',
  gatewayVariables,
  start: (_, delays) => startWayForPay({ ...settingsOf(simulator, {}), ...EDGE, delays }),
  usual: { ...noFaults, payouts: 'approve' },
  id: 'reference',
  name: 'reference',
  named: byReference,
  paid: executions,
  killDelays: {
    notifyMs: KILL_MS.notifyMs,
    settleMs: KILL_MS.settleMs,
    returnMs: KILL_MS.holdMs,
    lateMs: KILL_MS.lateMs,
  },
  quiet: { callbacks: 'off' },
  drill: { method: 34, delays: { notifyMs: 200, settleMs: 400, returnMs: 60_000, lateMs: 700, holdMs: 30_000 } },
};
