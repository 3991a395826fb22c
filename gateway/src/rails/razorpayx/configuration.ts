/** RazorpayX's configuration, variables and their validation. The rail is on if RAZORPAYX_URL is set. */
import { Secret } from '../../foundation/secret.ts';
import { listOf, matching } from '../../foundation/text/text-readers.ts';
import {
  given,
  httpsInProduction,
  httpUrl,
  ownInProduction,
  payoutsAtOnce,
  secret,
} from '../../foundation/variables.ts';
import type { ConfigurationPart } from '../kit/rail-definition.ts';

export const RAZORPAYX = 'razorpayx';

export interface RazorpayXConfiguration {
  /** The address with its version, `https://api.razorpay.com/v1`, even in test mode. The key decides whether money moves. */
  readonly url: string;
  readonly keyId: string;
  readonly keySecret: Secret;
  /** The account from which payouts are paid: a current account's number, or RazorpayX Lite's customer identifier. */
  readonly accountNumber: string;
  /** The purpose of our payouts: one of RazorpayX's, or one created in its dashboard. */
  readonly purpose: string;
  /**
   * A webhook may be signed with any of them. During a replacement, repeated webhooks still have the old secret's signature.
   */
  readonly webhookSecrets: readonly Secret[];
  /** The largest number of payouts in flight, per process. */
  readonly concurrency: number;
  /** True if the server is a simulator, so that no real money moves. */
  readonly simulated: boolean;
}

const TEST_KEY = 'rzp_test_';

const VARIABLES = {
  RAZORPAYX_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of RazorpayX, with its version. In development use its simulator (http://127.0.0.1:4120/v1). If unset, payouts by method 26 use another rail, or are unavailable.',
  },
  RAZORPAYX_KEY_ID: {
    ...matching(/^rzp_[A-Za-z0-9_]{1,60}$/, 'rzp_ and more characters'),
    default: { development: 'rzp_test_gateway', production: null },
    meaning:
      'The key id at RazorpayX. A key that begins with rzp_test_ does not move money, and production rejects it.',
  },
  RAZORPAYX_KEY_SECRET: {
    ...secret,
    default: { development: 'razorpayx-key-secret', production: null },
    meaning: 'The secret that belongs to RAZORPAYX_KEY_ID.',
  },
  RAZORPAYX_ACCOUNT_NUMBER: {
    ...matching(/^[A-Za-z0-9]{5,40}$/, '5 to 40 letters and digits'),
    default: { development: '7878780080316316', production: null },
    meaning: 'The account at RazorpayX that funds payouts; for RazorpayX Lite its customer identifier.',
  },
  RAZORPAYX_PURPOSE: {
    ...matching(/^[A-Za-z0-9 _-]{1,40}$/, 'up to 40 letters, digits, spaces, underscores and hyphens'),
    default: 'payout',
    meaning: 'The purpose of payouts: one of RazorpayX’s values, or one created in its dashboard.',
  },
  RAZORPAYX_WEBHOOK_SECRETS: {
    ...listOf((text) => (text === '' ? undefined : new Secret(text)), 'secrets without commas'),
    default: { development: 'razorpayx-webhook-secret', production: null },
    meaning:
      'The secrets that authenticate RazorpayX’s webhooks. During a rotation, list both the old and the new key.',
  },
  RAZORPAYX_CONCURRENCY: payoutsAtOnce('RazorpayX', 4),
} as const;

export const razorpayxConfiguration: ConfigurationPart<typeof VARIABLES, RazorpayXConfiguration> = {
  name: RAZORPAYX,
  variables: VARIABLES,
  isOnWith: 'RAZORPAYX_URL',
  needed: ['RAZORPAYX_KEY_ID', 'RAZORPAYX_KEY_SECRET', 'RAZORPAYX_ACCOUNT_NUMBER', 'RAZORPAYX_WEBHOOK_SECRETS'],
  isReached: true,
  rules: [
    httpsInProduction('RAZORPAYX_URL'),
    ownInProduction(VARIABLES, 'RAZORPAYX_KEY_SECRET', 'RAZORPAYX_WEBHOOK_SECRETS'),
    ({ RAZORPAYX_KEY_ID: keyId }, { environment }) =>
      environment === 'production' && keyId?.startsWith(TEST_KEY)
        ? `RAZORPAYX_KEY_ID must not begin with ${TEST_KEY} in production: such a key does not move money`
        : undefined,
  ],
  configure: (values, { environment }) =>
    values.RAZORPAYX_URL === null
      ? null
      : {
          url: values.RAZORPAYX_URL,
          keyId: given(values.RAZORPAYX_KEY_ID),
          keySecret: given(values.RAZORPAYX_KEY_SECRET),
          accountNumber: given(values.RAZORPAYX_ACCOUNT_NUMBER),
          purpose: given(values.RAZORPAYX_PURPOSE),
          webhookSecrets: given(values.RAZORPAYX_WEBHOOK_SECRETS),
          concurrency: given(values.RAZORPAYX_CONCURRENCY),
          simulated: environment === 'development',
        },
};
