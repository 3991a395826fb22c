/** VoPay's configuration, variables and their validation. The rail is on if VOPAY_URL is set. */
import type { Secret } from '../../foundation/secret.ts';
import { matching } from '../../foundation/text/text-readers.ts';
import {
  given,
  httpsInProduction,
  httpUrl,
  ownInProduction,
  payoutsAtOnce,
  secret,
} from '../../foundation/variables.ts';
import type { ConfigurationPart } from '../kit/rail-definition.ts';

export const VOPAY = 'vopay';

export interface VoPayConfiguration {
  /**
   * The address up to the version: `https://earthnode.vopay.com/api/v2`, for tests
   * `https://earthnode-dev.vopay.com/api/v2`.
   */
  readonly url: string;
  readonly accountId: string;
  /** The key is sent with every request. */
  readonly key: Secret;
  /** The secret is never sent. It signs requests and authenticates webhooks. */
  readonly sharedSecret: Secret;
  /** The largest number of payouts in flight, per process. */
  readonly concurrency: number;
  /** True if the server is a simulator, so that no real money moves. */
  readonly simulated: boolean;
}

const VARIABLES = {
  VOPAY_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of VoPay, with its version. In development use its simulator (http://127.0.0.1:4060/api/v2). If unset, there are no e-transfers.',
  },
  VOPAY_ACCOUNT_ID: {
    ...matching(/^[\x21-\x7e]{1,64}$/, 'up to 64 characters without spaces'),
    default: { development: 'gateway', production: null },
    meaning: 'The account at VoPay for money requests and payouts.',
  },
  VOPAY_KEY: {
    ...secret,
    default: { development: 'vopay-key', production: null },
    meaning: 'The API key at VoPay, sent with every request.',
  },
  VOPAY_SHARED_SECRET: {
    ...secret,
    default: { development: 'vopay-shared-secret', production: null },
    meaning: 'The secret that signs requests to VoPay and authenticates its webhooks.',
  },
  VOPAY_PAYOUT_CONCURRENCY: payoutsAtOnce('VoPay', 8),
} as const;

export const vopayConfiguration: ConfigurationPart<typeof VARIABLES, VoPayConfiguration> = {
  name: VOPAY,
  variables: VARIABLES,
  isOnWith: 'VOPAY_URL',
  needed: ['VOPAY_ACCOUNT_ID', 'VOPAY_KEY', 'VOPAY_SHARED_SECRET'],
  isReached: true,
  rules: [httpsInProduction('VOPAY_URL'), ownInProduction(VARIABLES, 'VOPAY_KEY', 'VOPAY_SHARED_SECRET')],
  configure: (values, { environment }) =>
    values.VOPAY_URL === null
      ? null
      : {
          url: values.VOPAY_URL,
          accountId: given(values.VOPAY_ACCOUNT_ID),
          key: given(values.VOPAY_KEY),
          sharedSecret: given(values.VOPAY_SHARED_SECRET),
          concurrency: given(values.VOPAY_PAYOUT_CONCURRENCY),
          simulated: environment === 'development',
        },
};
