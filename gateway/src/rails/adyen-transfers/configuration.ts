/**
 * The configuration, variables and validation of Adyen's Transfers API, which pays out to cards. The rail is on if
 * ADYEN_TRANSFERS_URL is set.
 */
import type { Secret } from '../../foundation/secret.ts';
import { hexKeys, matching } from '../../foundation/text/text-readers.ts';
import {
  given,
  httpsInProduction,
  httpUrl,
  ownInProduction,
  payoutsAtOnce,
  secret,
} from '../../foundation/variables.ts';
import type { ConfigurationPart } from '../kit/rail-definition.ts';

export const ADYEN_TRANSFERS = 'adyen-transfers';

export interface AdyenTransfersConfiguration {
  /** The address with its version, for example `https://balanceplatform-api-test.adyen.com/btl/v4`. */
  readonly url: string;
  /**
   * The address of balance accounts, for example `https://balanceplatform-api-test.adyen.com/bcl/v2`. If null, the gateway
   * does not read the balance.
   */
  readonly balancesUrl: string | null;
  /** The balance platform's key, not the key for payments. */
  readonly apiKey: Secret;
  /** `BA…`: the balance account from which payouts are paid. */
  readonly balanceAccount: string;
  /** Hexadecimal keys of the transfer webhook. During a key replacement, both the old and the new key. */
  readonly hmacKeys: readonly Secret[];
  /** The largest number of payouts in flight, per process. */
  readonly concurrency: number;
  /** True if the server is a simulator, so that no real money moves. */
  readonly simulated: boolean;
}

const VARIABLES = {
  ADYEN_TRANSFERS_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of Adyen’s transfers, with its version. In development use its simulator (http://127.0.0.1:4140/btl/v4). If unset, there are no payouts through Adyen.',
  },
  ADYEN_TRANSFERS_BALANCES_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of Adyen’s balance accounts, with its version; at its simulator http://127.0.0.1:4140/bcl/v2. If unset, the gateway does not read the prefunded balance.',
  },
  ADYEN_TRANSFERS_API_KEY: {
    ...secret,
    default: { development: 'adyen-transfers-api-key', production: null },
    meaning: 'The API key at Adyen’s balance platform. It differs from the key for payments.',
  },
  ADYEN_TRANSFERS_BALANCE_ACCOUNT: {
    ...matching(/^BA[A-Za-z0-9]{1,34}$/, 'BA and up to 34 letters or digits'),
    default: { development: 'BA00000000000000000000001', production: null },
    meaning: 'The balance account at Adyen that funds payouts.',
  },
  ADYEN_TRANSFERS_HMAC_KEYS: {
    ...hexKeys,
    default: { development: 'FEDCBA9876543210'.repeat(4), production: null },
    meaning:
      'The keys that authenticate Adyen’s webhooks about transfers. During a rotation, list both the old and the new key.',
  },
  ADYEN_TRANSFERS_CONCURRENCY: payoutsAtOnce('Adyen', 16),
} as const;

export const adyenTransfersConfiguration: ConfigurationPart<typeof VARIABLES, AdyenTransfersConfiguration> = {
  name: ADYEN_TRANSFERS,
  variables: VARIABLES,
  isOnWith: 'ADYEN_TRANSFERS_URL',
  needed: ['ADYEN_TRANSFERS_API_KEY', 'ADYEN_TRANSFERS_BALANCE_ACCOUNT', 'ADYEN_TRANSFERS_HMAC_KEYS'],
  isReached: true,
  rules: [
    httpsInProduction('ADYEN_TRANSFERS_URL', 'ADYEN_TRANSFERS_BALANCES_URL'),
    ownInProduction(VARIABLES, 'ADYEN_TRANSFERS_API_KEY', 'ADYEN_TRANSFERS_HMAC_KEYS'),
  ],
  configure: (values, { environment }) =>
    values.ADYEN_TRANSFERS_URL === null
      ? null
      : {
          url: values.ADYEN_TRANSFERS_URL,
          balancesUrl: values.ADYEN_TRANSFERS_BALANCES_URL,
          apiKey: given(values.ADYEN_TRANSFERS_API_KEY),
          balanceAccount: given(values.ADYEN_TRANSFERS_BALANCE_ACCOUNT),
          hmacKeys: given(values.ADYEN_TRANSFERS_HMAC_KEYS),
          concurrency: given(values.ADYEN_TRANSFERS_CONCURRENCY),
          simulated: environment === 'development',
        },
};
