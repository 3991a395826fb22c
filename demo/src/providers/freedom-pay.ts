/** Payouts to cards in tenge through Freedom Pay. */
import { join } from 'node:path';
import { gatewayVariables } from '../../../rail-simulators/src/freedom-pay/gateway-variables.ts';
import { VISA_CARD } from '../payout-examples.ts';
import type { Provider } from './provider.ts';

export const freedomPay: Provider = {
  name: 'Freedom Pay',
  kind: {
    name: 'Freedom Pay simulator',
    program: 'freedomPay',
    server: 'freedom-pay-simulator',
    probe: '/control/summary',
    variables: { url: 'FREEDOM_PAY_URL', port: 'FREEDOM_PAY_PORT', secret: 'FREEDOM_PAY_CONTROL_SECRET' },
  },
  usualPort: '4100',
  otherPorts: {},
  controlSecret: 'freedom-pay-control-secret',
  variables: ({ FREEDOM_PAY_PORT }) => gatewayVariables(`http://127.0.0.1:${FREEDOM_PAY_PORT}`),
  environment: ({ freedomPay: known }, { dataDir }) => ({
    FREEDOM_PAY_MERCHANT_ID: known?.merchantId ?? '',
    FREEDOM_PAY_PAYOUT_SECRET: known?.payoutSecret.reveal() ?? '',
    FREEDOM_PAY_BOOK: join(dataDir, 'freedom-pay.jsonl'),
  }),
  payouts: {
    examples: [
      {
        title: 'card KZT (12): paid; 5325349472901311 is declined, 5507841999732294 is pending for 2 s',
        method: 12,
        amount: '1200.00',
        currency: 'KZT',
        fields: { account: VISA_CARD, full_name: 'Aigul Saparova' },
      },
    ],
    cents: [
      ['.40', 'is pending first'],
      ['.44', 'is found by a query'],
    ],
  },
};
