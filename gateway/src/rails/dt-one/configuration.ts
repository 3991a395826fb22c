/** DT One's configuration, variables and their validation. The rail is on if DT_ONE_URL is set. */
import type { Secret } from '../../foundation/secret.ts';
import { listOf, matching } from '../../foundation/text/text-readers.ts';
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

export const DT_ONE = 'dt-one';

/** A ranged product of DT One for a mobile operator. Its amounts are in the recipient's currency. */
export interface OperatorProduct {
  readonly operatorId: string;
  readonly productId: string;
}

export interface DtOneConfiguration {
  /** The address with its version: `https://dvs-api.dtone.com/v1`, for tests `https://preprod-dvs-api.dtone.com/v1`. */
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: Secret;
  readonly products: readonly OperatorProduct[];
  /** The address of DT One's callbacks. Each transaction contains it. */
  readonly callbackUrl: string;
  /** The credentials of DT One's callbacks, as entered in its shop. */
  readonly callbackUsername: string;
  readonly callbackPassword: Secret;
  /** The largest number of payouts in flight, per process. */
  readonly concurrency: number;
  /** True if the server is a simulator, so that no real money moves. */
  readonly simulated: boolean;
}

function readProduct(text: string): OperatorProduct | undefined {
  const [, operatorId, productId] = /^(\d{1,9}):(\d{1,9})$/.exec(text) ?? [];
  return operatorId === undefined || productId === undefined ? undefined : { operatorId, productId };
}

const userName = matching(/^[\x21-\x39\x3b-\x7e]{1,100}$/, 'up to 100 characters without spaces or colons');

const VARIABLES = {
  DT_ONE_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of DT One, with its version. In development use its simulator (http://127.0.0.1:4130/v1). If unset, payouts by method 24 use another rail, or are unavailable.',
  },
  DT_ONE_API_KEY: {
    ...userName,
    default: { development: 'gateway', production: null },
    meaning: 'The API key of this gateway at DT One.',
  },
  DT_ONE_API_SECRET: {
    ...secret,
    default: { development: 'dt-one-api-secret', production: null },
    meaning: 'The secret that belongs to DT_ONE_API_KEY.',
  },
  DT_ONE_PRODUCTS: {
    ...listOf(readProduct, 'pairs of an operator’s and a product’s number (2001:9001)'),
    default: { development: '2001:9001,2002:9002,2003:9003', production: null },
    meaning:
      'The product that the gateway buys for each mobile operator, by DT One’s numbers. Use ranged products with amounts in KZT.',
  },
  DT_ONE_CALLBACK_USERNAME: {
    ...userName,
    default: { development: 'dt-one', production: null },
    meaning: 'The user name by which DT One authenticates its callbacks, as set in its shop.',
  },
  DT_ONE_CALLBACK_PASSWORD: {
    ...secret,
    default: { development: 'dt-one-callback-password', production: null },
    meaning: 'The secret that belongs to DT_ONE_CALLBACK_USERNAME.',
  },
  DT_ONE_CONCURRENCY: payoutsAtOnce('DT One', 4),
} as const;

export const dtOneConfiguration: ConfigurationPart<typeof VARIABLES, DtOneConfiguration> = {
  name: DT_ONE,
  variables: VARIABLES,
  isOnWith: 'DT_ONE_URL',
  needed: [
    'DT_ONE_API_KEY',
    'DT_ONE_API_SECRET',
    'DT_ONE_PRODUCTS',
    'DT_ONE_CALLBACK_USERNAME',
    'DT_ONE_CALLBACK_PASSWORD',
  ],
  isReached: true,
  rules: [
    httpsInProduction('DT_ONE_URL'),
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
