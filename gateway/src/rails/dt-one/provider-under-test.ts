/** Runs DT One's simulator as the provider of a gateway under test. */
import { noFaults } from '../../../../rail-simulators/src/dt-one/faults.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/dt-one/gateway-variables.ts';
import { startDtOne } from '../../../../rail-simulators/src/dt-one/server.ts';
import { dtOne as simulator } from '../../../../rail-simulators/src/dt-one/simulator.ts';
import {
  byReference,
  type DelaysTo,
  EDGE,
  executions,
  KILL_MS,
  type PayoutProviderRow,
  settingsOf,
} from '../../../test/support/rails/payout-provider-row.ts';

export const dtOne: PayoutProviderRow<DelaysTo<typeof startDtOne>> = {
  simulator,
  address: 'DT_ONE_URL',
  gatewayVariables,
  start: (_, delays) => startDtOne({ ...settingsOf(simulator, {}), ...EDGE, delays }),
  usual: { ...noFaults, transactions: 'complete' },
  id: 'id',
  name: 'externalId',
  named: byReference,
  paid: executions,
  killDelays: { settleMs: KILL_MS.stepMs, reverseMs: KILL_MS.holdMs, lateMs: KILL_MS.lateMs, holdMs: KILL_MS.holdMs },
  drill: { method: 24, delays: { settleMs: 100, reverseMs: 60_000, lateMs: 300, holdMs: 30_000 } },
};
