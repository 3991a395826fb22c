/** Payouts to Mastercard cards through Mastercard Send. */
import { join } from 'node:path';
import { gatewayVariables } from '../../../rail-simulators/src/mastercard-send/gateway-variables.ts';
import { MASTERCARD } from '../payout-examples.ts';
import type { Provider } from './provider.ts';

export const mastercardSend: Provider = {
  name: 'Mastercard Send',
  kind: {
    name: 'Mastercard Send simulator',
    program: 'mastercardSend',
    server: 'mastercard-send-simulator',
    probe: '/control/summary',
    variables: { url: 'MASTERCARD_SEND_URL', port: 'MASTERCARD_SEND_PORT', secret: 'MASTERCARD_SEND_CONTROL_SECRET' },
  },
  usualPort: '4160',
  otherPorts: {},
  controlSecret: 'mastercard-send-control-secret',
  variables: ({ MASTERCARD_SEND_PORT }, folder) => ({
    ...gatewayVariables(`http://127.0.0.1:${MASTERCARD_SEND_PORT}`),
    MASTERCARD_SEND_PRIVATE_KEY_FILE: `${folder}/mastercard-send/private-key.pem`,
  }),
  environment: ({ mastercardSend: known }, { dataDir }) => ({
    MASTERCARD_SEND_PARTNER_ID: known?.partnerId ?? '',
    MASTERCARD_SEND_CONSUMER_KEY: known?.consumerKey.reveal() ?? '',
    MASTERCARD_SEND_CLIENT_PUBLIC_KEY: join(dataDir, 'mastercard-send/public-key.pem'),
    MASTERCARD_SEND_BOOK: join(dataDir, 'mastercard-send.jsonl'),
  }),
  payouts: {
    examples: [
      {
        title: 'card EUR, a Mastercard (23): paid immediately',
        method: 23,
        amount: '23.00',
        currency: 'EUR',
        fields: { account: MASTERCARD, full_name: 'Jean Dubois' },
      },
    ],
    cents: [
      ['.40', 'is pending first'],
      ['.44', 'is found by a query'],
    ],
  },
};
