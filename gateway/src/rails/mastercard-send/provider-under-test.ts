/** Runs the simulator of Mastercard Send as the provider of a gateway under test. */
import { join } from 'node:path';
import { publicKeyFile } from '../../../../rail-simulators/src/kernel/credentials.ts';
import { noFaults } from '../../../../rail-simulators/src/mastercard-send/faults.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/mastercard-send/gateway-variables.ts';
import { startMastercardSend } from '../../../../rail-simulators/src/mastercard-send/server.ts';
import { mastercardSend as simulator } from '../../../../rail-simulators/src/mastercard-send/simulator.ts';
import {
  byReference,
  type DelaysTo,
  EDGE,
  KILL_MS,
  type PayoutProviderRow,
  settingsOf,
} from '../../../test/support/rails/payout-provider-row.ts';

export const mastercardSend: PayoutProviderRow<DelaysTo<typeof startMastercardSend>> = {
  simulator,
  address: 'MASTERCARD_SEND_URL',
  gatewayVariables,
  start({ folder }, delays) {
    const findPublicKey = publicKeyFile(join(folder, 'public-key.pem'));
    return startMastercardSend({ ...settingsOf(simulator, {}), ...EDGE, findPublicKey, delays });
  },
  variables: (folder) => ({ MASTERCARD_SEND_PRIVATE_KEY_FILE: join(folder, 'private-key.pem') }),
  usual: { ...noFaults, disbursements: 'approve' },
  id: 'id',
  name: 'reference',
  named: byReference,
  paid: ({ status }) => Number(status === 'APPROVED'),
  killDelays: { endMs: KILL_MS.stepMs, holdMs: KILL_MS.holdMs },
  drill: { method: 23, delays: { endMs: 400, holdMs: 30_000 } },
};
