/** Freedom Pay's configuration, variables and their validation. The rail is on if FREEDOM_PAY_URL is set. */
import type { Secret } from '../../foundation/secret.ts';
import { matching } from '../../foundation/text/text-readers.ts';
import {
  given,
  httpsInProduction,
  httpUrl,
  needsOwnAddress,
  ownInProduction,
  payoutsAtOnce,
  secret,
} from '../../foundation/variables.ts';
import type { ConfigurationPart } from '../kit/rail-definition.ts';

export const FREEDOM_PAY = 'freedom-pay';

export interface FreedomPayConfiguration {
  /** `https://api.freedompay.kz`, for tests `https://test-api.freedompay.kz`. */
  readonly url: string;
  /** Our number at Freedom Pay. */
  readonly merchantId: string;
  /** Signs payouts, queries about them, and Freedom Pay's messages about them. It differs from the secret of payments. */
  readonly payoutSecret: Secret;
  /** The address of Freedom Pay's callbacks about payouts. The signature covers its last segment. */
  readonly notificationUrl: string;
  /** The largest number of payouts in flight, per process. */
  readonly concurrency: number;
  /** True if the server is a simulator, so that no real money moves. */
  readonly simulated: boolean;
}

const VARIABLES = {
  FREEDOM_PAY_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of Freedom Pay. In development use its simulator (http://127.0.0.1:4100). If unset, there are no payouts to cards in tenge through it.',
  },
  FREEDOM_PAY_MERCHANT_ID: {
    ...matching(/^\d{1,20}$/, 'up to 20 digits'),
    default: { development: '500001', production: null },
    meaning: 'The merchant number of this gateway at Freedom Pay.',
  },
  FREEDOM_PAY_PAYOUT_SECRET: {
    ...secret,
    default: { development: 'freedom-pay-payout-secret', production: null },
    meaning: 'The secret key for payouts, not the key for payments. It signs requests and authenticates notifications.',
  },
  FREEDOM_PAY_CONCURRENCY: payoutsAtOnce('Freedom Pay', 4),
} as const;

export const freedomPayConfiguration: ConfigurationPart<typeof VARIABLES, FreedomPayConfiguration> = {
  name: FREEDOM_PAY,
  variables: VARIABLES,
  isOnWith: 'FREEDOM_PAY_URL',
  needed: ['FREEDOM_PAY_MERCHANT_ID', 'FREEDOM_PAY_PAYOUT_SECRET'],
  isReached: true,
  rules: [
    httpsInProduction('FREEDOM_PAY_URL'),
    needsOwnAddress('FREEDOM_PAY_URL'),
    ownInProduction(VARIABLES, 'FREEDOM_PAY_PAYOUT_SECRET'),
  ],
  configure: (values, { environment, notificationsUrl }) =>
    values.FREEDOM_PAY_URL === null
      ? null
      : {
          url: values.FREEDOM_PAY_URL,
          merchantId: given(values.FREEDOM_PAY_MERCHANT_ID),
          payoutSecret: given(values.FREEDOM_PAY_PAYOUT_SECRET),
          notificationUrl: `${notificationsUrl}/${FREEDOM_PAY}`,
          concurrency: given(values.FREEDOM_PAY_CONCURRENCY),
          simulated: environment === 'development',
        },
};
