/**
 * The test set-up of the rail: RazorpayX's simulator, a listener for its webhooks, both on a clock that the test moves,
 * and made-up orders.
 */
import { ManualClock } from '../../../../rail-simulators/src/manual-clock.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/razorpayx/gateway-variables.ts';
import { startRazorpayX } from '../../../../rail-simulators/src/razorpayx/server.ts';
import {
  connectListedRail,
  EDGE,
  type ListedRailConnection,
  openRailListener,
  openRailUnderTest,
  type RailUnderTest,
} from '../../../test/support/rails/rail-under-test.ts';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { Secret } from '../../foundation/secret.ts';
import type { RazorpayXConfiguration } from './configuration.ts';

const ACCOUNT = {
  keyId: 'rzp_test_gateway',
  keySecret: 'key-secret',
  accountNumber: '7878780080316316',
  webhookSecret: 'webhook-secret',
};

export type RazorpayXConnection = ListedRailConnection;

export interface RazorpayXUnderTest extends RailUnderTest, RazorpayXConnection {
  /** Returns a new order on each call: 100.25 INR to a new account. */
  order(change?: Partial<PayoutOrder>): PayoutOrder;
  connect(change?: Partial<RazorpayXConfiguration>): RazorpayXConnection;
}

export async function openRazorpayXUnderTest(): Promise<RazorpayXUnderTest> {
  // Eleven o'clock in the morning in India.
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 5, 30));
  // The simulator repeats a rejected webhook on a moving clock. One delivery is enough here, so acknowledge it.
  const listener = await openRailListener('razorpayx', (notification) => own.notifications.read(notification), 200);
  const simulator = await startRazorpayX({ ...EDGE, ...ACCOUNT, webhookUrl: listener.url, clock });
  const connect = (change: Partial<RazorpayXConfiguration> = {}) =>
    connectRazorpayX(gatewayVariables(simulator.url).RAZORPAYX_URL, change);
  const own = connect();
  let orders = 0;
  return {
    ...own,
    ...openRailUnderTest(simulator, clock, listener),
    order: (change = {}) => ({ ...testRupeeOrder(`${++orders}-AbCd1234`), ...change }),
    connect,
    async close() {
      await own.close();
      await simulator.close();
      await listener.close();
    },
  };
}

export function connectRazorpayX(url: string, change: Partial<RazorpayXConfiguration> = {}): RazorpayXConnection {
  const razorpayx: RazorpayXConfiguration = {
    url,
    keyId: ACCOUNT.keyId,
    keySecret: new Secret(ACCOUNT.keySecret),
    accountNumber: ACCOUNT.accountNumber,
    purpose: 'payout',
    webhookSecrets: [new Secret(ACCOUNT.webhookSecret)],
    concurrency: 4,
    simulated: true,
    ...change,
  };
  return connectListedRail({ razorpayx });
}

export function testRupeeOrder(reference: string): PayoutOrder {
  return {
    reference,
    remittance: 'M1/A_17',
    purpose: 'payout',
    method: 26,
    money: { currency: 'INR', minor: 10_025n },
    beneficiary: {
      account: '50100012345678',
      full_name: 'Ravi Kumar',
      customs_phone: '+919876543210',
      customs_email: 'r@example.com',
      customs_ifsc: 'HDFC0000001',
      customs_ip: '203.0.113.7',
    },
    sendUntil: 0,
    delayed: false,
  };
}
