/** WayForPay: on where WAYFORPAY_URL is set. */
import { matching } from '../../foundation/text-readers.ts';
import {
  given,
  httpsInProduction,
  httpUrl,
  needs,
  needsOwnAddress,
  ownInProduction,
  payoutsAtOnce,
  secret,
} from '../../foundation/variables.ts';
import type { RailPart } from '../kit/rail-part.ts';
import type { WayForPayConfiguration } from './configuration.ts';
import { WAYFORPAY } from './payout-rail.ts';

const VARIABLES = {
  WAYFORPAY_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'Where WayForPay is; in development its simulator (http://127.0.0.1:4080). Unset: methods 1, 16 and 34 go another way, or none.',
  },
  WAYFORPAY_MERCHANT_ACCOUNT: {
    ...matching(/^[\w.-]{1,64}$/, 'up to 64 letters, digits, underscores, dots or hyphens'),
    default: { development: 'gateway', production: null },
    meaning: 'The account at WayForPay out of which payouts are made.',
  },
  WAYFORPAY_SECRET_KEY: {
    ...secret,
    default: { development: 'wayforpay-secret-key', production: null },
    meaning: 'Signs what WayForPay is asked and answered, and proves what it says.',
  },
  WAYFORPAY_CONCURRENCY: payoutsAtOnce('WayForPay', 16),
} as const;

export const wayforpay: RailPart<typeof VARIABLES, WayForPayConfiguration> = {
  variables: VARIABLES,
  isOnWith: 'WAYFORPAY_URL',
  isReached: true,
  rules: [
    httpsInProduction('WAYFORPAY_URL'),
    needs('WAYFORPAY_URL', 'WAYFORPAY_MERCHANT_ACCOUNT', 'WAYFORPAY_SECRET_KEY'),
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
