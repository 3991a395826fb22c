/** The environment variables of the gateway itself. Each rail's folder has its own variables. */
import { ENVIRONMENTS, MODES } from '../../foundation/environment.ts';
import { hasEveryAddress, isLoopbackAddress } from '../../foundation/networks.ts';
import { processCount } from '../../foundation/process-count.ts';
import { Secret } from '../../foundation/secret.ts';
import { listOf, matching, networks, oneOf, wholeNumber } from '../../foundation/text/text-readers.ts';
import {
  filePath,
  host,
  httpsInProduction,
  httpUrl,
  needs,
  port,
  type Rule,
  secret,
  type ValuesOf,
  type Variables,
} from '../../foundation/variables.ts';
import { replacesSessionOptions } from '../../storage/core/connection/connection-security.ts';
import { wantsNoPrimary } from '../../storage/core/connection/primary-hosts.ts';
import { MASTER_KEY_ACCEPTS, parseMasterKeys } from './master-key.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** The worker's treatment of payouts that an earlier version accepted. */
export const UNSEALED_PAYOUTS = ['wait', 'send'] as const;

export const GATEWAY_VARIABLES = {
  GATEWAY_ENV: {
    ...oneOf(ENVIRONMENTS),
    default: 'development',
    meaning:
      'The environment. In production the gateway refuses to start with settings that are only safe in development.',
  },
  GATEWAY_MODE: {
    ...oneOf(MODES),
    default: 'live',
    meaning:
      'Whether payments are real. A sandbox world sets it to sandbox: its keys begin with SANDBOX, and its pages, responses and callbacks identify it as a sandbox.',
  },
  HOST: {
    ...host,
    default: '127.0.0.1',
    meaning: 'The address on which the gateway listens for merchants, payers and providers.',
  },
  PORT: {
    ...port,
    default: '8080',
    meaning: 'The port on which the gateway listens for merchants, payers and providers.',
  },
  METRICS_HOST: {
    ...host,
    default: '127.0.0.1',
    meaning: 'The address of the operations listener: /metrics, /healthz and /readyz.',
  },
  METRICS_PORT: {
    ...port,
    default: '9464',
    meaning: 'The port of the operations listener: /metrics, /healthz and /readyz.',
  },
  MANAGE_HOST: {
    ...host,
    default: '127.0.0.1',
    meaning: 'The address of the management listener: the management API and its pages.',
  },
  MANAGE_PORT: {
    ...port,
    default: '8081',
    meaning: 'The port of the management listener: the management API and its pages.',
  },
  MANAGE_ORIGIN: {
    read: (text: string) => {
      const url = URL.parse(text);
      const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === 'localhost');
      return url && isSecure && url.origin === text.replace(/\/$/, '') ? url.origin : undefined;
    },
    accepts: 'https://HOST, or http://localhost:PORT',
    default: null,
    meaning:
      'The URL at which browsers reach the management listener. If unset, http://localhost:MANAGE_PORT. Passkeys belong to its host name, so they are lost when it changes.',
  },
  SMTP_URL: {
    read: (text: string) => (/^smtps?:\/\/\S+$/.test(text) ? new Secret(text) : undefined),
    accepts: 'smtp://user:password@host:port, or smtps:// for TLS from the start',
    default: null,
    meaning:
      'The mail server for invitations and receipts. If unset, users forward invitation links themselves, and payers do not receive receipts by email.',
  },
  MAIL_FROM: {
    ...matching(/^[^\r\n]{3,200}$/, 'an email address'),
    default: null,
    meaning: 'The sender of emails.',
  },
  OPENID_ISSUER: {
    ...httpUrl,
    default: null,
    meaning: 'The OpenID Connect provider for operator users. If unset, they sign in with passkeys or passwords.',
  },
  OPENID_CLIENT_ID: {
    ...matching(/^\S{1,200}$/, 'the id of this gateway at the provider'),
    default: null,
    meaning: 'The client id of this gateway at OPENID_ISSUER.',
  },
  OPENID_CLIENT_SECRET: {
    ...secret,
    default: null,
    meaning: 'The client secret of this gateway at OPENID_ISSUER.',
  },
  DATABASE_URL: {
    read: (text: string) => (/^postgres(ql)?:\/\/\S+$/.test(text) ? new Secret(text) : undefined),
    accepts: 'postgresql://user:password@host:port/database, or several host:port separated by commas',
    default: null,
    meaning:
      'The PostgreSQL database, version 15 or newer. Of several hosts the gateway uses the primary. If unset, the gateway starts the embedded PostgreSQL with its data in GATEWAY_DATA_DIR.',
  },
  KEY_SERVICE_URL: {
    read: (text: string) => {
      const url = URL.parse(text);
      const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackAddress(url.hostname));
      return isSecure ? text.replace(/\/$/, '') : undefined;
    },
    accepts: 'https://HOST, or http:// with an address of this machine',
    default: null,
    meaning:
      'HashiCorp Vault or OpenBao. Its transit engine decrypts every variable whose value begins with vault:v1: at startup.',
  },
  KEY_SERVICE_TOKEN: {
    ...secret,
    default: null,
    meaning: 'The token for KEY_SERVICE_URL. It needs permission to update transit/decrypt/KEY.',
  },
  KEY_SERVICE_KEY: {
    ...matching(/^[\w.-]{1,100}$/, 'the name of a transit key'),
    default: null,
    meaning: 'The transit key at KEY_SERVICE_URL that sealed the values.',
  },
  BACKUP_DATABASE_URL: {
    read: (text: string) => (/^postgres(ql)?:\/\/\S+$/.test(text) ? new Secret(text) : undefined),
    accepts: 'postgresql://user:password@host:port/database',
    default: null,
    meaning:
      'The same server as DATABASE_URL, for "gateway backup": a login with the attribute REPLICATION. Default: the login of DATABASE_URL.',
  },
  DATABASE_POOL_SIZE: {
    ...wholeNumber(2, 500),
    default: '10',
    meaning: 'The maximum number of database connections of one process.',
  },
  GATEWAY_PROCESSES: {
    ...processCount,
    default: null,
    meaning:
      'The number of processes that "gateway serve" starts under a supervisor. If unset, one process serves without a supervisor.',
  },
  GATEWAY_DATA_DIR: {
    ...filePath,
    accepts: "a directory; a relative path starts at the project's root",
    default: './data',
    meaning: 'The directory of the embedded PostgreSQL and of the generated master key.',
  },
  GATEWAY_TOKEN_FILE: {
    ...filePath,
    default: null,
    meaning: 'The file with the API token of commands with --url. Only its owner may read it.',
  },
  GATEWAY_MASTER_KEY: {
    read: (text: string) => (parseMasterKeys(text) ? new Secret(text) : undefined),
    accepts: MASTER_KEY_ACCEPTS,
    default: null,
    meaning:
      'The key that encrypts card numbers and merchant keys. Required in production. In development the gateway generates one in GATEWAY_DATA_DIR/master.key.',
  },
  PUBLIC_URL: {
    ...httpUrl,
    default: null,
    meaning: 'The public URL, with its path prefix, through which merchants, payers and providers reach HOST:PORT.',
  },
  TRUSTED_PROXIES: {
    ...networks,
    default: null,
    meaning:
      'The proxies whose X-Forwarded-For and Client-Cert headers the gateway trusts. If unset, it trusts no proxy.',
  },
  SHUTDOWN_NOTICE_MS: {
    ...wholeNumber(0, 60_000),
    default: '0',
    meaning: 'After SIGTERM, the time in which /readyz returns 503 while the process still accepts connections.',
  },
  LOG_LEVEL: { ...oneOf(LOG_LEVELS), default: 'info', meaning: 'The lowest level that the log contains.' },
  ALERT_URL: {
    ...httpUrl,
    default: null,
    meaning: 'The URL to which the gateway posts alerts as JSON. If unset, it only logs them.',
  },
  RUNBOOKS_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'The URL of the page of runbooks, to which alerts link. If unset, alerts contain its path in the documentation.',
  },
  CALLBACK_EXTRA_PORTS: {
    ...listOf((text) => wholeNumber(1, 65_535).read(text), 'ports'),
    default: null,
    meaning: 'The ports that callback URLs may use in production, in addition to 443.',
  },
  UNSEALED_PAYOUTS: {
    ...oneOf(UNSEALED_PAYOUTS),
    default: 'wait',
    meaning:
      'Whether payouts that a version without payout seals accepted are sent. Set it to send only during the upgrade.',
  },
} as const satisfies Variables;

type GatewayValues = ValuesOf<typeof GATEWAY_VARIABLES>;

export const GATEWAY_RULES: readonly Rule<GatewayValues>[] = [
  (values, { environment, variables }) =>
    environment === 'production' && values.GATEWAY_MASTER_KEY === null && !variables['GATEWAY_MASTER_KEY']
      ? `GATEWAY_MASTER_KEY is required in production: ${MASTER_KEY_ACCEPTS}`
      : undefined,
  ({ GATEWAY_MODE: mode }, { environment }) =>
    environment === 'production' && mode === 'sandbox'
      ? 'GATEWAY_MODE must be live in production: a sandbox has simulated banks, and is a gateway of its own'
      : undefined,
  httpsInProduction('PUBLIC_URL', 'ALERT_URL', 'OPENID_ISSUER'),
  needs('OPENID_ISSUER', 'OPENID_CLIENT_ID', 'OPENID_CLIENT_SECRET'),
  needs('SMTP_URL', 'MAIL_FROM'),
  needs('KEY_SERVICE_URL', 'KEY_SERVICE_TOKEN', 'KEY_SERVICE_KEY'),
  ({ DATABASE_URL: url }) =>
    url !== null && replacesSessionOptions(url.reveal())
      ? 'DATABASE_URL must not have options: they would replace the role and the limits of the gateway’s sessions'
      : undefined,
  ({ DATABASE_URL: url }) =>
    url !== null && wantsNoPrimary(url.reveal())
      ? 'DATABASE_URL must lead to the primary: target_session_attrs may be read-write or primary'
      : undefined,
  (_values, { environment, variables }) =>
    environment === 'production' && variables['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
      ? 'NODE_TLS_REJECT_UNAUTHORIZED must not be 0 in production: an impostor could pose as the database or a provider; name your own authority by NODE_EXTRA_CA_CERTS'
      : undefined,
  ({ TRUSTED_PROXIES: proxies }) =>
    proxies !== null && hasEveryAddress(proxies)
      ? 'TRUSTED_PROXIES must not contain every address: any client could then forge its address. List the addresses of your proxies.'
      : undefined,
  (values) =>
    values.PORT && values.PORT === values.METRICS_PORT
      ? 'METRICS_PORT must differ from PORT: metrics must not be public'
      : undefined,
  (values) =>
    values.MANAGE_PORT && [values.PORT, values.METRICS_PORT].includes(values.MANAGE_PORT)
      ? 'MANAGE_PORT must differ from PORT and METRICS_PORT: each listener needs its own port'
      : undefined,
];
