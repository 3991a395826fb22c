/** Trustly's configuration, variables and their validation. The rail is on if TRUSTLY_URL is set. */
import type { Secret } from '../../foundation/secret.ts';
import { matching, oneOf } from '../../foundation/text/text-readers.ts';
import {
  given,
  httpsInProduction,
  httpUrl,
  needsOwnAddress,
  ownInProduction,
  pemFile,
  secret,
} from '../../foundation/variables.ts';
import type { ConfigurationPart } from '../kit/rail-definition.ts';

export const TRUSTLY = 'trustly';

export interface TrustlyConfiguration {
  /**
   * The single address of its JSON-RPC, including the path: `https://api.trustly.com/1`, for tests
   * `https://test.trustly.com/api/1`.
   */
  readonly url: string;
  readonly username: string;
  readonly password: Secret;
  /**
   * PEM of the private key whose public key is registered with Trustly. For a simulator, the gateway generates a missing key.
   */
  readonly privateKeyFile: string;
  /**
   * A PEM file with Trustly's public key. Trustly publishes one key for test and one for live. A simulator writes its own key
   * to this file.
   */
  readonly publicKeyFile: string;
  /** The address of Trustly's notifications. It must not contain a question mark, and Trustly accepts only https. */
  readonly notificationUrl: string;
  /** True if Trustly settles each day, so that its reports list every refund. */
  readonly settlesDaily?: boolean;
  /** True if the server is a simulator, so that no real money moves. */
  readonly simulated: boolean;
}

const VARIABLES = {
  TRUSTLY_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of Trustly’s API, with its path. In development use its simulator (http://127.0.0.1:4070/api/1). If unset, there are no bank transfers by iframe.',
  },
  TRUSTLY_USERNAME: {
    ...matching(/^[\x21-\x7e]{1,200}$/, 'up to 200 characters without spaces'),
    default: { development: 'gateway', production: null },
    meaning: 'The user name of this gateway at Trustly.',
  },
  TRUSTLY_PASSWORD: {
    ...secret,
    default: { development: 'trustly-password', production: null },
    meaning: 'The secret that belongs to TRUSTLY_USERNAME.',
  },
  TRUSTLY_PRIVATE_KEY_FILE: {
    ...pemFile,
    default: { development: './data/trustly/private-key.pem', production: null },
    meaning:
      'The file with the key that signs requests and responses to Trustly. In development the gateway generates a missing file.',
  },
  TRUSTLY_PUBLIC_KEY_FILE: {
    ...pemFile,
    default: { development: './data/trustly/trustly-public-key.pem', production: null },
    meaning: 'The file with Trustly’s public key, which authenticates its messages. Its simulator writes one there.',
  },
  TRUSTLY_SETTLEMENTS: {
    ...oneOf(['daily']),
    default: null,
    meaning:
      'Set it to `daily` if Trustly makes an automatic settlement in euro each day. The gateway then compares refunds with its reports. If unset, refunds at Trustly are not compared.',
  },
} as const;

export const trustlyConfiguration: ConfigurationPart<typeof VARIABLES, TrustlyConfiguration> = {
  name: TRUSTLY,
  variables: VARIABLES,
  isOnWith: 'TRUSTLY_URL',
  needed: ['TRUSTLY_USERNAME', 'TRUSTLY_PASSWORD', 'TRUSTLY_PRIVATE_KEY_FILE', 'TRUSTLY_PUBLIC_KEY_FILE'],
  isReached: true,
  rules: [
    httpsInProduction('TRUSTLY_URL'),
    needsOwnAddress('TRUSTLY_URL'),
    ownInProduction(VARIABLES, 'TRUSTLY_PASSWORD'),
  ],
  configure: (values, { environment, notificationsUrl }) =>
    values.TRUSTLY_URL === null
      ? null
      : {
          url: values.TRUSTLY_URL,
          username: given(values.TRUSTLY_USERNAME),
          password: given(values.TRUSTLY_PASSWORD),
          privateKeyFile: given(values.TRUSTLY_PRIVATE_KEY_FILE),
          publicKeyFile: given(values.TRUSTLY_PUBLIC_KEY_FILE),
          settlesDaily: values.TRUSTLY_SETTLEMENTS === 'daily',
          notificationUrl: `${notificationsUrl}/${TRUSTLY}`,
          simulated: environment === 'development',
        },
  keyFiles: ({ privateKeyFile, publicKeyFile, simulated }) => [
    {
      variable: 'TRUSTLY_PRIVATE_KEY_FILE',
      path: privateKeyFile,
      holds: 'RSA private key',
      maker: simulated ? 'gateway' : 'nobody',
    },
    {
      variable: 'TRUSTLY_PUBLIC_KEY_FILE',
      path: publicKeyFile,
      holds: 'RSA public key',
      maker: simulated ? 'simulator' : 'nobody',
    },
  ],
};
