/** DT One: on where DT_ONE_URL is set. */
import { listOf, matching } from '../../foundation/text-readers.ts';
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
import type { DtOneConfiguration, OperatorProduct } from './configuration.ts';
import { DT_ONE } from './dt-one-api.ts';

function readProduct(text: string): OperatorProduct | undefined {
  const [, operatorId, productId] = /^(\d{1,9}):(\d{1,9})$/.exec(text) ?? [];
  return operatorId === undefined || productId === undefined ? undefined : { operatorId, productId };
}

const userName = matching(/^[\x21-\x39\x3b-\x7e]{1,100}$/, 'up to 100 characters without blanks and colons');

const VARIABLES = {
  DT_ONE_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'Where DT One is, with its version; in development its simulator (http://127.0.0.1:4130/v1). Unset: method 24 goes another way, or none.',
  },
  DT_ONE_API_KEY: {
    ...userName,
    default: { development: 'gateway', production: null },
    meaning: 'By which DT One knows this gateway.',
  },
  DT_ONE_API_SECRET: {
    ...secret,
    default: { development: 'dt-one-api-secret', production: null },
    meaning: 'What belongs to DT_ONE_API_KEY.',
  },
  DT_ONE_PRODUCTS: {
    ...listOf(readProduct, 'pairs of an operator’s and a product’s number (2001:9001)'),
    default: { development: '2001:9001,2002:9002,2003:9003', production: null },
    meaning:
      'What is bought for a number of which operator, by DT One’s numbers: ranged products whose amounts are named in KZT.',
  },
  DT_ONE_CALLBACK_USERNAME: {
    ...userName,
    default: { development: 'dt-one', production: null },
    meaning: 'By which DT One proves its callbacks, as it is set in its shop.',
  },
  DT_ONE_CALLBACK_PASSWORD: {
    ...secret,
    default: { development: 'dt-one-callback-password', production: null },
    meaning: 'What belongs to DT_ONE_CALLBACK_USERNAME.',
  },
  DT_ONE_CONCURRENCY: payoutsAtOnce('DT One', 4),
} as const;

export const dtOne: RailPart<typeof VARIABLES, DtOneConfiguration> = {
  variables: VARIABLES,
  isOnWith: 'DT_ONE_URL',
  isReached: true,
  rules: [
    httpsInProduction('DT_ONE_URL'),
    needs(
      'DT_ONE_URL',
      'DT_ONE_API_KEY',
      'DT_ONE_API_SECRET',
      'DT_ONE_PRODUCTS',
      'DT_ONE_CALLBACK_USERNAME',
      'DT_ONE_CALLBACK_PASSWORD',
    ),
    needsOwnAddress('DT_ONE_URL'),
    ownInProduction(VARIABLES, 'DT_ONE_API_SECRET', 'DT_ONE_CALLBACK_PASSWORD'),
  ],
  configure: (values, { environment, notificationsUrl }) =>
    values.DT_ONE_URL === null
      ? null
      : {
          url: values.DT_ONE_URL,
          apiKey: given(values.DT_ONE_API_KEY),
          apiSecret: given(values.DT_ONE_API_SECRET),
          products: given(values.DT_ONE_PRODUCTS),
          callbackUrl: `${notificationsUrl}/${DT_ONE}`,
          callbackUsername: given(values.DT_ONE_CALLBACK_USERNAME),
          callbackPassword: given(values.DT_ONE_CALLBACK_PASSWORD),
          concurrency: given(values.DT_ONE_CONCURRENCY),
          simulated: environment === 'development',
        },
};
