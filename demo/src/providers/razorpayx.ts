/** Payouts to Indian bank accounts through RazorpayX. */
import { join } from 'node:path';
import { gatewayVariables } from '../../../rail-simulators/src/razorpayx/gateway-variables.ts';
import type { Provider } from './provider.ts';

export const razorpayx: Provider = {
  name: 'RazorpayX',
  kind: {
    name: 'RazorpayX simulator',
    program: 'razorpayx',
    server: 'razorpayx-simulator',
    probe: '/control/summary',
    variables: { url: 'RAZORPAYX_URL', port: 'RAZORPAYX_PORT', secret: 'RAZORPAYX_CONTROL_SECRET' },
  },
  usualPort: '4120',
  otherPorts: {},
  controlSecret: 'razorpayx-control-secret',
  variables: ({ RAZORPAYX_PORT }) => gatewayVariables(`http://127.0.0.1:${RAZORPAYX_PORT}`),
  environment: ({ razorpayx: known }, { gatewayUrl, dataDir }) => ({
    RAZORPAYX_KEY_ID: known?.keyId ?? '',
    RAZORPAYX_KEY_SECRET: known?.keySecret.reveal() ?? '',
    RAZORPAYX_ACCOUNT_NUMBER: known?.accountNumber ?? '',
    RAZORPAYX_WEBHOOK_SECRET: known?.webhookSecrets[0]?.reveal() ?? '',
    RAZORPAYX_WEBHOOK_URL: `${gatewayUrl}/rail-notifications/razorpayx`,
    RAZORPAYX_BOOK: join(dataDir, 'razorpayx.jsonl'),
  }),
  payouts: {
    examples: [
      {
        title: 'bank account INR (26): pending first, paid after some seconds',
        method: 26,
        amount: '260.00',
        currency: 'INR',
        fields: {
          account: '50100012345678',
          full_name: 'Ravi Kumar',
          customs_phone: '+919876543210',
          customs_email: 'r@example.com',
          customs_ifsc: 'HDFC0000001',
          customs_ip: '203.0.113.7',
        },
      },
    ],
    cents: [
      ['.42', 'is found by a query'],
      ['.60', 'is reversed later'],
    ],
  },
};
