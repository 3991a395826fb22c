/** Freedom Pay: on where FREEDOM_PAY_URL is set. */
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
import type { FreedomPayConfiguration } from './configuration.ts';
import { FREEDOM_PAY } from './freedom-pay-api.ts';

const VARIABLES = {
  FREEDOM_PAY_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'Where Freedom Pay is; in development its simulator (http://127.0.0.1:4100). Unset: no payouts to cards in tenge through it.',
  },
  FREEDOM_PAY_MERCHANT_ID: {
    ...matching(/^\d{1,20}$/, 'up to 20 digits'),
    default: { development: '500001', production: null },
    meaning: 'The number under which Freedom Pay knows this gateway.',
  },
  FREEDOM_PAY_PAYOUT_SECRET: {
    ...secret,
    default: { development: 'freedom-pay-payout-secret', production: null },
    meaning:
      'Signs payouts and proves what Freedom Pay says of them: its secret key for payouts, not that for payments.',
  },
  FREEDOM_PAY_CONCURRENCY: payoutsAtOnce('Freedom Pay', 4),
} as const;

export const freedomPay: RailPart<typeof VARIABLES, FreedomPayConfiguration> = {
  variables: VARIABLES,
  isOnWith: 'FREEDOM_PAY_URL',
  isReached: true,
  rules: [
    httpsInProduction('FREEDOM_PAY_URL'),
    needs('FREEDOM_PAY_URL', 'FREEDOM_PAY_MERCHANT_ID', 'FREEDOM_PAY_PAYOUT_SECRET'),
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
