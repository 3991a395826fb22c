/** Token.io's configuration, variables and their validation. The rail is on if TOKEN_IO_URL is set. */
import { isValidIBAN } from 'ibantools';
import { matching, oneOf } from '../../foundation/text/text-readers.ts';
import { given, httpsInProduction, httpUrl, ownInProduction, pemFile } from '../../foundation/variables.ts';
import type { ConfigurationPart } from '../kit/rail-definition.ts';

export const TOKEN_IO = 'token-io';

export interface TokenIoConfiguration {
  /** `https://api.token.io`; Token.io's own sandbox is `https://api.sandbox.token.io`. */
  readonly url: string;
  /** Our member id at Token.io: `m:…`. Every notification about our payments contains it. */
  readonly memberId: string;
  /** The id of our public key at Token.io. */
  readonly keyId: string;
  /**
   * PEM of the Ed25519 key whose public key is registered with Token.io. For a simulator, the gateway generates a missing key.
   */
  readonly privateKeyFile: string;
  /** The Ed25519 key that authenticates Token.io's webhooks: its 32 bytes in base64url, as the dashboard shows it. */
  readonly webhookPublicKey: string;
  /** The account at Token.io that receives payments: `pa:…`. Token.io reports settlement only for such an account. */
  readonly settlementAccount: string;
  /** The same account as banks and payers know it. */
  readonly creditor: { readonly iban: string; readonly name: string };
  /** The kind of transfer for payments and refunds. Banks without it are not listed. */
  readonly localInstrument: 'SEPA' | 'SEPA_INSTANT';
  /** The sub-TPP on whose behalf we call. Empty for a member with its own licence. */
  readonly onBehalfOf: string;
  /** True if the server is a simulator, so that no real money moves. */
  readonly simulated: boolean;
}

const VARIABLES = {
  TOKEN_IO_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of Token.io. In development use its simulator (http://127.0.0.1:4040). If unset, there are no payments by open banking, and no list of banks.',
  },
  TOKEN_IO_MEMBER_ID: {
    ...matching(/^m:[\x21-\x7e]{1,100}$/, 'm: and more characters, without spaces'),
    default: { development: 'm:gateway:5zKtXEAq', production: null },
    meaning: 'The API key of this gateway at Token.io.',
  },
  TOKEN_IO_KEY_ID: {
    ...matching(/^[\x21-\x7e]{1,100}$/, 'up to 100 characters without spaces'),
    default: { development: 'gateway-key', production: null },
    meaning: 'The id of the key in TOKEN_IO_PRIVATE_KEY_FILE at Token.io.',
  },
  TOKEN_IO_PRIVATE_KEY_FILE: {
    ...pemFile,
    default: { development: './data/token-io/private-key.pem', production: null },
    meaning:
      'The file with the Ed25519 key that signs requests to Token.io. In development the gateway generates a missing file.',
  },
  TOKEN_IO_WEBHOOK_PUBLIC_KEY: {
    ...matching(/^[A-Za-z0-9_-]{43}$/, '43 characters of base64url'),
    default: { development: 'VV9GnCIYjpABW92FuIlnjUWfhr349700lxsQubOFhgk', production: null },
    meaning: 'The Ed25519 key that authenticates Token.io’s webhooks, from its dashboard.',
  },
  TOKEN_IO_SETTLEMENT_ACCOUNT: {
    ...matching(/^pa:[\x21-\x7e]{1,100}$/, 'pa: and more characters, without spaces'),
    default: { development: 'pa:gateway:2gFUX1NEGTG', production: null },
    meaning:
      'The account at Token.io that receives payments. Token.io reports incoming money only for such an account.',
  },
  TOKEN_IO_CREDITOR_IBAN: {
    read: (text: string) => (isValidIBAN(text) ? text : undefined),
    accepts: 'an IBAN without spaces',
    default: { development: 'NL91ABNA0417164300', production: null },
    meaning: 'The IBAN of that account.',
  },
  TOKEN_IO_CREDITOR_NAME: {
    ...matching(/^[\p{L}\d .,&'-]{1,70}$/u, "a name of at most 70 letters, digits, spaces and . , & ' -"),
    default: { development: 'Payment Gateway', production: null },
    meaning: 'The holder of that account.',
  },
  TOKEN_IO_LOCAL_INSTRUMENT: {
    ...oneOf(['SEPA', 'SEPA_INSTANT']),
    default: 'SEPA_INSTANT',
    meaning: 'The kind of transfer for payments and refunds. The gateway does not list banks without it.',
  },
  TOKEN_IO_ON_BEHALF_OF: {
    ...matching(/^[\x21-\x7e]{1,100}$/, 'up to 100 characters without spaces'),
    default: null,
    meaning:
      'The sub-TPP on whose behalf the gateway sends requests. If unset, Token.io’s member uses its own licence.',
  },
} as const;

export const tokenIoConfiguration: ConfigurationPart<typeof VARIABLES, TokenIoConfiguration> = {
  name: TOKEN_IO,
  variables: VARIABLES,
  isOnWith: 'TOKEN_IO_URL',
  needed: [
    'TOKEN_IO_MEMBER_ID',
    'TOKEN_IO_KEY_ID',
    'TOKEN_IO_PRIVATE_KEY_FILE',
    'TOKEN_IO_WEBHOOK_PUBLIC_KEY',
    'TOKEN_IO_SETTLEMENT_ACCOUNT',
    'TOKEN_IO_CREDITOR_IBAN',
    'TOKEN_IO_CREDITOR_NAME',
  ],
  isReached: true,
  rules: [httpsInProduction('TOKEN_IO_URL'), ownInProduction(VARIABLES, 'TOKEN_IO_WEBHOOK_PUBLIC_KEY')],
  configure: (values, { environment }) =>
    values.TOKEN_IO_URL === null
      ? null
      : {
          url: values.TOKEN_IO_URL,
          memberId: given(values.TOKEN_IO_MEMBER_ID),
          keyId: given(values.TOKEN_IO_KEY_ID),
          privateKeyFile: given(values.TOKEN_IO_PRIVATE_KEY_FILE),
          webhookPublicKey: given(values.TOKEN_IO_WEBHOOK_PUBLIC_KEY),
          settlementAccount: given(values.TOKEN_IO_SETTLEMENT_ACCOUNT),
          creditor: { iban: given(values.TOKEN_IO_CREDITOR_IBAN), name: given(values.TOKEN_IO_CREDITOR_NAME) },
          localInstrument: given(values.TOKEN_IO_LOCAL_INSTRUMENT),
          onBehalfOf: values.TOKEN_IO_ON_BEHALF_OF ?? '',
          simulated: environment === 'development',
        },
  keyFiles: ({ privateKeyFile, simulated }) => [
    {
      variable: 'TOKEN_IO_PRIVATE_KEY_FILE',
      path: privateKeyFile,
      holds: 'Ed25519 private key',
      maker: simulated ? 'gateway' : 'nobody',
    },
  ],
};
