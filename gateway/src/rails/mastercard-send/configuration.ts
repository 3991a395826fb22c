/** Mastercard Send's configuration, variables and their validation. The rail is on if MASTERCARD_SEND_URL is set. */
import type { Secret } from '../../foundation/secret.ts';
import { matching } from '../../foundation/text/text-readers.ts';
import {
  given,
  httpsInProduction,
  httpUrl,
  ownInProduction,
  payoutsAtOnce,
  pemFile,
  secret,
} from '../../foundation/variables.ts';
import type { ConfigurationPart } from '../kit/rail-definition.ts';

export const MASTERCARD_SEND = 'mastercard-send';

export interface MastercardSendConfiguration {
  /**
   * The address up to the version: `https://api.mastercard.com/send`, in the test facility
   * `https://sandbox.api.mastercard.com/send`.
   */
  readonly url: string;
  /** The partner id, which begins with `ptnr_`. */
  readonly partnerId: string;
  /** The project's key and the key's id, joined by `!`. */
  readonly consumerKey: Secret;
  /** A PEM file with the RSA key that signs every request. */
  readonly privateKeyFile: string;
  readonly programme: MastercardSendProgramme;
  /** The largest number of payouts in flight, per process. */
  readonly concurrency: number;
  /** True if the server is a simulator, so that no real money moves. */
  readonly simulated: boolean;
}

/** The agreed values of the programme, which every disbursement repeats. */
export interface MastercardSendProgramme {
  /** A code of three letters, such as `BDB`. */
  readonly paymentType: string;
  /** The source of the money in Mastercard's notation of accounts: `raw:…`. */
  readonly senderAccount: string;
  /** Three letters. Null if there is only one. */
  readonly originCountry: string | null;
}

const VARIABLES = {
  MASTERCARD_SEND_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of Mastercard’s disbursements, up to the version. In development use its simulator (http://127.0.0.1:4160/send). If unset, there are no payouts through Mastercard Send.',
  },
  MASTERCARD_SEND_PARTNER_ID: {
    ...matching(/^ptnr_[A-Za-z0-9_-]{1,60}$/, 'ptnr_ and up to 60 letters, digits, underscores or hyphens'),
    default: { development: 'ptnr_gateway', production: null },
    meaning: 'The partner id at Mastercard.',
  },
  MASTERCARD_SEND_CONSUMER_KEY: {
    ...secret,
    default: { development: 'gateway!mastercard-send', production: null },
    meaning: 'The consumer key of the project, followed by an exclamation mark and the key’s number.',
  },
  MASTERCARD_SEND_PRIVATE_KEY_FILE: {
    ...pemFile,
    default: { development: './data/mastercard-send/private-key.pem', production: null },
    meaning:
      'The file with the RSA key that signs requests to Mastercard. In development the gateway generates a missing file.',
  },
  MASTERCARD_SEND_PAYMENT_TYPE: {
    ...matching(/^[A-Z0-9]{3}$/, 'three capital letters or digits'),
    default: 'BDB',
    meaning: 'The payout type of the programme; BDB is a disbursement of a business.',
  },
  MASTERCARD_SEND_SENDER_ACCOUNT: {
    ...matching(/^(?:raw|iban|ban):[A-Za-z0-9#]{1,40}$/, 'raw:, iban: or ban: and the account'),
    default: { development: 'raw:12345678901234567890', production: null },
    meaning: 'The account that funds payouts.',
  },
  MASTERCARD_SEND_ORIGIN_COUNTRY: {
    ...matching(/^[A-Z]{3}$/, 'a country of ISO 3166-1 as three letters'),
    default: null,
    meaning: 'The country of origin of payouts, if the programme has several countries.',
  },
  MASTERCARD_SEND_CONCURRENCY: payoutsAtOnce('Mastercard', 16),
} as const;

export const mastercardSendConfiguration: ConfigurationPart<typeof VARIABLES, MastercardSendConfiguration> = {
  name: MASTERCARD_SEND,
  variables: VARIABLES,
  isOnWith: 'MASTERCARD_SEND_URL',
  needed: [
    'MASTERCARD_SEND_PARTNER_ID',
    'MASTERCARD_SEND_CONSUMER_KEY',
    'MASTERCARD_SEND_PRIVATE_KEY_FILE',
    'MASTERCARD_SEND_SENDER_ACCOUNT',
  ],
  isReached: false,
  rules: [httpsInProduction('MASTERCARD_SEND_URL'), ownInProduction(VARIABLES, 'MASTERCARD_SEND_CONSUMER_KEY')],
  configure: (values, { environment }) =>
    values.MASTERCARD_SEND_URL === null
      ? null
      : {
          url: values.MASTERCARD_SEND_URL,
          partnerId: given(values.MASTERCARD_SEND_PARTNER_ID),
          consumerKey: given(values.MASTERCARD_SEND_CONSUMER_KEY),
          privateKeyFile: given(values.MASTERCARD_SEND_PRIVATE_KEY_FILE),
          programme: {
            paymentType: given(values.MASTERCARD_SEND_PAYMENT_TYPE),
            senderAccount: given(values.MASTERCARD_SEND_SENDER_ACCOUNT),
            originCountry: values.MASTERCARD_SEND_ORIGIN_COUNTRY,
          },
          concurrency: given(values.MASTERCARD_SEND_CONCURRENCY),
          simulated: environment === 'development',
        },
  keyFiles: ({ privateKeyFile, simulated }) => [
    {
      variable: 'MASTERCARD_SEND_PRIVATE_KEY_FILE',
      path: privateKeyFile,
      holds: 'RSA private key',
      maker: simulated ? 'gateway' : 'nobody',
    },
  ],
};
