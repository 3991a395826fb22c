/** Runs Epoint's simulator as the provider of a gateway under test. */
import { join } from 'node:path';
import { noFaults } from '../../../../rail-simulators/src/epoint/faults.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/epoint/gateway-variables.ts';
import { startEpoint } from '../../../../rail-simulators/src/epoint/server.ts';
import { epoint as simulator } from '../../../../rail-simulators/src/epoint/simulator.ts';
import { VISA_CARD } from '../../../test/support/payouts/payout-request.ts';
import {
  byReference,
  type DelaysTo,
  EDGE,
  KILL_MS,
  type PayoutProviderRow,
  settingsOf,
} from '../../../test/support/rails/payout-provider-row.ts';
import { registerCard } from '../../../test/support/rails/registered-card.ts';
import { Secret } from '../../foundation/secret.ts';

export const epoint: PayoutProviderRow<DelaysTo<typeof startEpoint>> = {
  simulator,
  address: 'EPOINT_URL',
  gatewayVariables,
  start({ notifications }, delays) {
    const addresses = { EPOINT_RESULT_URL: `${notifications}/epoint` };
    return startEpoint({ ...settingsOf(simulator, addresses), ...EDGE, delays });
  },
  variables: (folder) => ({ EPOINT_CARDS_FILE: join(folder, 'cards') }),
  prepare(url, folder, control) {
    const { publicKey, privateKey } = settingsOf(simulator, {});
    const account = { publicKey, privateKey: new Secret(privateKey) };
    return registerCard(VISA_CARD, { url, account, cardsFile: join(folder, 'cards') }, control);
  },
  usual: { ...noFaults, payouts: 'pay' },
  id: 'transaction',
  name: 'orderId',
  named: byReference,
  paid: ({ transaction, executions: count }) => (transaction === undefined ? 0 : Number(count)),
  killDelays: { notifyMs: KILL_MS.notifyMs, settleMs: KILL_MS.settleMs, returnMs: KILL_MS.holdMs },
  drill: { method: 11, delays: { notifyMs: 20, settleMs: 400, returnMs: 60_000, lateMs: 700, holdMs: 30_000 } },
};
