/** STP's configuration, variables and their validation. The rail is on if STP_URL is set. */
import { matching, networks, readMinorOrZero } from '../../foundation/text/text-readers.ts';
import { given, httpsInProduction, httpUrl, payoutsAtOnce, pemFile } from '../../foundation/variables.ts';
import type { ConfigurationPart } from '../kit/rail-definition.ts';

export const STP = 'stp';

export interface StpConfiguration {
  /** The address of the queries, for example `https://efws-dev.stpmex.com`. */
  readonly url: string;
  /** The address where orders are registered. In production its host differs from the host of the queries. */
  readonly ordersUrl: string;
  /** The name under which STP knows us. */
  readonly empresa: string;
  /** The prefix of all our CLABEs: 6 to 14 digits. */
  readonly clabePrefix: string;
  /** The recipient's name that a payer sees. */
  readonly beneficiary: string;
  /** PEM of the private key whose public key is registered with STP. For a simulator, the gateway generates a missing key. */
  readonly privateKeyFile: string;
  /**
   * The threshold in centavos. The gateway records an abono above it only after STP's query confirms it. If it is zero, the
   * gateway queries every abono.
   */
  readonly confirmAbove: bigint;
  /** Addresses and networks (CIDR) from which STP sends notifications. Nothing else authenticates them. */
  readonly allowList: readonly string[];
  /** The largest number of payouts in flight, per process. */
  readonly concurrency: number;
  /** True if the server is a simulator. Merchants in test mode may then use this rail. */
  readonly simulated: boolean;
}

const VARIABLES = {
  STP_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of STP’s queries. In development use its simulator (http://127.0.0.1:4020). If unset, there are no SPEI deposits.',
  },
  STP_ORDERS_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of STP’s payment orders, by which the gateway returns money. If unset, STP_URL, as at the simulator.',
  },
  STP_EMPRESA: {
    ...matching(/^[A-Za-z0-9_]{1,15}$/, '1 to 15 letters, digits or underscores'),
    default: { development: 'GATEWAY', production: null },
    meaning: 'The company name of this gateway at STP.',
  },
  STP_CLABE_PREFIX: {
    ...matching(/^646\d{3,11}$/, '6 to 14 digits that begin with 646'),
    default: { development: '6461804990', production: null },
    meaning: 'The first digits of all CLABEs of this gateway.',
  },
  STP_BENEFICIARY: {
    ...matching(/^[\p{L}\d .,&-]{1,60}$/u, 'a name of at most 60 letters, digits, spaces and . , & -'),
    default: { development: 'Payment Gateway', production: null },
    meaning: 'The beneficiary that a payer by SPEI sees.',
  },
  STP_PRIVATE_KEY_FILE: {
    ...pemFile,
    default: { development: './data/stp-private-key.pem', production: null },
    meaning: 'The file with the key that signs requests to STP. In development the gateway generates a missing file.',
  },
  STP_ALLOW_LIST: {
    ...networks,
    default: { development: '127.0.0.1,::1', production: null },
    meaning: 'The source addresses of STP’s notifications. Nothing else authenticates them.',
  },
  STP_CONFIRM_ABOVE: {
    read: (text: string) => readMinorOrZero(text, 'MXN'),
    accepts: 'an amount or 0',
    default: '50000.00',
    meaning: 'The amount in pesos above which the gateway queries STP to confirm a notification. 0: always.',
  },
  STP_CONCURRENCY: payoutsAtOnce('STP', 4),
};

export const stpConfiguration: ConfigurationPart<typeof VARIABLES, StpConfiguration> = {
  name: STP,
  variables: VARIABLES,
  isOnWith: 'STP_URL',
  needed: ['STP_EMPRESA', 'STP_CLABE_PREFIX', 'STP_BENEFICIARY', 'STP_PRIVATE_KEY_FILE', 'STP_ALLOW_LIST'],
  isReached: true,
  allowLists: ['STP_ALLOW_LIST'],
  rules: [httpsInProduction('STP_URL', 'STP_ORDERS_URL')],
  configure: (values, { environment }) =>
    values.STP_URL === null
      ? null
      : {
          url: values.STP_URL,
          ordersUrl: values.STP_ORDERS_URL ?? values.STP_URL,
          empresa: given(values.STP_EMPRESA),
          clabePrefix: given(values.STP_CLABE_PREFIX),
          beneficiary: given(values.STP_BENEFICIARY),
          privateKeyFile: given(values.STP_PRIVATE_KEY_FILE),
          allowList: given(values.STP_ALLOW_LIST),
          confirmAbove: given(values.STP_CONFIRM_ABOVE),
          concurrency: given(values.STP_CONCURRENCY),
          simulated: environment === 'development',
        },
  keyFiles: ({ privateKeyFile: path, simulated }) => [
    { variable: 'STP_PRIVATE_KEY_FILE', path, holds: 'RSA private key', maker: simulated ? 'gateway' : 'nobody' },
  ],
};
