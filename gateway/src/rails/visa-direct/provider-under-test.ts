/** Runs the simulator of Visa Direct as the provider of a gateway under test. */
import { join } from 'node:path';
import { noFaults } from '../../../../rail-simulators/src/visa-direct/faults.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/visa-direct/gateway-variables.ts';
import { KEY_ID } from '../../../../rail-simulators/src/visa-direct/message-encryption.ts';
import { startVisaDirect } from '../../../../rail-simulators/src/visa-direct/server.ts';
import { visaDirect as simulator } from '../../../../rail-simulators/src/visa-direct/simulator.ts';
import {
  type DelaysTo,
  EDGE,
  KILL_MS,
  type PayoutProviderRow,
  settingsOf,
} from '../../../test/support/rails/payout-provider-row.ts';
import { identityOf } from './reference.ts';

export const visaDirect: PayoutProviderRow<DelaysTo<typeof startVisaDirect>> = {
  simulator,
  address: 'VISA_DIRECT_URL',
  gatewayVariables,
  start({ folder }, delays) {
    const settings = settingsOf(simulator, { VISA_DIRECT_CERTIFICATES: folder });
    return startVisaDirect({ ...settings, ...EDGE, controlPort: 0, delays });
  },
  variables: (folder) => ({
    VISA_DIRECT_CERTIFICATE_FILE: join(folder, 'client-certificate.pem'),
    VISA_DIRECT_PRIVATE_KEY_FILE: join(folder, 'client-key.pem'),
    VISA_DIRECT_CA_FILE: join(folder, 'ca.pem'),
    VISA_DIRECT_KEY_ID: KEY_ID,
    VISA_DIRECT_ENCRYPTION_FILE: join(folder, 'encryption-key.pem'),
    VISA_DIRECT_DECRYPTION_KEY_FILE: join(folder, 'decryption-key.pem'),
  }),
  usual: { ...noFaults, action_code: '00', encryption: 'required' },
  id: 'transactionIdentifier',
  name: 'senderReference',
  named: ({ reference }) => identityOf(reference).senderReference,
  paid: ({ status, actionCode }) => Number(status === 'completed' && actionCode === '00'),
  killDelays: { endMs: KILL_MS.unfinishedMs, holdMs: KILL_MS.holdMs },
  drill: { method: 22, delays: { endMs: 400, holdMs: 30_000 } },
};
