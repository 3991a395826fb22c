/** E-Transfers in Canada through VoPay: money requests to payers, and payouts. */
import { join } from 'node:path';
import { gatewayVariables } from '../../../rail-simulators/src/vopay/gateway-variables.ts';
import { CUSTOMER } from '../shop/offer.ts';
import type { Provider } from './provider.ts';

export const vopay: Provider = {
  name: 'VoPay',
  kind: {
    name: 'VoPay simulator',
    program: 'vopay',
    server: 'vopay-simulator',
    probe: '/control/summary',
    variables: { url: 'VOPAY_URL', port: 'VOPAY_PORT', secret: 'VOPAY_CONTROL_SECRET' },
  },
  usualPort: '4060',
  otherPorts: {},
  controlSecret: 'vopay-control-secret',
  variables: ({ VOPAY_PORT }) => gatewayVariables(`http://127.0.0.1:${VOPAY_PORT}`),
  environment: ({ vopay: known }, { gatewayUrl, dataDir }) => ({
    VOPAY_ACCOUNT_ID: known?.accountId ?? '',
    VOPAY_KEY: known?.key.reveal() ?? '',
    VOPAY_SHARED_SECRET: known?.sharedSecret.reveal() ?? '',
    VOPAY_WEBHOOK_URL: `${gatewayUrl}/rail-notifications/vopay`,
    VOPAY_BOOK: join(dataDir, 'vopay.jsonl'),
  }),
  offer: {
    paymentType: 'e_transfer',
    title: 'E-transfer',
    item: 'Maple syrup',
    amount: '18.40',
    currency: 'CAD',
    fields: {
      ...CUSTOMER,
      country: 'CA',
      address: '1 Main Street',
      city: 'Ottawa',
      post_code: 'K1A 0B1',
      region: 'ON',
    },
    todo: 'Press Continue, then accept the request among the payer’s messages.',
    tries: [
      ['Maple Bank', 'pays immediately'],
      ['Slow Credit Union', 'pays after a while'],
      ['Empty Bank', 'agrees, but has no money'],
      ['Decline', 'ends it'],
    ],
    bank: { name: 'the payer’s messages', path: `/inbox?email=${CUSTOMER.email}` },
  },
  payouts: {
    examples: [
      {
        title: 'e-transfer CAD (92): paid soon; cents .01 to .19 declined, .20 reversed, .50 pending',
        method: 92,
        amount: '92.00',
        currency: 'CAD',
        fields: {
          account: 'jo@example.com',
          full_name: 'Jo Do',
          customs_phone: '+14165550123',
          customs_email: 'jo@example.com',
        },
      },
    ],
  },
};
