/** Visa Direct's configuration, variables and their validation. The rail is on if VISA_DIRECT_URL is set. */
import type { Secret } from '../../foundation/secret.ts';
import { matching } from '../../foundation/text/text-readers.ts';
import { given, httpsUrl, needs, ownInProduction, payoutsAtOnce, pemFile, secret } from '../../foundation/variables.ts';
import type { ConfigurationPart, KeyFile } from '../kit/rail-definition.ts';

export const VISA_DIRECT = 'visa-direct';

export interface VisaDirectConfiguration {
  /** The URL: `https://sandbox.api.visa.com`, or in production `https://api.visa.com`. */
  readonly url: string;
  readonly userId: string;
  readonly password: Secret;
  /** A PEM file with the certificate that Visa issued to this project. The next field names the file with its private key. */
  readonly certificateFile: string;
  readonly privateKeyFile: string;
  /** The path of a PEM file with the CA certificate of Visa's server. If null, the gateway trusts the system's certificate authorities. */
  readonly caFile: string | null;
  /** If null, the gateway does not encrypt messages. Visa allows that only in its sandbox. */
  readonly encryption: MessageEncryption | null;
  readonly programme: VisaDirectProgramme;
  /** The largest number of payouts in flight, per process. */
  readonly concurrency: number;
  /** True if the server is a simulator, so that no real money moves. */
  readonly simulated: boolean;
}

/** The keys for message encryption, one pair for each direction. */
export interface MessageEncryption {
  /** Visa's id of the key pairs. */
  readonly keyId: string;
  /** A PEM file with Visa's public key, or its certificate. */
  readonly visaKeyFile: string;
  /** A PEM file with our private key. */
  readonly ownKeyFile: string;
}

/** The agreed values of the programme, which every transaction repeats. */
export interface VisaDirectProgramme {
  /** A number of 6 to 11 digits. */
  readonly acquiringBin: string;
  /** An ISO 3166-1 numeric code. */
  readonly acquirerCountry: string;
  /** A code of two letters, such as `FD` for the disbursement of funds. */
  readonly businessApplication: string;
  /** Four digits. Null if fixed at enrolment. */
  readonly merchantCategory: string | null;
  readonly cardAcceptorId: string;
  readonly terminalId: string;
  /** An ISO 3166-1 alpha-3 code, such as `USA`. */
  readonly cardAcceptorCountry: string;
  readonly sender: {
    readonly name: string;
    readonly address: string;
    readonly city: string;
    /** An ISO 3166-1 numeric code. */
    readonly country: string;
  };
}

const country = matching(/^\d{3}$/, 'a country of ISO 3166-1 as three digits');

const VARIABLES = {
  VISA_DIRECT_URL: {
    ...httpsUrl,
    default: null,
    meaning:
      'The URL of Visa. In development use its simulator (https://127.0.0.1:4150). If unset, there are no payouts through Visa Direct.',
  },
  VISA_DIRECT_USER_ID: {
    ...matching(/^[\x21-\x39\x3b-\x7e]{1,200}$/, 'up to 200 characters without spaces or colons'),
    default: { development: 'gateway', production: null },
    meaning: 'The user name of this gateway at Visa.',
  },
  VISA_DIRECT_PASSWORD: {
    ...secret,
    default: { development: 'visa-direct-password', production: null },
    meaning: 'The secret that belongs to VISA_DIRECT_USER_ID.',
  },
  VISA_DIRECT_CERTIFICATE_FILE: {
    ...pemFile,
    default: { development: './data/visa-direct/client-certificate.pem', production: null },
    meaning: 'The file with the client certificate that Visa issued for that user. Its simulator writes one there.',
  },
  VISA_DIRECT_PRIVATE_KEY_FILE: {
    ...pemFile,
    default: { development: './data/visa-direct/client-key.pem', production: null },
    meaning: 'The file with the private key of that certificate.',
  },
  VISA_DIRECT_CA_FILE: {
    ...pemFile,
    default: { development: './data/visa-direct/ca.pem', production: null },
    meaning:
      'The file with the certificate authority that authenticates Visa. If unset, the system’s certificate authorities do.',
  },
  VISA_DIRECT_KEY_ID: {
    ...matching(/^[\x21-\x7e]{1,100}$/, 'up to 100 characters without spaces'),
    default: null,
    meaning:
      'The id of the keys for message-level encryption, which Visa requires outside its sandbox. If unset, messages are not encrypted.',
  },
  VISA_DIRECT_ENCRYPTION_FILE: {
    ...pemFile,
    default: { development: './data/visa-direct/encryption-key.pem', production: null },
    meaning: 'The file with Visa’s public key or certificate, which encrypts requests.',
  },
  VISA_DIRECT_DECRYPTION_KEY_FILE: {
    ...pemFile,
    default: { development: './data/visa-direct/decryption-key.pem', production: null },
    meaning: 'The file with our private key, which decrypts Visa’s responses.',
  },
  VISA_DIRECT_ACQUIRING_BIN: {
    ...matching(/^\d{6,11}$/, '6 to 11 digits'),
    default: { development: '408999', production: null },
    meaning: 'The BIN of the programme’s acquirer.',
  },
  VISA_DIRECT_ACQUIRER_COUNTRY: {
    ...country,
    default: { development: '528', production: null },
    meaning: 'The country of that acquirer.',
  },
  VISA_DIRECT_BUSINESS_APPLICATION: {
    ...matching(/^[A-Z]{2}$/, 'two capital letters'),
    default: 'FD',
    meaning: 'The payout type of the programme; FD is the disbursement of funds.',
  },
  VISA_DIRECT_MERCHANT_CATEGORY: {
    ...matching(/^\d{4}$/, 'four digits'),
    default: null,
    meaning: 'The merchant category code, if the enrolment does not set it.',
  },
  VISA_DIRECT_CARD_ACCEPTOR: {
    ...matching(/^[A-Za-z0-9 _-]{1,15}$/, '1 to 15 letters, digits, blanks, underscores or hyphens'),
    default: { development: 'GATEWAY', production: null },
    meaning:
      'The card acceptor’s number. With the terminal it identifies payouts: never change it while payouts are pending.',
  },
  VISA_DIRECT_TERMINAL: {
    ...matching(/^[A-Za-z0-9_-]{1,8}$/, '1 to 8 letters, digits, underscores or hyphens'),
    default: { development: 'GW1', production: null },
    meaning: 'The terminal’s number. Never change it while payouts are pending.',
  },
  VISA_DIRECT_CARD_ACCEPTOR_COUNTRY: {
    ...matching(/^[A-Z]{3}$/, 'a country of ISO 3166-1 as three letters'),
    default: { development: 'NLD', production: null },
    meaning: 'The country of the card acceptor.',
  },
  VISA_DIRECT_SENDER_NAME: {
    ...matching(/^[\x20-\x7e]{2,30}$/, '2 to 30 ASCII characters'),
    default: { development: 'Payment Gateway', production: null },
    meaning: 'The name of the originator that recipients see.',
  },
  VISA_DIRECT_SENDER_ADDRESS: {
    ...matching(/^[\x20-\x7e]{1,35}$/, '1 to 35 ASCII characters'),
    default: { development: 'Herengracht 1', production: null },
    meaning: 'The street and number of the originator.',
  },
  VISA_DIRECT_SENDER_CITY: {
    ...matching(/^[\x20-\x7e]{1,25}$/, '1 to 25 ASCII characters'),
    default: { development: 'Amsterdam', production: null },
    meaning: 'The city of the originator.',
  },
  VISA_DIRECT_SENDER_COUNTRY: {
    ...country,
    default: { development: '528', production: null },
    meaning: 'The country of the originator.',
  },
  VISA_DIRECT_CONCURRENCY: payoutsAtOnce('Visa', 16),
} as const;

const ENCRYPTION = ['VISA_DIRECT_KEY_ID', 'VISA_DIRECT_ENCRYPTION_FILE', 'VISA_DIRECT_DECRYPTION_KEY_FILE'] as const;
const OPTIONAL = ['VISA_DIRECT_URL', 'VISA_DIRECT_CA_FILE', 'VISA_DIRECT_MERCHANT_CATEGORY', ...ENCRYPTION];
const NEEDED = Object.keys(VARIABLES).filter((name) => !OPTIONAL.includes(name));

export const visaDirectConfiguration: ConfigurationPart<typeof VARIABLES, VisaDirectConfiguration> = {
  name: VISA_DIRECT,
  variables: VARIABLES,
  isOnWith: 'VISA_DIRECT_URL',
  needed: NEEDED,
  isReached: false,
  rules: [needs(...ENCRYPTION), ownInProduction(VARIABLES, 'VISA_DIRECT_PASSWORD')],
  configure: (values, { environment }) =>
    values.VISA_DIRECT_URL === null
      ? null
      : {
          url: values.VISA_DIRECT_URL,
          userId: given(values.VISA_DIRECT_USER_ID),
          password: given(values.VISA_DIRECT_PASSWORD),
          certificateFile: given(values.VISA_DIRECT_CERTIFICATE_FILE),
          privateKeyFile: given(values.VISA_DIRECT_PRIVATE_KEY_FILE),
          caFile: values.VISA_DIRECT_CA_FILE,
          encryption:
            values.VISA_DIRECT_KEY_ID === null
              ? null
              : {
                  keyId: values.VISA_DIRECT_KEY_ID,
                  visaKeyFile: given(values.VISA_DIRECT_ENCRYPTION_FILE),
                  ownKeyFile: given(values.VISA_DIRECT_DECRYPTION_KEY_FILE),
                },
          programme: {
            acquiringBin: given(values.VISA_DIRECT_ACQUIRING_BIN),
            acquirerCountry: given(values.VISA_DIRECT_ACQUIRER_COUNTRY),
            businessApplication: given(values.VISA_DIRECT_BUSINESS_APPLICATION),
            merchantCategory: values.VISA_DIRECT_MERCHANT_CATEGORY,
            cardAcceptorId: given(values.VISA_DIRECT_CARD_ACCEPTOR),
            terminalId: given(values.VISA_DIRECT_TERMINAL),
            cardAcceptorCountry: given(values.VISA_DIRECT_CARD_ACCEPTOR_COUNTRY),
            sender: {
              name: given(values.VISA_DIRECT_SENDER_NAME),
              address: given(values.VISA_DIRECT_SENDER_ADDRESS),
              city: given(values.VISA_DIRECT_SENDER_CITY),
              country: given(values.VISA_DIRECT_SENDER_COUNTRY),
            },
          },
          concurrency: given(values.VISA_DIRECT_CONCURRENCY),
          simulated: environment === 'development',
        },
  keyFiles({ certificateFile, privateKeyFile, caFile, encryption, simulated }) {
    const maker = simulated ? 'simulator' : 'nobody';
    const own = [
      { variable: 'VISA_DIRECT_CERTIFICATE_FILE', path: certificateFile, holds: 'certificate', maker },
      { variable: 'VISA_DIRECT_PRIVATE_KEY_FILE', path: privateKeyFile, holds: 'private key', maker },
    ] as const;
    const ca = { variable: 'VISA_DIRECT_CA_FILE', holds: 'certificate', maker } as const;
    return [
      ...own,
      ...(caFile === null ? [] : [{ ...ca, path: caFile }]),
      ...(encryption === null ? [] : messageKeyFiles(encryption, maker)),
    ];
  },
};

function messageKeyFiles({ visaKeyFile, ownKeyFile }: MessageEncryption, maker: KeyFile['maker']): readonly KeyFile[] {
  return [
    { variable: 'VISA_DIRECT_ENCRYPTION_FILE', path: visaKeyFile, holds: 'RSA public key', maker },
    { variable: 'VISA_DIRECT_DECRYPTION_KEY_FILE', path: ownKeyFile, holds: 'RSA private key', maker },
  ];
}
