/** Adyen's configuration, variables and their validation. The rail is on if ADYEN_URL is set. */
import { Secret } from '../../foundation/secret.ts';
import { listOf, matching } from '../../foundation/text-readers.ts';
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
  /** True if the server is a simulator. Merchants in test mode may then use this rail. */
  readonly simulated: boolean;
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
    ...listOf(
      (text) => (/^[0-9A-Fa-f]{64}$/.test(text) ? new Secret(text) : undefined),
      'keys of 64 hexadecimal digits',
    ),
    default: { development: '0123456789ABCDEF'.repeat(4), production: null },
    meaning: 'The keys that authenticate Adyen’s webhooks. During a rotation, list the old and the new one.',
  },
} as const;

export const adyenConfiguration: ConfigurationPart<typeof VARIABLES, AdyenConfiguration> = {
  name: ADYEN,
  variables: VARIABLES,
  isOnWith: 'ADYEN_URL',
  isReached: true,
  rules: [
    httpsInProduction('ADYEN_URL'),
    needs('ADYEN_URL', 'ADYEN_API_KEY', 'ADYEN_MERCHANT_ACCOUNT', 'ADYEN_HMAC_KEYS'),
    ownInProduction(VARIABLES, 'ADYEN_API_KEY', 'ADYEN_HMAC_KEYS'),
  ],
  configure: (values, { environment }) =>
    values.ADYEN_URL === null
      ? null
      : {
          url: values.ADYEN_URL,
          apiKey: given(values.ADYEN_API_KEY),
          merchantAccount: given(values.ADYEN_MERCHANT_ACCOUNT),
          hmacKeys: given(values.ADYEN_HMAC_KEYS),
          simulated: environment === 'development',
        },
};
