/** The environment variables of the gateway as a whole; those of the rails are in their folders. */
import { ENVIRONMENTS } from '../../foundation/environment.ts';
import { hasEveryAddress } from '../../foundation/networks.ts';
import { processCount } from '../../foundation/process-count.ts';
import { Secret } from '../../foundation/secret.ts';
import { listOf, networks, oneOf, wholeNumber } from '../../foundation/text-readers.ts';
import {
  filePath,
  host,
  httpsInProduction,
  httpUrl,
  port,
  type Rule,
  type ValuesOf,
  type Variables,
} from '../../foundation/variables.ts';
import { MASTER_KEY_ACCEPTS, parseMasterKeys } from './master-key.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export const GATEWAY_VARIABLES = {
  GATEWAY_ENV: {
    ...oneOf(ENVIRONMENTS),
    default: 'development',
    meaning: 'Production refuses whatever is only fit for trying things out.',
  },
  HOST: { ...host, default: '127.0.0.1', meaning: 'Where merchants are served.' },
  PORT: { ...port, default: '8080', meaning: 'Where merchants are served.' },
  METRICS_HOST: { ...host, default: '127.0.0.1', meaning: 'Where /metrics is served.' },
  METRICS_PORT: { ...port, default: '9464', meaning: 'Where /metrics is served.' },
  DATABASE_URL: {
    read: (text: string) => (/^postgres(ql)?:\/\/\S+$/.test(text) ? new Secret(text) : undefined),
    accepts: 'postgresql://user:password@host:port/database',
    default: null,
    meaning: 'The PostgreSQL (15 or newer) to use. Unset: the embedded one, with its data in GATEWAY_DATA_DIR.',
  },
  DATABASE_POOL_SIZE: {
    ...wholeNumber(2, 500),
    default: '10',
    meaning: 'How many connections a process holds at most.',
  },
  GATEWAY_PROCESSES: {
    ...processCount,
    default: null,
    meaning: 'How many processes serve runs under a supervisor that shares the port out. Unset: one, by itself.',
  },
  GATEWAY_DATA_DIR: {
    ...filePath,
    accepts: "a folder; a relative one starts at the project's root",
    default: './data',
    meaning: 'Where the embedded PostgreSQL and the generated master key are kept.',
  },
  GATEWAY_MASTER_KEY: {
    read: (text: string) => (parseMasterKeys(text) ? new Secret(text) : undefined),
    accepts: MASTER_KEY_ACCEPTS,
    default: null,
    meaning:
      'Seals card numbers and keys. Required in production; in development one is made in GATEWAY_DATA_DIR/master.key.',
  },
  PUBLIC_URL: {
    ...httpUrl,
    default: null,
    meaning: 'The address, with its path prefix, by which merchants, payers and providers reach HOST:PORT.',
  },
  TRUSTED_PROXIES: {
    ...networks,
    default: null,
    meaning: 'Whose X-Forwarded-For and Client-Cert are believed. Unset: nobody’s.',
  },
  SHUTDOWN_NOTICE_MS: {
    ...wholeNumber(0, 60_000),
    default: '0',
    meaning: 'How long /readyz says 503 before a process that is told to stop takes no more connections.',
  },
  LOG_LEVEL: { ...oneOf(LOG_LEVELS), default: 'info', meaning: 'The least that is worth a line in the log.' },
  ALERT_URL: { ...httpUrl, default: null, meaning: 'Where alerts are posted as JSON. Unset: they are logged only.' },
  CALLBACK_EXTRA_PORTS: {
    ...listOf((text) => wholeNumber(1, 65_535).read(text), 'ports'),
    default: null,
    meaning: 'Ports that callbacks may go to in production, besides 443.',
  },
} as const satisfies Variables;

export type GatewayValues = ValuesOf<typeof GATEWAY_VARIABLES>;

export const GATEWAY_RULES: readonly Rule<GatewayValues>[] = [
  (values, { environment, variables }) =>
    environment === 'production' && values.GATEWAY_MASTER_KEY === null && !variables['GATEWAY_MASTER_KEY']
      ? `GATEWAY_MASTER_KEY is required in production: ${MASTER_KEY_ACCEPTS}`
      : undefined,
  httpsInProduction('PUBLIC_URL', 'ALERT_URL'),
  ({ TRUSTED_PROXIES: proxies }) =>
    proxies !== null && hasEveryAddress(proxies)
      ? 'TRUSTED_PROXIES must not be every address: anybody could then write from where a request comes; list the addresses of your proxy'
      : undefined,
  (values) =>
    values.PORT && values.PORT === values.METRICS_PORT
      ? 'METRICS_PORT must differ from PORT: metrics are not for the public'
      : undefined,
];
