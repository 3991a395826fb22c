/** WayForPay's configuration, variables and their validation. The rail is on if WAYFORPAY_URL is set. */
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

export const WAYFORPAY = 'wayforpay';

export interface WayForPayConfiguration {
  /** The URL, normally `https://api.wayforpay.com`. */
  readonly url: string;
  readonly merchantAccount: string;
  /** Signs our requests and our acknowledgements, and authenticates WayForPay's messages. */
  readonly secretKey: Secret;
  /** The address of WayForPay's callbacks. Each payout contains it. */
  readonly serviceUrl: string;
  /** The largest number of payouts in flight, per process. */
  readonly concurrency: number;
  /** True if the server is a simulator, so that no real money moves. */
  readonly simulated: boolean;
}

/** Our account, and the key that authenticates both sides. */
export type WayForPayAccount = Pick<WayForPayConfiguration, 'merchantAccount' | 'secretKey'>;

const VARIABLES = {
  WAYFORPAY_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of WayForPay. In development use its simulator (http://127.0.0.1:4080). If unset, payouts by methods 1, 16 and 34 use another rail, or are unavailable.',
  },
  WAYFORPAY_MERCHANT_ACCOUNT: {
    ...matching(/^[\w.-]{1,64}$/, 'up to 64 letters, digits, underscores, dots or hyphens'),
    default: { development: 'gateway', production: null },
    meaning: 'The merchant account at WayForPay that funds payouts.',
  },
  WAYFORPAY_SECRET_KEY: {
    ...secret,
    default: { development: 'wayforpay-secret-key', production: null },
    meaning: 'The secret that signs requests and responses to WayForPay and authenticates its messages.',
  },
  WAYFORPAY_CONCURRENCY: payoutsAtOnce('WayForPay', 16),
} as const;

export const wayforpayConfiguration: ConfigurationPart<typeof VARIABLES, WayForPayConfiguration> = {
  name: WAYFORPAY,
  variables: VARIABLES,
  isOnWith: 'WAYFORPAY_URL',
  needed: ['WAYFORPAY_MERCHANT_ACCOUNT', 'WAYFORPAY_SECRET_KEY'],
  isReached: true,
  rules: [
    httpsInProduction('WAYFORPAY_URL'),
    needsOwnAddress('WAYFORPAY_URL'),
    ownInProduction(VARIABLES, 'WAYFORPAY_SECRET_KEY'),
  ],
  configure: (values, { environment, notificationsUrl }) =>
    values.WAYFORPAY_URL === null
      ? null
      : {
          url: values.WAYFORPAY_URL,
          merchantAccount: given(values.WAYFORPAY_MERCHANT_ACCOUNT),
          secretKey: given(values.WAYFORPAY_SECRET_KEY),
          serviceUrl: `${notificationsUrl}/${WAYFORPAY}`,
          concurrency: given(values.WAYFORPAY_CONCURRENCY),
          simulated: environment === 'development',
        },
};
