/** Epoint's configuration, variables and their validation. The rail is on if EPOINT_URL is set. */
import type { Secret } from '../../foundation/secret.ts';
import { matching } from '../../foundation/text/text-readers.ts';
import {
  filePath,
  given,
  httpsInProduction,
  httpUrl,
  ownInProduction,
  payoutsAtOnce,
  secret,
} from '../../foundation/variables.ts';
import type { ConfigurationPart } from '../kit/rail-definition.ts';

export const EPOINT = 'epoint';

export interface EpointConfiguration {
  /** The address up to its version: `https://epoint.az/api/1`. */
  readonly url: string;
  /** Our id at Epoint, such as `i000000001`. */
  readonly publicKey: string;
  /** Signs our requests and verifies Epoint's callbacks. The gateway never sends it. */
  readonly privateKey: Secret;
  /** Maps cards to their card_id (registered-cards.ts). */
  readonly cardsFile: string;
  /** The largest number of payouts in flight, per process. */
  readonly concurrency: number;
  /** True if the server is a simulator, so that no real money moves. */
  readonly simulated: boolean;
}

/** The account's keys, which authenticate both sides. */
export type EpointAccount = Pick<EpointConfiguration, 'publicKey' | 'privateKey'>;

const VARIABLES = {
  EPOINT_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of Epoint, with its version. In development use its simulator (http://127.0.0.1:4110/api/1). If unset, payouts by methods 11 and 17 use another rail, or are unavailable.',
  },
  EPOINT_PUBLIC_KEY: {
    ...matching(/^\w{1,64}$/, 'up to 64 letters, digits or underscores'),
    default: { development: 'i000000001', production: null },
    meaning: 'The public key that identifies this gateway at Epoint.',
  },
  EPOINT_PRIVATE_KEY: {
    ...secret,
    default: { development: 'epoint-private-key', production: null },
    meaning: 'The key that signs requests to Epoint and authenticates its notifications.',
  },
  EPOINT_CARDS_FILE: {
    ...filePath,
    default: { development: './data/epoint-cards', production: null },
    meaning: 'The file that maps registered cards to their card_id at Epoint. Payouts reach only these cards.',
  },
  EPOINT_CONCURRENCY: payoutsAtOnce('Epoint', 16),
} as const;

export const epointConfiguration: ConfigurationPart<typeof VARIABLES, EpointConfiguration> = {
  name: EPOINT,
  variables: VARIABLES,
  isOnWith: 'EPOINT_URL',
  needed: ['EPOINT_PUBLIC_KEY', 'EPOINT_PRIVATE_KEY', 'EPOINT_CARDS_FILE'],
  isReached: true,
  rules: [httpsInProduction('EPOINT_URL'), ownInProduction(VARIABLES, 'EPOINT_PRIVATE_KEY')],
  configure: (values, { environment }) =>
    values.EPOINT_URL === null
      ? null
      : {
          url: values.EPOINT_URL,
          publicKey: given(values.EPOINT_PUBLIC_KEY),
          privateKey: given(values.EPOINT_PRIVATE_KEY),
          cardsFile: given(values.EPOINT_CARDS_FILE),
          concurrency: given(values.EPOINT_CONCURRENCY),
          simulated: environment === 'development',
        },
};
