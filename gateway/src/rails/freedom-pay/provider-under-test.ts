/** Runs Freedom Pay's simulator as the provider of a gateway under test. */
import { noFaults } from '../../../../rail-simulators/src/freedom-pay/faults.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/freedom-pay/gateway-variables.ts';
import { startFreedomPay } from '../../../../rail-simulators/src/freedom-pay/server.ts';
import { freedomPay as simulator } from '../../../../rail-simulators/src/freedom-pay/simulator.ts';
import {
  byReference,
  type DelaysTo,
  EDGE,
  KILL_MS,
  type PayoutProviderRow,
  settingsOf,
} from '../../../test/support/rails/payout-provider-row.ts';

export const freedomPay: PayoutProviderRow<DelaysTo<typeof startFreedomPay>> = {
  simulator,
  address: 'FREEDOM_PAY_URL',
  gatewayVariables,
  start: (_, delays) => startFreedomPay({ ...settingsOf(simulator, {}), ...EDGE, delays }),
  usual: { ...noFaults, payouts: 'accept' },
  id: 'paymentId',
  name: 'orderId',
  named: byReference,
  paid: ({ kind }) => Number(kind === 'paid'),
  killDelays: {
    settleMs: KILL_MS.settleMs,
    notifyMs: KILL_MS.notifyMs,
    lateMs: KILL_MS.lateMs,
    holdMs: KILL_MS.holdMs,
  },
  quiet: { notifications: 'off' },
  drill: { method: 12, delays: { settleMs: 300, notifyMs: 30, lateMs: 500, holdMs: 30_000 } },
};
