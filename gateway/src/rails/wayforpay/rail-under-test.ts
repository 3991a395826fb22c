/** The test set-up of the rail: WayForPay's simulator with the rail connected to it, and a listener for its callbacks. */
import { ManualClock } from '../../../../rail-simulators/src/manual-clock.ts';
import { startWayForPay } from '../../../../rail-simulators/src/wayforpay/server.ts';
import {
  connectListedRail,
  EDGE,
  type ListedRailConnection,
  openRailListener,
  openRailUnderTest,
  type RailUnderTest,
  sleepless,
} from '../../../test/support/rails/rail-under-test.ts';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { Secret } from '../../foundation/secret.ts';
import type { WayForPayConfiguration } from './configuration.ts';

const ACCOUNT = { merchantAccount: 'test_merch_n1', secretKey: 'flk3409refn54t54t*FNJRET' };

export type WayForPayConnection = ListedRailConnection;

export interface WayForPayUnderTest extends RailUnderTest, WayForPayConnection {
  /** Returns a new order on each call: 100.70 UAH to a card. */
  order(change?: Partial<PayoutOrder>): PayoutOrder;
  /** Returns a new order on each call: 100.70 UAH to an IBAN. */
  toIban(change?: Partial<PayoutOrder>): PayoutOrder;
  connect(change?: Partial<WayForPayConfiguration>): WayForPayConnection;
}

export async function openWayForPayUnderTest(): Promise<WayForPayUnderTest> {
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 18));
  const listener = await openRailListener('wayforpay', (notification) => own.notifications.read(notification));
  const simulator = await startWayForPay({ ...EDGE, ...ACCOUNT, clock });
  const connect = (change: Partial<WayForPayConfiguration> = {}): WayForPayConnection => {
    const { merchantAccount, secretKey } = ACCOUNT;
    const account = { merchantAccount, secretKey: new Secret(secretKey), serviceUrl: listener.url };
    return connectListedRail(
      { wayforpay: { ...account, url: simulator.url, concurrency: 4, simulated: true, ...change } },
      sleepless(clock),
    );
  };
  const own = connect();
  let orders = 0;
  const order = (change: Partial<PayoutOrder> = {}) => orderOf(++orders, change);
  return {
    ...own,
    ...openRailUnderTest(simulator, clock, listener),
    order,
    toIban: (change = {}) => order({ method: 34, beneficiary: IBAN_BENEFICIARY, ...change }),
    connect,
    async close() {
      await own.close();
      await simulator.close();
      await listener.close();
    },
  };
}

export const CARD = '4111111111111111';
const IBAN_BENEFICIARY = {
  account: 'UA213223130000026007233566001',
  full_name: 'Ivan P',
  customs_card: new Secret(CARD),
  customs_inn: '3184710691',
};

function orderOf(number: number, change: Partial<PayoutOrder>): PayoutOrder {
  return {
    reference: `${number}-AbCd1234`,
    remittance: `M1/A${number}`,
    purpose: 'payout',
    method: 1,
    money: { currency: 'UAH', minor: 10_070n },
    beneficiary: { account: new Secret(CARD), full_name: 'Ivan P' },
    sendUntil: 0,
    delayed: false,
    ...change,
  };
}
