/**
 * The test set-up of the rail: VoPay's simulator, a listener for its webhooks, both on a clock that the test moves, and
 * made-up orders.
 */
import { ManualClock } from '../../../../rail-simulators/src/manual-clock.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/vopay/gateway-variables.ts';
import { startVoPay } from '../../../../rail-simulators/src/vopay/server.ts';
import { testPayer } from '../../../test/support/form/test-payer.ts';
import {
  EDGE,
  openRailListener,
  openRailUnderTest,
  type RailListener,
  type RailUnderTest,
  sleepless,
} from '../../../test/support/rails/rail-under-test.ts';
import type { PaymentOrder, PaymentPayer, PaymentRail, RefundOrder } from '../../domain/payments/payment-rail.ts';
import type { PayoutLister } from '../../domain/payouts/payout-lister.ts';
import type { PayoutOrder, PayoutRail } from '../../domain/payouts/payout-rail.ts';
import type { FloatReader } from '../../domain/rails/float-reader.ts';
import { HOUR_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { createVoPayApi } from './api.ts';
import type { VoPayConfiguration } from './configuration.ts';
import { type ConfirmPayout, createConfirmPayout } from './confirm-payout.ts';
import { createVoPayFloatReader } from './float-reader.ts';
import { createVoPayNotifications } from './notifications.ts';
import { createVoPayPaymentRail } from './payment-rail.ts';
import { createVoPayPayoutLister } from './payout-lister.ts';
import { createVoPayPayoutRail } from './payout-rail.ts';

const ACCOUNT = { accountId: 'gateway', key: 'key-of-the-gateway', sharedSecret: 'shared-secret' };

interface VoPayConnection {
  readonly rail: PaymentRail;
  readonly payouts: PayoutRail;
  readonly lister: PayoutLister;
  readonly float: FloatReader;
  readonly confirmPayout: ConfirmPayout;
  /** The rails that reported refused credentials. */
  readonly refusedCredentials: readonly string[];
  close(): Promise<void>;
}

export interface VoPayUnderTest extends RailUnderTest, VoPayConnection {
  readonly listener: RailListener;
  /** Returns a new order of a new payer on each call: 100.50 CAD, payable for an hour. */
  order(change?: Partial<PaymentOrder>, payer?: Partial<PaymentPayer>): PaymentOrder;
  refundOf(payment: PaymentOrder, minor?: bigint): RefundOrder;
  /** Returns a new payout to a new recipient on each call: 100.00 CAD. */
  payout(change?: Partial<PayoutOrder>): PayoutOrder;
  connect(change?: Partial<VoPayConfiguration>): VoPayConnection;
}

export async function openVoPayUnderTest(): Promise<VoPayUnderTest> {
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 18));
  const { read } = createVoPayNotifications({ sharedSecret: new Secret(ACCOUNT.sharedSecret) }, (...about) =>
    own.confirmPayout(...about),
  );
  const listener = await openRailListener('vopay', read);
  const simulator = await startVoPay({ ...EDGE, ...ACCOUNT, webhookUrl: listener.url, clock });
  const connect = (change: Partial<VoPayConfiguration> = {}) =>
    connectTo(gatewayVariables(simulator.url).VOPAY_URL, clock, change);
  const own = connect();
  let orders = 0;
  return {
    ...own,
    ...openRailUnderTest(simulator, clock, listener),
    listener,
    order: (change = {}, payer = {}) => orderOf(++orders, clock.now(), change, payer),
    refundOf: (payment, minor = payment.money.minor) => ({
      payment,
      reference: `${++orders}-ReFu1234`,
      money: { currency: 'CAD', minor },
      startedAt: clock.now(),
    }),
    payout: (change = {}) => payoutOf(++orders, clock.now(), change),
    connect,
    async close() {
      await own.close();
      await simulator.close();
      await listener.close();
    },
  };
}

function connectTo(url: string, clock: ManualClock, change: Partial<VoPayConfiguration>): VoPayConnection {
  const configuration: VoPayConfiguration = {
    url,
    accountId: ACCOUNT.accountId,
    key: new Secret(ACCOUNT.key),
    sharedSecret: new Secret(ACCOUNT.sharedSecret),
    concurrency: 4,
    simulated: true,
    ...change,
  };
  const http = createProviderHttp({ baseUrl: configuration.url, connections: 4 });
  const refusedCredentials: string[] = [];
  const hooks = { onCredentialRefused: (name: string) => void refusedCredentials.push(name) };
  const passed = sleepless(clock);
  const api = createVoPayApi(configuration, { http, hooks, clock: passed });
  return {
    rail: createVoPayPaymentRail(configuration, api, passed),
    payouts: createVoPayPayoutRail(configuration, api, passed),
    lister: createVoPayPayoutLister(api),
    float: createVoPayFloatReader(api),
    confirmPayout: createConfirmPayout(api),
    refusedCredentials,
    close: () => http.close(),
  };
}

function orderOf(
  number: number,
  now: number,
  change: Partial<PaymentOrder>,
  payer: Partial<PaymentPayer>,
): PaymentOrder {
  return {
    reference: `${number}-AbCd1234`,
    providerReference: '',
    kept: '',
    money: { currency: 'CAD', minor: 10_050n },
    merchantName: 'Maple Shop',
    signedOrder: 'N17',
    payer: testPayer({
      firstName: 'Zoé',
      lastName: 'Tremblay',
      email: `payer${number}@example.com`,
      phone: '+15145550100',
      country: 'CA',
      address: '1 Main St',
      city: 'Montréal',
      postCode: 'H2X 1Y4',
      region: 'QC',
      ...payer,
    }),
    returnUrl: 'https://pay.example/payment/form/token/back?attempt=secret',
    expiresAt: now + HOUR_MS,
    startedAt: now,
    ...change,
  };
}

function payoutOf(number: number, now: number, change: Partial<PayoutOrder>): PayoutOrder {
  return {
    reference: `${number}-AbCd1234`,
    remittance: `M1/A${number}`,
    purpose: 'payout',
    method: 92,
    money: { currency: 'CAD', minor: 10_000n },
    beneficiary: {
      account: `recipient${number}@example.com`,
      full_name: 'Zoé <Tremblay>',
      customs_phone: '+14165550123',
      customs_email: `other${number}@example.com`,
    },
    sendUntil: now,
    delayed: false,
    ...change,
  };
}
