/** The configuration, variables and validation of the bank that receives Pix for us. The rail is on if PIX_URL is set. */
import type { Secret } from '../../foundation/secret.ts';
import { listOf, matching, networks } from '../../foundation/text/text-readers.ts';
import { given, httpsUrl, needsOwnAddress, ownInProduction, pemFile, secret } from '../../foundation/variables.ts';
import type { ConfigurationPart } from '../kit/rail-definition.ts';

export const PIX = 'pix';

export interface PixConfiguration {
  /** The address of the bank's API Pix up to its major version: `https://pix.example.com/api/v2`. */
  readonly url: string;
  /** The address that issues access tokens. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Our key in the directory of Pix keys. Its account receives the money. */
  readonly chave: string;
  /** Our city, shown next to the merchant's name if the gateway writes the BR Code. */
  readonly city: string;
  /** A PEM file with our certificate for the bank. The next field names the file with its private key. */
  readonly certificateFile: string;
  readonly privateKeyFile: string;
  /**
   * A PEM file with the authority of the bank's certificate. If null, the gateway trusts the system's certificate authorities.
   */
  readonly caFile: string | null;
  /** The address for the bank's callbacks. The bank appends `/pix`. */
  readonly webhookUrl: string;
  readonly webhook: WebhookTrust;
  /** True if the server is a simulator. Merchants in test mode may then use this rail. */
  readonly simulated: boolean;
}

/** Authenticates the bank's callbacks. Either property is enough, and at least one is required. */
export interface WebhookTrust {
  /** SHA-256 of the bank's client certificates in lower-case hex, as a proxy in front of the gateway reports them. */
  readonly certificateFingerprints: readonly string[];
  /** The addresses and networks (CIDR) from which the bank calls. */
  readonly allowList: readonly string[];
}

/** Accepts the fingerprint with colons, as OpenSSL prints it, or without. */
function fingerprintIn(text: string): string | undefined {
  const plain = text.replaceAll(':', '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(plain) ? plain : undefined;
}

const VARIABLES = {
  PIX_URL: {
    ...httpsUrl,
    default: null,
    meaning:
      'The URL of the bank’s API Pix, with its version. In development use its simulator (https://127.0.0.1:4050/api/v2). If unset, there are no instant bank payments.',
  },
  PIX_TOKEN_URL: {
    ...httpsUrl,
    default: null,
    meaning: 'The URL that issues the bank’s access tokens. If unset, /oauth/token on the host of PIX_URL.',
  },
  PIX_CLIENT_ID: {
    ...matching(/^[\x21-\x39\x3b-\x7e]{1,200}$/, 'up to 200 characters without spaces or colons'),
    default: { development: 'gateway', production: null },
    meaning: 'The OAuth client id of this gateway at the bank.',
  },
  PIX_CLIENT_SECRET: {
    ...secret,
    default: { development: 'pix-client-secret', production: null },
    meaning: 'The secret that belongs to PIX_CLIENT_ID.',
  },
  PIX_CHAVE: {
    ...matching(/^\S{1,77}$/, 'a Pix key of at most 77 characters'),
    default: { development: 'gateway@example.com', production: null },
    meaning: 'The Pix key whose account receives the money.',
  },
  PIX_CITY: {
    ...matching(/^[\x20-\x7e]{1,15}$/, '1 to 15 ASCII characters'),
    default: { development: 'Sao Paulo', production: null },
    meaning: 'The city that a payer sees next to the merchant’s name, if the bank does not set it.',
  },
  PIX_CERTIFICATE_FILE: {
    ...pemFile,
    default: { development: './data/pix/client-certificate.pem', production: null },
    meaning: 'The file with the client certificate for the bank. Its simulator writes one there.',
  },
  PIX_PRIVATE_KEY_FILE: {
    ...pemFile,
    default: { development: './data/pix/client-key.pem', production: null },
    meaning: 'The file with the private key of that certificate.',
  },
  PIX_CA_FILE: {
    ...pemFile,
    default: { development: './data/pix/ca.pem', production: null },
    meaning:
      'The file with the certificate authority that authenticates the bank. If unset, the system’s certificate authorities do.',
  },
  PIX_WEBHOOK_CERTIFICATES: {
    ...listOf(fingerprintIn, 'SHA-256 fingerprints of certificates'),
    default: null,
    meaning:
      'The SHA-256 fingerprints of the bank’s client certificates, which a proxy of TRUSTED_PROXIES forwards in the header Client-Cert (RFC 9440).',
  },
  PIX_ALLOW_LIST: {
    ...networks,
    default: { development: '127.0.0.1,::1', production: null },
    meaning: 'The source addresses of the bank’s notifications. Production requires this or PIX_WEBHOOK_CERTIFICATES.',
  },
} as const;

export const pixConfiguration: ConfigurationPart<typeof VARIABLES, PixConfiguration> = {
  name: PIX,
  variables: VARIABLES,
  isOnWith: 'PIX_URL',
  needed: [
    'PIX_CLIENT_ID',
    'PIX_CLIENT_SECRET',
    'PIX_CHAVE',
    'PIX_CITY',
    'PIX_CERTIFICATE_FILE',
    'PIX_PRIVATE_KEY_FILE',
    ['PIX_ALLOW_LIST', 'PIX_WEBHOOK_CERTIFICATES'],
  ],
  isReached: true,
  allowLists: ['PIX_ALLOW_LIST'],
  rules: [
    needsOwnAddress('PIX_URL'),
    ({ PIX_WEBHOOK_CERTIFICATES }, { textOf }) =>
      PIX_WEBHOOK_CERTIFICATES !== null && textOf('TRUSTED_PROXIES') === null
        ? 'PIX_WEBHOOK_CERTIFICATES is set, so TRUSTED_PROXIES must be set too: only a proxy sees certificates'
        : undefined,
    ownInProduction(VARIABLES, 'PIX_CLIENT_SECRET'),
  ],
  configure: (values, { environment, notificationsUrl }) =>
    values.PIX_URL === null
      ? null
      : {
          url: values.PIX_URL,
          tokenUrl: values.PIX_TOKEN_URL ?? new URL('/oauth/token', values.PIX_URL).href,
          clientId: given(values.PIX_CLIENT_ID),
          clientSecret: given(values.PIX_CLIENT_SECRET),
          chave: given(values.PIX_CHAVE),
          city: given(values.PIX_CITY),
          certificateFile: given(values.PIX_CERTIFICATE_FILE),
          privateKeyFile: given(values.PIX_PRIVATE_KEY_FILE),
          caFile: values.PIX_CA_FILE,
          webhookUrl: notificationsUrl,
          webhook: {
            certificateFingerprints: values.PIX_WEBHOOK_CERTIFICATES ?? [],
            allowList: values.PIX_ALLOW_LIST ?? [],
          },
          simulated: environment === 'development',
        },
  keyFiles({ certificateFile, privateKeyFile, caFile, simulated }) {
    const maker = simulated ? 'simulator' : 'nobody';
    return [
      { variable: 'PIX_CERTIFICATE_FILE', path: certificateFile, holds: 'certificate', maker },
      { variable: 'PIX_PRIVATE_KEY_FILE', path: privateKeyFile, holds: 'private key', maker },
      ...(caFile === null ? [] : [{ variable: 'PIX_CA_FILE', path: caFile, holds: 'certificate', maker } as const]),
    ];
  },
};
