/** Payouts to Visa cards through Visa Direct. */
import { join } from 'node:path';
import { gatewayVariables } from '../../../rail-simulators/src/visa-direct/gateway-variables.ts';
import { VISA_CARD } from '../payout-examples.ts';
import type { Provider } from './provider.ts';

export const visaDirect: Provider = {
  name: 'Visa Direct',
  kind: {
    name: 'Visa Direct simulator',
    program: 'visaDirect',
    server: 'visa-direct-simulator',
    probe: '/control/summary',
    // The URL of its control surface. Its API requires a certificate.
    variables: { url: 'VISA_DIRECT_URL', port: 'VISA_DIRECT_CONTROL_PORT', secret: 'VISA_DIRECT_CONTROL_SECRET' },
  },
  usualPort: '4151',
  otherPorts: { VISA_DIRECT_PORT: '4150' },
  controlSecret: 'visa-direct-control-secret',
  variables: ({ VISA_DIRECT_PORT }, folder) => ({
    ...gatewayVariables(`https://127.0.0.1:${VISA_DIRECT_PORT}`),
    VISA_DIRECT_CERTIFICATE_FILE: `${folder}/visa-direct/client-certificate.pem`,
    VISA_DIRECT_PRIVATE_KEY_FILE: `${folder}/visa-direct/client-key.pem`,
    VISA_DIRECT_CA_FILE: `${folder}/visa-direct/ca.pem`,
    VISA_DIRECT_KEY_ID: 'simulated-key-id',
    VISA_DIRECT_ENCRYPTION_FILE: `${folder}/visa-direct/encryption-key.pem`,
    VISA_DIRECT_DECRYPTION_KEY_FILE: `${folder}/visa-direct/decryption-key.pem`,
  }),
  environment: ({ visaDirect: known }, { dataDir }) => ({
    VISA_DIRECT_USER_ID: known?.userId ?? '',
    VISA_DIRECT_PASSWORD: known?.password.reveal() ?? '',
    VISA_DIRECT_ACQUIRING_BIN: known?.programme.acquiringBin ?? '',
    VISA_DIRECT_CERTIFICATES: join(dataDir, 'visa-direct'),
    VISA_DIRECT_ENCRYPTION: 'on',
    VISA_DIRECT_BOOK: join(dataDir, 'visa-direct.jsonl'),
  }),
  payouts: {
    examples: [
      {
        title: 'card EUR, a Visa card (22): paid immediately',
        method: 22,
        amount: '22.00',
        currency: 'EUR',
        fields: { account: VISA_CARD, full_name: 'Anna Nowak' },
      },
    ],
    cents: [
      ['.40', 'is pending first'],
      ['.44', 'is found by a query'],
    ],
  },
};
