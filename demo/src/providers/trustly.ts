/** Bank transfers in a frame of the form, through Trustly. */
import { join } from 'node:path';
import { gatewayVariables } from '../../../rail-simulators/src/trustly/gateway-variables.ts';
import { CUSTOMER } from '../shop/offer.ts';
import type { Provider } from './provider.ts';

export const trustly: Provider = {
  name: 'Trustly',
  kind: {
    name: 'Trustly simulator',
    program: 'trustly',
    server: 'trustly-simulator',
    probe: '/control/summary',
    variables: { url: 'TRUSTLY_URL', port: 'TRUSTLY_PORT', secret: 'TRUSTLY_CONTROL_SECRET' },
  },
  usualPort: '4070',
  otherPorts: {},
  controlSecret: 'trustly-control-secret',
  variables: ({ TRUSTLY_PORT }, folder) => ({
    ...gatewayVariables(`http://127.0.0.1:${TRUSTLY_PORT}`),
    TRUSTLY_PRIVATE_KEY_FILE: `${folder}/trustly/private-key.pem`,
    TRUSTLY_PUBLIC_KEY_FILE: `${folder}/trustly/trustly-public-key.pem`,
  }),
  environment: ({ trustly: known }, { dataDir }) => ({
    TRUSTLY_USERNAME: known?.username ?? '',
    TRUSTLY_PASSWORD: known?.password.reveal() ?? '',
    TRUSTLY_CLIENT_PUBLIC_KEY: join(dataDir, 'trustly/public-key.pem'),
    TRUSTLY_OWN_KEY: join(dataDir, 'trustly/trustly-own-key.pem'),
    TRUSTLY_PUBLIC_KEY: join(dataDir, 'trustly/trustly-public-key.pem'),
    TRUSTLY_BOOK: join(dataDir, 'trustly.jsonl'),
  }),
  offer: {
    paymentType: 'bank_transfer_iframe',
    title: 'Bank transfer in a frame',
    item: 'Teapot',
    amount: '34.00',
    currency: 'EUR',
    fields: { ...CUSTOMER, country: 'FI' },
    todo: 'Press Continue, then choose a bank; any number and any code but 0000 log you in.',
    tries: [
      ['Nordbank', 'pays immediately'],
      ['Slow Bank', 'pays after ten seconds'],
      ['Empty Bank', 'agrees, and never pays'],
      ['Return Bank', 'pays, and takes it back later'],
    ],
  },
};
