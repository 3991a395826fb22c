/** Adyen's configuration, variables and their validation. The rail is on if ADYEN_URL is set. */
import type { Secret } from '../../foundation/secret.ts';
import { hexKeys, matching } from '../../foundation/text/text-readers.ts';
import { given, httpsInProduction, httpUrl, needs, ownInProduction, secret } from '../../foundation/variables.ts';
import type { ConfigurationPart } from '../kit/rail-definition.ts';

export const ADYEN = 'adyen';

export interface AdyenConfiguration {
  /**
   * The address with its version, for example `https://checkout-test.adyen.com/v72`. The live address has the account's
   * own prefix. It must never change to another region, because Adyen's regions do not share idempotency keys.
   */
  readonly url: string;
  readonly apiKey: Secret;
  readonly merchantAccount: string;
  /** Hexadecimal keys of the standard webhook. During a key replacement, both the old and the new key. */
  readonly hmacKeys: readonly Secret[];
  /** The daily reports. If undefined, Adyen sends none, and the gateway compares no refunds with them. */
  readonly reports?: AdyenReports;
  /** The gateway's merchant id at Apple, and the country of the merchant account. If undefined, payers see no Apple Pay. */
  readonly applePay?: { readonly merchantId: string; readonly country: string };
  /** The gateway's merchant id at Google. If undefined, payers see no Google Pay. */
  readonly googlePay?: { readonly merchantId: string };
  /** True if the server is a simulator. Merchants in test mode may then use this rail. */
  readonly simulated: boolean;
}

/** The address of Adyen's daily reports, and its report user. */
export interface AdyenReports {
  readonly url: string;
  readonly user: string;
  readonly password: Secret;
}

const VARIABLES = {
  ADYEN_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of Adyen’s Checkout, with its version. In development use its simulator (http://127.0.0.1:4030/v72). If unset, there are no card payments.',
  },
  ADYEN_API_KEY: {
    ...secret,
    default: { development: 'adyen-api-key', production: null },
    meaning: 'The API key of this gateway at Adyen.',
  },
  ADYEN_MERCHANT_ACCOUNT: {
    ...matching(/^[A-Za-z0-9_-]{1,80}$/, '1 to 80 letters, digits, underscores or hyphens'),
    default: { development: 'GatewayECOM', production: null },
    meaning: 'The merchant account at Adyen that receives payments.',
  },
  ADYEN_HMAC_KEYS: {
    ...hexKeys,
    default: { development: '0123456789ABCDEF'.repeat(4), production: null },
    meaning: 'The keys that authenticate Adyen’s webhooks. During a rotation, list both the old and the new key.',
  },
  ADYEN_APPLE_PAY_MERCHANT_ID: {
    ...matching(/^[A-Za-z0-9._-]{1,255}$/, 'up to 255 letters, digits, dots, hyphens or underscores'),
    default: null,
    meaning:
      'The merchant identifier of Apple Pay in Adyen’s Customer Area, for the host of PUBLIC_URL. If unset, the form does not offer Apple Pay.',
  },
  ADYEN_APPLE_PAY_COUNTRY: {
    ...matching(/^[A-Z]{2}$/, 'two capital letters'),
    default: null,
    meaning: 'The country of the merchant account (ISO 3166-1), which Apple Pay requires.',
  },
  ADYEN_GOOGLE_PAY_MERCHANT_ID: {
    ...matching(/^[A-Za-z0-9]{1,40}$/, 'up to 40 letters or digits'),
    default: null,
    meaning:
      'The merchant id from Google’s Pay & Wallet Console, where the host of PUBLIC_URL is registered. If unset, the form does not offer Google Pay.',
  },
  ADYEN_REPORTS_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of Adyen’s Customer Area (https://ca-live.adyen.com), from which the gateway downloads the daily Payments accounting report to compare refunds. If unset, refunds at Adyen are not compared.',
  },
  ADYEN_REPORTS_USER: {
    ...matching(/^[\x21-\x7e]{1,200}$/, 'up to 200 characters without spaces'),
    default: { development: 'report@Company.Gateway', production: null },
    meaning: 'The report user at Adyen.',
  },
  ADYEN_REPORTS_PASSWORD: {
    ...secret,
    default: { development: 'adyen-reports-password', production: null },
    meaning: 'The secret that belongs to ADYEN_REPORTS_USER.',
  },
} as const;

export const adyenConfiguration: ConfigurationPart<typeof VARIABLES, AdyenConfiguration> = {
  name: ADYEN,
  variables: VARIABLES,
  isOnWith: 'ADYEN_URL',
  needed: ['ADYEN_API_KEY', 'ADYEN_MERCHANT_ACCOUNT', 'ADYEN_HMAC_KEYS'],
  isReached: true,
  rules: [
    httpsInProduction('ADYEN_URL', 'ADYEN_REPORTS_URL'),
    needs('ADYEN_APPLE_PAY_MERCHANT_ID', 'ADYEN_URL', 'ADYEN_APPLE_PAY_COUNTRY'),
    needs('ADYEN_GOOGLE_PAY_MERCHANT_ID', 'ADYEN_URL'),
    needs('ADYEN_REPORTS_URL', 'ADYEN_URL', 'ADYEN_REPORTS_USER', 'ADYEN_REPORTS_PASSWORD'),
    ownInProduction(VARIABLES, 'ADYEN_API_KEY', 'ADYEN_HMAC_KEYS', 'ADYEN_REPORTS_PASSWORD'),
  ],
  configure: (values, { environment }) =>
    values.ADYEN_URL === null
      ? null
      : {
          url: values.ADYEN_URL,
          apiKey: given(values.ADYEN_API_KEY),
          merchantAccount: given(values.ADYEN_MERCHANT_ACCOUNT),
          hmacKeys: given(values.ADYEN_HMAC_KEYS),
          ...(values.ADYEN_APPLE_PAY_MERCHANT_ID === null
            ? {}
            : {
                applePay: {
                  merchantId: values.ADYEN_APPLE_PAY_MERCHANT_ID,
                  country: given(values.ADYEN_APPLE_PAY_COUNTRY),
                },
              }),
          ...(values.ADYEN_GOOGLE_PAY_MERCHANT_ID === null
            ? {}
            : { googlePay: { merchantId: values.ADYEN_GOOGLE_PAY_MERCHANT_ID } }),
          ...(values.ADYEN_REPORTS_URL === null
            ? {}
            : {
                reports: {
                  url: values.ADYEN_REPORTS_URL,
                  user: given(values.ADYEN_REPORTS_USER),
                  password: given(values.ADYEN_REPORTS_PASSWORD),
                },
              }),
          simulated: environment === 'development',
        },
};
