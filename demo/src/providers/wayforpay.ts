/** Payouts in hryvnias, to cards and accounts, through WayForPay. */
import { join } from 'node:path';
import { gatewayVariables } from '../../../rail-simulators/src/wayforpay/gateway-variables.ts';
import { MASTERCARD, VISA_CARD } from '../payout-examples.ts';
import type { Provider } from './provider.ts';

export const wayforpay: Provider = {
  name: 'WayForPay',
  kind: {
    name: 'WayForPay simulator',
    program: 'wayforpay',
    server: 'wayforpay-simulator',
    probe: '/control/summary',
    variables: { url: 'WAYFORPAY_URL', port: 'WAYFORPAY_PORT', secret: 'WAYFORPAY_CONTROL_SECRET' },
  },
  usualPort: '4080',
  otherPorts: {},
  controlSecret: 'wayforpay-control-secret',
  variables: ({ WAYFORPAY_PORT }) => gatewayVariables(`http://127.0.0.1:${WAYFORPAY_PORT}`),
  environment: ({ wayforpay: known }, { dataDir }) => ({
    WAYFORPAY_MERCHANT_ACCOUNT: known?.merchantAccount ?? '',
    WAYFORPAY_SECRET_KEY: known?.secretKey.reveal() ?? '',
    WAYFORPAY_BOOK: join(dataDir, 'wayforpay.jsonl'),
  }),
  payouts: {
    examples: [
      {
        title: 'card UAH (1): paid immediately',
        method: 1,
        amount: '120.00',
        currency: 'UAH',
        fields: { account: VISA_CARD },
      },
      {
        title: 'card UAH, the alternative (16): paid immediately',
        method: 16,
        amount: '160.00',
        currency: 'UAH',
        fields: { account: MASTERCARD, full_name: 'Oksana Melnyk' },
      },
      {
        title: 'IBAN UAH (34): paid immediately',
        method: 34,
        amount: '340.00',
        currency: 'UAH',
        fields: {
          account: 'UA213223130000026007233566001',
          full_name: 'Ivan P',
          customs_card: '5168742231234562',
          customs_inn: '3184710691',
        },
      },
    ],
    cents: [
      ['.41', 'declined later'],
      ['.60', 'paid, then returned'],
    ],
  },
};
