/**
 * The configuration: every environment variable that the gateway reads, as one table. It is read once, here and nowhere
 * else; all faults are found before any is told.
 */
import { resolve } from 'node:path';
import { ENVIRONMENTS, type Environment } from '../foundation/environment.ts';
import { fail, ok, type Result } from '../foundation/result.ts';
import { Secret } from '../foundation/secret.ts';
import { listOf, networks, oneOf, readMinorOrZero, type TextReader, wholeNumber } from '../foundation/text-readers.ts';
import type { RailsConfiguration } from '../rails/registry.ts';
import { MASTER_KEY_ACCEPTS, parseMasterKeys } from './master-key.ts';

/** Relative paths start here, whatever folder a command was given in. */
export const PROJECT_ROOT = resolve(import.meta.dirname, '../../..');

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

interface Variable<Value> extends TextReader<Value> {
  /** The text that counts when none is given; null = unset. */
  readonly default: string | null | Readonly<Record<Environment, string | null>>;
  readonly meaning: string;
}

const port = { ...wholeNumber(0, 65_535), accepts: 'a port from 1 to 65535, or 0 for any free one' };
const host = {
  read: (text: string) => (/^[A-Za-z0-9._:-]+$/.test(text) ? text : undefined),
  accepts: 'an address or a host name to listen on',
};
const httpUrl = {
  read: (text: string) => {
    const url = URL.parse(text);
    return url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
      ? text.replace(/\/+$/, '')
      : undefined;
  },
  accepts: 'an http(s) address without query',
};

export const VARIABLES = {
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
  GATEWAY_DATA_DIR: {
    read: (text: string) => (text.includes('\0') ? undefined : resolve(PROJECT_ROOT, text)),
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
    meaning: 'Whose X-Forwarded-For is believed. Unset: nobody’s.',
  },
  LOG_LEVEL: { ...oneOf(LOG_LEVELS), default: 'info', meaning: 'The least that is worth a line in the log.' },
  ALERT_URL: { ...httpUrl, default: null, meaning: 'Where alerts are posted as JSON. Unset: they are logged only.' },
  CALLBACK_EXTRA_PORTS: {
    ...listOf((text) => wholeNumber(1, 65_535).read(text), 'ports'),
    default: null,
    meaning: 'Ports that callbacks may go to in production, besides 443.',
  },
  SANDBOX_SUCCESS_CARD: {
    read: (text: string) => (/^\d{12,19}$/.test(text) ? text : undefined),
    accepts: 'a card number of 12 to 19 digits',
    default: '4111111111111111',
    meaning: 'The one card on which a payout by method 70, the sandbox, succeeds.',
  },
  STAND_IN_BANK_URL: {
    ...httpUrl,
    default: { development: 'http://127.0.0.1:4010', production: null },
    meaning: 'The stand-in bank (npm run simulators) behind all methods but 70. Refused in production.',
  },
  STAND_IN_BANK_SECRET: {
    read: (text: string) => new Secret(text),
    accepts: 'any text',
    default: { development: 'stand-in-bank-secret', production: null },
    meaning: 'What the gateway and the stand-in bank know each other by. Refused in production.',
  },
  STP_URL: {
    ...httpUrl,
    default: null,
    meaning:
      'Where STP answers queries; in development its simulator (http://127.0.0.1:4020). Unset: no SPEI deposits.',
  },
  STP_ORDERS_URL: {
    ...httpUrl,
    default: null,
    meaning: 'Where STP takes orders, by which money is returned. Unset: STP_URL, as at the simulator.',
  },
  STP_EMPRESA: {
    read: (text: string) => (/^[A-Za-z0-9_]{1,15}$/.test(text) ? text : undefined),
    accepts: '1 to 15 letters, digits or underscores',
    default: { development: 'GATEWAY', production: null },
    meaning: 'The name under which STP knows this gateway.',
  },
  STP_CLABE_PREFIX: {
    read: (text: string) => (/^646\d{3,11}$/.test(text) ? text : undefined),
    accepts: '6 to 14 digits that begin with 646',
    default: { development: '6461804990', production: null },
    meaning: 'What all CLABEs of this gateway begin with.',
  },
  STP_BENEFICIARY: {
    read: (text: string) => (/^[\p{L}\d .,&-]{1,60}$/u.test(text) ? text : undefined),
    accepts: 'a name of at most 60 letters, digits, spaces and . , & -',
    default: { development: 'Payment Gateway', production: null },
    meaning: 'Whom a payer by SPEI sees as the recipient.',
  },
  STP_PRIVATE_KEY_FILE: {
    read: (text: string) => (text.includes('\0') ? undefined : resolve(PROJECT_ROOT, text)),
    accepts: 'the path of a PEM file',
    default: { development: './data/stp-private-key.pem', production: null },
    meaning: 'Signs what STP is asked. In development it is made where it is missing.',
  },
  STP_ALLOW_LIST: {
    ...networks,
    default: { development: '127.0.0.1,::1', production: null },
    meaning: 'Where STP’s notifications come from: nothing else vouches for them.',
  },
  STP_CONFIRM_ABOVE: {
    read: (text: string) => readMinorOrZero(text, 'MXN'),
    accepts: 'an amount or 0',
    default: '50000.00',
    meaning: 'Above this amount in pesos a notification counts only once STP, asked, says the same. 0: always.',
  },
} as const satisfies Record<string, Variable<unknown>>;

export type VariableName = keyof typeof VARIABLES;
type Read<Name extends VariableName> = Exclude<ReturnType<(typeof VARIABLES)[Name]['read']>, undefined>;
type Values = { readonly [Name in VariableName]: Read<Name> | null };

export interface Config {
  readonly environment: Environment;
  readonly host: string;
  readonly port: number;
  readonly metricsHost: string;
  readonly metricsPort: number;
  /** Null: the embedded PostgreSQL. */
  readonly databaseUrl: Secret | null;
  readonly databasePoolSize: number;
  /** Absolute. */
  readonly dataDir: string;
  /** Null: a key is kept in the data directory. */
  readonly masterKey: Secret | null;
  /** Without a slash at the end; null: the address that the gateway listens on. */
  readonly publicUrl: string | null;
  readonly trustedProxies: readonly string[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly alertUrl: string | null;
  readonly callbackExtraPorts: ReadonlySet<number>;
  /** Null where a rail is not configured. */
  readonly rails: RailsConfiguration;
}

/** Reads the whole configuration, frozen; the failure lists every fault, each a sentence that names its variable. */
export function readConfig(variables: EnvironmentVariables): Result<Config, readonly string[]> {
  const environment = VARIABLES.GATEWAY_ENV.read(variables['GATEWAY_ENV'] || 'development') ?? 'development';
  const names = Object.keys(VARIABLES) as VariableName[];
  const values = Object.fromEntries(names.map((name) => [name, readVariable(name, variables, environment)])) as Values;
  const faults = [
    ...names.filter((name) => textOf(name, variables, environment) !== null && values[name] === null).map(formatFault),
    ...RULES.flatMap((rule) => rule(values, environment, variables) ?? []),
    ...unknownVariables(variables),
  ];
  return faults.length > 0 ? fail(faults) : ok(Object.freeze(toConfig(values, environment)));
}

/** An empty text counts as unset, as Compose files and CI systems write it. */
function textOf(name: VariableName, variables: EnvironmentVariables, environment: Environment): string | null {
  const given = variables[name];
  if (given !== undefined && given !== '') return given;
  const fallback: Variable<unknown>['default'] = VARIABLES[name].default;
  return fallback === null || typeof fallback === 'string' ? fallback : fallback[environment];
}

function readVariable(name: VariableName, variables: EnvironmentVariables, environment: Environment): unknown {
  const text = textOf(name, variables, environment);
  return text === null ? null : (VARIABLES[name].read(text) ?? null);
}

/** The text itself is not repeated: it may be a secret that was given under the wrong name. */
function formatFault(name: VariableName): string {
  return `${name} accepts ${VARIABLES[name].accepts}`;
}

type Rule = (values: Values, environment: Environment, variables: EnvironmentVariables) => string | undefined;

const isHttps = (url: string | null) => url === null || url.startsWith('https:');

const HTTPS_IN_PRODUCTION = ['PUBLIC_URL', 'ALERT_URL', 'STP_URL', 'STP_ORDERS_URL'] as const;

const STP_NEEDS = [
  'STP_EMPRESA',
  'STP_CLABE_PREFIX',
  'STP_BENEFICIARY',
  'STP_PRIVATE_KEY_FILE',
  'STP_ALLOW_LIST',
] as const;

/** What one variable alone does not show. */
const RULES: readonly Rule[] = [
  (values, environment, variables) =>
    environment === 'production' && values.GATEWAY_MASTER_KEY === null && !variables['GATEWAY_MASTER_KEY']
      ? `GATEWAY_MASTER_KEY is required in production: ${MASTER_KEY_ACCEPTS}`
      : undefined,
  (_values, environment, variables) => {
    const given = ['STAND_IN_BANK_URL', 'STAND_IN_BANK_SECRET'].filter((name) => variables[name]);
    return environment === 'production' && given.length > 0
      ? `${given.join(' and ')} must not be set in production: the stand-in bank moves no money`
      : undefined;
  },
  (values, environment) => {
    const plain = HTTPS_IN_PRODUCTION.filter((name) => !isHttps(values[name]));
    return environment === 'production' && plain.length > 0
      ? `${plain.join(' and ')} must begin with https:// in production`
      : undefined;
  },
  (values, environment, variables) => {
    const missing = STP_NEEDS.filter((name) => textOf(name, variables, environment) === null);
    return values.STP_URL !== null && missing.length > 0
      ? `STP_URL is set, so ${missing.join(', ')} must be set too`
      : undefined;
  },
  (values) =>
    values.PORT && values.PORT === values.METRICS_PORT
      ? 'METRICS_PORT must differ from PORT: metrics are not for the public'
      : undefined,
];

function unknownVariables(variables: EnvironmentVariables): string[] {
  const unknown = Object.keys(variables).filter(
    (name) => name.startsWith('GATEWAY_') && !Object.hasOwn(VARIABLES, name),
  );
  const known = Object.keys(VARIABLES).filter((name) => name.startsWith('GATEWAY_'));
  return unknown.map((name) => `${name} is not a variable of the gateway (those that begin so: ${known.join(', ')})`);
}

function toConfig(values: Values, environment: Environment): Config {
  const { STAND_IN_BANK_URL: url, STAND_IN_BANK_SECRET: secret } = values;
  return {
    environment,
    host: given(values.HOST),
    port: given(values.PORT),
    metricsHost: given(values.METRICS_HOST),
    metricsPort: given(values.METRICS_PORT),
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: given(values.DATABASE_POOL_SIZE),
    dataDir: given(values.GATEWAY_DATA_DIR),
    masterKey: values.GATEWAY_MASTER_KEY,
    publicUrl: values.PUBLIC_URL,
    trustedProxies: Object.freeze(values.TRUSTED_PROXIES ?? []),
    logLevel: given(values.LOG_LEVEL),
    alertUrl: values.ALERT_URL,
    callbackExtraPorts: new Set(values.CALLBACK_EXTRA_PORTS),
    rails: Object.freeze({
      sandbox: Object.freeze({ successCard: given(values.SANDBOX_SUCCESS_CARD) }),
      standInBank: url !== null && secret !== null ? Object.freeze({ url, secret }) : null,
      stp: values.STP_URL === null ? null : Object.freeze(stpOf(values, environment)),
    }),
  };
}

function stpOf(values: Values, environment: Environment): NonNullable<RailsConfiguration['stp']> {
  return {
    url: given(values.STP_URL),
    ordersUrl: values.STP_ORDERS_URL ?? given(values.STP_URL),
    empresa: given(values.STP_EMPRESA),
    clabePrefix: given(values.STP_CLABE_PREFIX),
    beneficiary: given(values.STP_BENEFICIARY),
    privateKeyFile: given(values.STP_PRIVATE_KEY_FILE),
    allowList: Object.freeze(given(values.STP_ALLOW_LIST)),
    confirmAbove: given(values.STP_CONFIRM_ABOVE),
    simulated: environment === 'development',
  };
}

/** Variables with a default are never null once no fault was found. */
function given<Value>(value: Value | null): Value {
  return value as Value;
}
