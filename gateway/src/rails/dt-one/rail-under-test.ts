/**
 * The test set-up of the rail: DT One's simulator, a listener for its callbacks, both on a clock that the test moves,
 * and made-up orders.
 */
import { gatewayVariables } from '../../../../rail-simulators/src/dt-one/gateway-variables.ts';
import { startDtOne } from '../../../../rail-simulators/src/dt-one/server.ts';
import { ManualClock } from '../../../../rail-simulators/src/manual-clock.ts';
import {
  connectListedRail,
  EDGE,
  type ListedRailConnection,
  openRailListener,
  openRailUnderTest,
  type RailUnderTest,
} from '../../../test/support/rails/rail-under-test.ts';
import type { PayoutNews } from '../../domain/notifications/rail-notification.ts';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import type { Clock } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import type { DtOneConfiguration } from './configuration.ts';

const ACCOUNT = {
  apiKey: 'gateway',
  apiSecret: 'api-secret',
  callbackUsername: 'dt-one',
  callbackPassword: 'callback-password',
};

export type DtOneConnection = ListedRailConnection;

export interface DtOneUnderTest extends RailUnderTest<PayoutNews>, DtOneConnection {
  /** Returns a new order of 1000.25 KZT on each call. */
  order(change?: Partial<PayoutOrder>): PayoutOrder;
  connect(change?: Partial<DtOneConfiguration>): DtOneConnection;
}

export async function openDtOneUnderTest(): Promise<DtOneUnderTest> {
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 12));
  // Acknowledge a rejected callback, because the simulator would repeat it on a moving clock. Once is enough here.
  const read: DtOneConnection['notifications']['read'] = (notification) => own.notifications.read(notification);
  const listener = await openRailListener<PayoutNews>('dt-one', read, 200);
  const simulator = await startDtOne({ ...EDGE, ...ACCOUNT, clock });
  const connect = (change: Partial<DtOneConfiguration> = {}) =>
    connectDtOne(gatewayVariables(simulator.url).DT_ONE_URL, { callbackUrl: listener.url, ...change });
  const own = connect();
  let orders = 0;
  return {
    ...own,
    ...openRailUnderTest(simulator, clock, listener),
    order: (change = {}) => ({ ...testTengeOrder(`${++orders}-AbCd1234`), ...change }),
    connect,
    async close() {
      await own.close();
      await simulator.close();
      await listener.close();
    },
  };
}

export function connectDtOne(url: string, change: Partial<DtOneConfiguration> = {}, clock?: Clock): DtOneConnection {
  const dtOne: DtOneConfiguration = {
    url,
    apiKey: ACCOUNT.apiKey,
    apiSecret: new Secret(ACCOUNT.apiSecret),
    products: [
      { operatorId: '2001', productId: '9001' },
      { operatorId: '2002', productId: '9002' },
      { operatorId: '2003', productId: '9003' },
    ],
    callbackUrl: 'http://127.0.0.1:1/rail-notifications/dt-one',
    callbackUsername: ACCOUNT.callbackUsername,
    callbackPassword: new Secret(ACCOUNT.callbackPassword),
    concurrency: 4,
    simulated: true,
    ...change,
  };
  return connectListedRail({ dtOne }, clock);
}

export function testTengeOrder(reference: string): PayoutOrder {
  return {
    reference,
    remittance: 'M1/A17',
    purpose: 'payout',
    method: 24,
    money: { currency: 'KZT', minor: 100_025n },
    beneficiary: { account: '77011234567', full_name: 'Dana Akhmetova' },
    sendUntil: 0,
    delayed: false,
  };
}
