/**
 * The configuration: every environment variable that the gateway reads, as one table. No other file reads the environment. It
 * reports all faults together.
 */
import type { RailSetup } from '../../domain/rails/rail-setup.ts';
import type { Environment, Mode } from '../../foundation/environment.ts';
import type { ProcessCount } from '../../foundation/process-count.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import {
  type EnvironmentVariables,
  given,
  type Rule,
  type Surroundings,
  type ValuesOf,
  type Variable,
} from '../../foundation/variables.ts';
import { configureRails, RAIL_RULES, RAIL_VARIABLES, RAILS, type RailsConfiguration } from '../../rails/registry.ts';
import { readConnectionSecurity } from '../../storage/core/connection/connection-security.ts';
import { OVERRIDE_NAMES, OVERRIDES, type Override } from '../production/overrides.ts';
import type { ConfigurationFacts } from '../production/production-rules.ts';
import { judgeConfiguration, NO_RISK, type Risk, refusalOf } from '../production/risks.ts';
import { GATEWAY_RULES, GATEWAY_VARIABLES, type LOG_LEVELS, type UNSEALED_PAYOUTS } from './gateway-variables.ts';
import { parseMasterKeys } from './master-key.ts';
import { railSetupsOf } from './rail-setups.ts';
import { TRACES_RULES, TRACES_VARIABLES, type TracesConfig, tracesOf } from './traces-config.ts';
import { fillFromFiles } from './variable-files.ts';

export type { EnvironmentVariables } from '../../foundation/variables.ts';

export const VARIABLES = {
  ...GATEWAY_VARIABLES,
  ...TRACES_VARIABLES,
  ...OVERRIDES,
  ...RAIL_VARIABLES,
};

type VariableName = keyof typeof VARIABLES;
type Values = ValuesOf<typeof VARIABLES>;

export interface Config {
  readonly environment: Environment;
  readonly mode: Mode;
  readonly host: string;
  readonly port: number;
  readonly metricsHost: string;
  readonly metricsPort: number;
  readonly manageHost: string;
  readonly managePort: number;
  /** The origin has no trailing slash. */
  readonly manageOrigin: string;
  /** If null, the gateway does not send an email. */
  readonly mail: { readonly url: Secret; readonly from: string } | null;
  /** If null, sign-in at an OpenID Connect provider is off. */
  readonly openid: { readonly issuer: string; readonly clientId: string; readonly clientSecret: Secret } | null;
  /** If null, the gateway runs its embedded PostgreSQL. */
  readonly databaseUrl: Secret | null;
  /** The login of backups. If null, backups use that of the gateway. */
  readonly backupDatabaseUrl: Secret | null;
  /** The pool size of one process. */
  readonly databasePoolSize: number;
  /** The number of processes. If null, one process runs without a supervisor. */
  readonly processes: ProcessCount | null;
  readonly shutdownNoticeMs: number;
  /** An absolute path. */
  readonly dataDir: string;
  /** If null, the gateway keeps a key in the data directory. */
  readonly masterKey: Secret | null;
  /** A URL without a trailing slash. If null, the gateway's listening address is used. */
  readonly publicUrl: string | null;
  readonly trustedProxies: readonly string[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly alertUrl: string | null;
  readonly runbooksUrl: string | null;
  readonly callbackExtraPorts: ReadonlySet<number>;
  readonly unsealedPayouts: (typeof UNSEALED_PAYOUTS)[number];
  /** The configuration of traces. If null, the gateway exports none. */
  readonly traces: TracesConfig | null;
  /** Null for each rail that is not configured. */
  readonly rails: RailsConfiguration;
  /** The variables of each rail with a provider. */
  readonly railSetups: readonly RailSetup[];
  /** The rules of production that an operator has overridden. */
  readonly overrides: ReadonlySet<Override>;
  /** The rules that the variables break and an operator has overridden; none in development. */
  readonly acceptedRisks: readonly Risk[];
}

/** A valid configuration, and the risks for which production would still reject it. */
interface JudgedConfig {
  readonly config: Config;
  readonly refused: readonly Risk[];
  /** The absolute path of each value that came from a file, by the name of the variable. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Reads the entire configuration, frozen. The failure lists every fault in a sentence with its variable. A risk that
 * production refuses is a fault.
 */
export function readConfig(variables: EnvironmentVariables): Result<Config, readonly string[]> {
  const judged = judgeConfig(variables);
  if (!judged.ok) return judged;
  const { config, refused } = judged.value;
  return refused.length > 0 ? fail(refused.map(refusalOf)) : ok(config);
}

/** Used by the doctor, which also checks an installation that would not start. */
export function judgeConfig(environmentVariables: EnvironmentVariables): Result<JudgedConfig, readonly string[]> {
  const { variables, files, faults: fileFaults } = fillFromFiles(environmentVariables, Object.keys(VARIABLES));
  const environment = VARIABLES.GATEWAY_ENV.read(variables['GATEWAY_ENV'] || 'development') ?? 'development';
  const names = Object.keys(VARIABLES) as VariableName[];
  const textOf = (name: string) => readText(name, variables, environment);
  const values = Object.fromEntries(names.map((name) => [name, readVariable(name, textOf(name))])) as Values;
  const surroundings: Surroundings = { environment, variables, textOf };
  const faults = [
    ...fileFaults,
    ...names.filter((name) => textOf(name) !== null && values[name] === null).map(formatFault),
    ...RULES.flatMap((rule) => rule(values, surroundings) ?? []),
    ...unknownVariables(variables),
  ];
  const overrides = new Set(OVERRIDE_NAMES.filter((name) => values[name] !== null));
  const { refused, accepted } =
    environment === 'production' ? judgeConfiguration(factsOf(values, variables), overrides) : NO_RISK;
  if (faults.length > 0) return fail([...faults, ...refused.map(refusalOf)]);
  const config = Object.freeze({
    ...toConfig(values, environment),
    railSetups: railSetupsOf(surroundings),
    overrides,
    acceptedRisks: accepted,
  });
  return ok({ config, refused, files });
}

/** Omits a faulty variable, because its fault is reported separately. */
function factsOf(values: Values, variables: EnvironmentVariables): ConfigurationFacts {
  const isOn = (name: string | null) => name !== null && values[name as VariableName] !== null;
  const rails = Object.values(RAILS).filter(({ isOnWith }) => isOn(isOnWith));
  const listed = rails.flatMap(({ allowLists = [] }) => allowLists.map((name) => name as VariableName));
  return {
    host: values.HOST,
    metricsHost: values.METRICS_HOST,
    manageHost: values.MANAGE_HOST,
    publicUrl: values.PUBLIC_URL,
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    callbackExtraPorts: values.CALLBACK_EXTRA_PORTS ?? [],
    currentMasterKey: values.GATEWAY_MASTER_KEY && (parseMasterKeys(values.GATEWAY_MASTER_KEY.reveal())?.[0] ?? null),
    hasDatabaseUrl: values.DATABASE_URL !== null || (variables['DATABASE_URL'] ?? '') !== '',
    connectionSecurity: values.DATABASE_URL === null ? undefined : readConnectionSecurity(values.DATABASE_URL.reveal()),
    reachedRails: rails.flatMap(({ isReached, isOnWith }) => (isReached && isOnWith ? [isOnWith] : [])),
    allowLists: Object.fromEntries(listed.map((name) => [name, (values[name] as readonly string[] | null) ?? []])),
  };
}

/** An empty string counts as unset, because that is how Compose files and CI systems write unset variables. */
function readText(name: string, variables: EnvironmentVariables, environment: Environment): string | null {
  const text = variables[name];
  if (text !== undefined && text !== '') return text;
  const fallback: Variable<unknown>['default'] = VARIABLES[name as VariableName].default;
  return fallback === null || typeof fallback === 'string' ? fallback : fallback[environment];
}

function readVariable(name: VariableName, text: string | null): unknown {
  return text === null ? null : (VARIABLES[name].read(text) ?? null);
}

/** Does not repeat the text, which may be a secret under the wrong name. */
function formatFault(name: VariableName): string {
  return `${name} accepts ${VARIABLES[name].accepts}`;
}

/** The rules that need more than one variable. */
const RULES: readonly Rule<Values>[] = [...GATEWAY_RULES, ...TRACES_RULES, ...RAIL_RULES];

function unknownVariables(variables: EnvironmentVariables): string[] {
  const unknown = Object.keys(variables).filter(
    (name) => name.startsWith('GATEWAY_') && !Object.hasOwn(VARIABLES, name),
  );
  const known = Object.keys(VARIABLES).filter((name) => name.startsWith('GATEWAY_'));
  return unknown.map((name) => `${name} is not a gateway variable (variables with this prefix: ${known.join(', ')})`);
}

function toConfig(
  values: Values,
  environment: Environment,
): Omit<Config, 'railSetups' | 'overrides' | 'acceptedRisks'> {
  return {
    environment,
    mode: given(values.GATEWAY_MODE),
    host: given(values.HOST),
    port: given(values.PORT),
    metricsHost: given(values.METRICS_HOST),
    metricsPort: given(values.METRICS_PORT),
    manageHost: given(values.MANAGE_HOST),
    managePort: given(values.MANAGE_PORT),
    manageOrigin: values.MANAGE_ORIGIN ?? `http://localhost:${given(values.MANAGE_PORT)}`,
    mail: values.SMTP_URL && { url: values.SMTP_URL, from: given(values.MAIL_FROM) },
    openid: values.OPENID_ISSUER === null ? null : openidOf(values, values.OPENID_ISSUER),
    databaseUrl: values.DATABASE_URL,
    backupDatabaseUrl: values.BACKUP_DATABASE_URL,
    databasePoolSize: given(values.DATABASE_POOL_SIZE),
    processes: values.GATEWAY_PROCESSES,
    shutdownNoticeMs: given(values.SHUTDOWN_NOTICE_MS),
    dataDir: given(values.GATEWAY_DATA_DIR),
    masterKey: values.GATEWAY_MASTER_KEY,
    publicUrl: values.PUBLIC_URL,
    trustedProxies: Object.freeze(values.TRUSTED_PROXIES ?? []),
    logLevel: given(values.LOG_LEVEL),
    alertUrl: values.ALERT_URL,
    runbooksUrl: values.RUNBOOKS_URL,
    callbackExtraPorts: new Set(values.CALLBACK_EXTRA_PORTS),
    unsealedPayouts: given(values.UNSEALED_PAYOUTS),
    traces: tracesOf(values),
    rails: configureRails(values, { environment, notificationsUrl: `${ownUrl(values)}/rail-notifications` }),
  };
}

function openidOf({ OPENID_CLIENT_ID, OPENID_CLIENT_SECRET }: Values, issuer: string): Config['openid'] {
  return { issuer, clientId: given(OPENID_CLIENT_ID), clientSecret: given(OPENID_CLIENT_SECRET) };
}

/** Returns the address at which others reach the gateway: this machine's, if no other is set. */
function ownUrl({ PUBLIC_URL, HOST, PORT }: Values): string {
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[given(HOST)] ?? given(HOST);
  return PUBLIC_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}
