/** Payouts to mobile numbers in Kazakhstan through DT One. */
import { join } from 'node:path';
import { gatewayVariables } from '../../../rail-simulators/src/dt-one/gateway-variables.ts';
import type { Provider } from './provider.ts';

export const dtOne: Provider = {
  name: 'DT One',
  kind: {
    name: 'DT One simulator',
    program: 'dtOne',
    server: 'dt-one-simulator',
    probe: '/control/summary',
    variables: { url: 'DT_ONE_URL', port: 'DT_ONE_PORT', secret: 'DT_ONE_CONTROL_SECRET' },
  },
  usualPort: '4130',
  otherPorts: {},
  controlSecret: 'dt-one-control-secret',
  variables: ({ DT_ONE_PORT }) => gatewayVariables(`http://127.0.0.1:${DT_ONE_PORT}`),
  environment: ({ dtOne: known }, { dataDir }) => ({
    DT_ONE_API_KEY: known?.apiKey ?? '',
    DT_ONE_API_SECRET: known?.apiSecret.reveal() ?? '',
    DT_ONE_CALLBACK_USERNAME: known?.callbackUsername ?? '',
    DT_ONE_CALLBACK_PASSWORD: known?.callbackPassword.reveal() ?? '',
    DT_ONE_BOOK: join(dataDir, 'dt-one.jsonl'),
  }),
  payouts: {
    examples: [
      {
        title: 'mobile KZT (24): pending first, paid after some seconds; 77061234567 is declined',
        method: 24,
        amount: '500.00',
        currency: 'KZT',
        fields: { account: '77011234567', full_name: 'Dana Akhmetova' },
      },
    ],
    cents: [
      ['.42', 'is found by a query'],
      ['.60', 'is reversed later'],
    ],
  },
};
