/** The test set-up of the rail: made-up orders and cards, and the rail on an accelerated clock. */
import { gatewayVariables } from '../../../../rail-simulators/src/adyen/gateway-variables.ts';
import type { PaymentCard, PaymentOrder, PaymentPayer, PaymentRail } from '../../domain/payments/payment-rail.ts';
import { type Clock, systemClock } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import type { AdyenConfiguration } from './configuration.ts';
import { ADYEN_CONCURRENCY, createAdyenPaymentRail } from './payment-rail.ts';

export const ADYEN_CLIENT = {
  merchantAccount: 'GatewayECOM',
  apiKey: 'the api key of the tests',
  hmacKey: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
} as const;

export const RETURN_URL = 'http://127.0.0.1:8080/payment/form/token/return?attempt=secret';

/** Twenty times faster than real time, so that a busy machine still responds within one attempt of a request. */
export const fastClock: Clock = {
  now: () => systemClock.now() * 20,
  sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
};

const PAYER: PaymentPayer = {
  userId: 'u1',
  firstName: 'Olena',
  lastName: 'Shevchenko',
  email: 'olena@example.com',
  phone: '+380501234567',
  country: 'UA',
  address: 'Khreshchatyk 22a',
  city: 'Kyiv',
  postCode: '01001',
  region: '',
  cpf: '',
  bankId: '',
  language: 'uk',
  ip: '203.0.113.7',
  browser: {
    userAgent: 'Mozilla/5.0',
    acceptHeader: 'text/html',
    screenWidth: 390,
    screenHeight: 844,
    colorDepth: 24,
    timeZoneOffset: -120,
    timeZone: 'Europe/Kyiv',
    hasJavaScript: true,
  },
};

let orders = 0;

/** Returns a new order of 10.50 EUR on each call. */
export function adyenOrder(change: Partial<PaymentOrder> = {}, payer: Partial<PaymentPayer> = {}): PaymentOrder {
  return {
    reference: `${++orders}-AbCd1234`,
    providerReference: '',
    kept: '',
    money: { currency: 'EUR', minor: 1_050n },
    merchantName: 'Крамниця Olena’s Shop',
    signedOrder: 'N17',
    payer: { ...PAYER, ...payer },
    returnUrl: RETURN_URL,
    expiresAt: 900_000,
    startedAt: 0,
    ...change,
  };
}

export function withoutJavaScript(): Partial<PaymentPayer> {
  return {
    browser: {
      ...PAYER.browser,
      screenWidth: 0,
      screenHeight: 0,
      colorDepth: 0,
      timeZoneOffset: 0,
      timeZone: '',
      hasJavaScript: false,
    },
  };
}

export function paymentCard(number: string): PaymentCard {
  return {
    number: new Secret(number),
    cvv: new Secret('737'),
    expiry: new Secret('03/30'),
    holder: 'Olena Shevchenko',
  };
}

export interface AdyenConnection {
  readonly rail: PaymentRail;
  readonly configuration: AdyenConfiguration;
  /** The rails that reported refused credentials. */
  readonly refusedCredentials: readonly string[];
  close(): Promise<void>;
}

export function connectToAdyen(url: string, change: Partial<AdyenConfiguration> = {}): AdyenConnection {
  const configuration: AdyenConfiguration = {
    url: gatewayVariables(url).ADYEN_URL,
    apiKey: new Secret(ADYEN_CLIENT.apiKey),
    merchantAccount: ADYEN_CLIENT.merchantAccount,
    hmacKeys: [new Secret(ADYEN_CLIENT.hmacKey)],
    simulated: true,
    ...change,
  };
  const refusedCredentials: string[] = [];
  const http = createProviderHttp({ baseUrl: configuration.url, connections: ADYEN_CONCURRENCY });
  const hooks = { onCredentialRefused: (rail: string) => refusedCredentials.push(rail) };
  const rail = createAdyenPaymentRail(configuration, { http, hooks, clock: fastClock });
  return { rail, configuration, refusedCredentials, close: () => http.close() };
}
