/**
 * The risks with which production refuses to start, in one list. The start, the doctor and the table in the docs read it. An
 * operator accepts the risk of a rule through the rule's own variable. A plain mistake, such as an http URL that must be
 * https, is not a risk to accept: it is checked with its variable.
 */
import type { MasterKey } from '../../domain/vault/create-vault.ts';
import { hasEveryAddress, isBroad, isInternalAddress, isLoopbackAddress } from '../../foundation/networks.ts';
import type { ConnectionSecurity } from '../../storage/core/connection/connection-security.ts';
import type { LoginRights } from '../../storage/core/connection/login-rights.ts';
import type { Override } from './overrides.ts';
import { isServicePort } from './service-ports.ts';
import { isWeakKey } from './weak-key.ts';

/** Facts from the variables. A null fact has an unset or faulty variable. */
export interface ConfigurationFacts {
  readonly host: string | null;
  readonly metricsHost: string | null;
  readonly manageHost: string | null;
  readonly publicUrl: string | null;
  readonly trustedProxies: readonly string[];
  readonly callbackExtraPorts: readonly number[];
  readonly currentMasterKey: MasterKey | null;
  /** False if the gateway uses the embedded database. */
  readonly hasDatabaseUrl: boolean;
  readonly connectionSecurity: ConnectionSecurity | undefined;
  /** The variables of rails whose providers, or returning payers, connect to PUBLIC_URL. */
  readonly reachedRails: readonly string[];
  /** The networks whose unsigned notifications the gateway trusts as the bank's, by variable. */
  readonly allowLists: Readonly<Record<string, readonly string[]>>;
}

/** Facts from the database. */
export interface DatabaseFacts {
  /** Null for the embedded database, whose only login owns it. */
  readonly login: LoginRights | null;
  /** Server settings with which a crash or a failover can lose an acknowledged commit. */
  readonly unsafeSettings: readonly string[];
  readonly masterKeyId: string | null;
  /** The day when a rotation began to retire the current master key, or null if none did. */
  readonly retiredOn: string | null;
}

interface Explanation {
  /** Shown in the log and the docs. */
  readonly name: string;
  /** Completes "Production refuses …". */
  readonly refuses: string;
  readonly why: string;
  /** The remedy in the imperative. */
  readonly remedy: string;
  readonly override: Override;
}

interface RuleOver<Facts> extends Explanation {
  /** Returns the finding, with its variable and without a secret, or undefined if the rule holds. */
  readonly find: (facts: Facts) => string | undefined;
}

export type ProductionRule =
  | (RuleOver<ConfigurationFacts> & { readonly over: 'configuration' })
  | (RuleOver<DatabaseFacts> & { readonly over: 'database' });

/** The size of one large network of a CDN. */
const PROXIES_LIMIT = { ipv4: 8, ipv6: 20 } as const;
/** The size of a bank's own networks. */
const ALLOW_LIST_LIMIT = { ipv4: 16, ipv6: 32 } as const;

const isLoopback = (host: string) => host === 'localhost' || isLoopbackAddress(host);

const CONNECTION_FAULTS: Readonly<Partial<Record<ConnectionSecurity, string>>> = {
  plain: 'DATABASE_URL names another host, without TLS',
  unverified: 'DATABASE_URL names another host, with TLS that does not verify certificates',
};

export const PRODUCTION_RULES: readonly ProductionRule[] = [
  {
    name: 'weak_master_key',
    over: 'configuration',
    refuses: 'a current master key that is all zeros, a pattern or readable text',
    why: 'an attacker who guesses the key decrypts every card number and merchant key',
    remedy: 'generate a key with "openssl rand -base64 32", and rotate to it',
    override: 'GATEWAY_ALLOW_WEAK_MASTER_KEY',
    find: ({ currentMasterKey }) =>
      currentMasterKey && isWeakKey(currentMasterKey) ? 'The first key of GATEWAY_MASTER_KEY is not random' : undefined,
  },
  {
    name: 'retired_master_key',
    over: 'database',
    refuses: 'a current master key that `gateway vault rotate` has retired',
    why: 'the gateway would encrypt new secrets with a key that may have leaked',
    remedy: 'put the current key first',
    override: 'GATEWAY_ALLOW_RETIRED_MASTER_KEY',
    find: ({ masterKeyId, retiredOn }) =>
      retiredOn === null
        ? undefined
        : `The first key of GATEWAY_MASTER_KEY (${masterKeyId}) was retired on ${retiredOn}`,
  },
  {
    name: 'plain_http',
    over: 'configuration',
    refuses: 'a `HOST` or `MANAGE_HOST` other than loopback without `TRUSTED_PROXIES`',
    why: 'the gateway speaks plain HTTP, so card numbers, signatures and tokens would cross the network in plain text',
    remedy: 'let a proxy terminate TLS and name it in TRUSTED_PROXIES, or listen on 127.0.0.1',
    override: 'GATEWAY_ALLOW_PLAIN_HTTP',
    find({ host, manageHost, trustedProxies }) {
      const open = Object.entries({ HOST: host, MANAGE_HOST: manageHost }).filter(
        ([, address]) => address !== null && !isLoopback(address),
      );
      return open.length > 0 && trustedProxies.length === 0
        ? `${open.map(([name, address]) => `${name} is ${address}`).join(', ')}, and TRUSTED_PROXIES does not list a proxy`
        : undefined;
    },
  },
  {
    name: 'open_metrics',
    over: 'configuration',
    refuses: 'a `METRICS_HOST` that is neither loopback nor an internal address',
    why: '/metrics shows volumes, balances and rails to every client that reaches it',
    remedy: 'set it to the address of an internal network, or 127.0.0.1',
    override: 'GATEWAY_ALLOW_OPEN_METRICS',
    find: ({ metricsHost }) =>
      metricsHost !== null && metricsHost !== 'localhost' && !isInternalAddress(metricsHost)
        ? `METRICS_HOST is ${metricsHost}`
        : undefined,
  },
  {
    name: 'no_public_url',
    over: 'configuration',
    refuses: 'a rail whose provider calls the gateway, or sends payers back to it, without `PUBLIC_URL`',
    why: 'payers and notifications would be sent to a local address and never arrive',
    remedy: 'set PUBLIC_URL to the address of the proxy',
    override: 'GATEWAY_ALLOW_NO_PUBLIC_URL',
    find: ({ publicUrl, reachedRails }) =>
      publicUrl === null && reachedRails.length > 0
        ? `PUBLIC_URL is not set, and ${reachedRails.join(', ')} needs it`
        : undefined,
  },
  {
    name: 'broad_allow_list',
    over: 'configuration',
    refuses: 'an allow-list of a bank with more than 65,536 public addresses (IPv6: a /32)',
    why: 'these notifications carry no signature, so any sender on the list can forge deposits',
    remedy: 'list the addresses that the bank gave you',
    override: 'GATEWAY_ALLOW_BROAD_ALLOW_LISTS',
    find: ({ allowLists }) => {
      const broad = Object.keys(allowLists).filter((name) => isBroad(allowLists[name] ?? [], ALLOW_LIST_LIMIT));
      return broad.length > 0 ? `${broad.join(' and ')} admits far more addresses than a bank has` : undefined;
    },
  },
  {
    name: 'broad_proxies',
    over: 'configuration',
    refuses: '`TRUSTED_PROXIES` with more public addresses than a /8 (IPv6: a /20)',
    why: 'any sender on the list can forge X-Forwarded-For and bypass every allow-list and rate limit',
    remedy: 'list the addresses of your proxy',
    override: 'GATEWAY_ALLOW_BROAD_PROXIES',
    // Development also rejects a list with every address, without an override, so no server can start with it.
    find: ({ trustedProxies }) =>
      !hasEveryAddress(trustedProxies) && isBroad(trustedProxies, PROXIES_LIMIT)
        ? 'TRUSTED_PROXIES trusts far more addresses than a proxy has'
        : undefined,
  },
  {
    name: 'service_ports',
    over: 'configuration',
    refuses: '`CALLBACK_EXTRA_PORTS` below 1024 (except 443), or of a well-known service such as 6379',
    why: 'a merchant could direct callbacks to mail servers, databases and remote shells',
    remedy: 'allow only ports on which merchants serve HTTPS, such as 8443',
    override: 'GATEWAY_ALLOW_SERVICE_PORTS',
    find: ({ callbackExtraPorts }) => {
      const ports = callbackExtraPorts.filter(isServicePort);
      return ports.length > 0 ? `CALLBACK_EXTRA_PORTS has ${ports.join(', ')}` : undefined;
    },
  },
  {
    name: 'embedded_database',
    over: 'configuration',
    refuses: 'the embedded PostgreSQL',
    why: 'the embedded PostgreSQL has no standby, no backup and only a superuser login',
    remedy: 'set DATABASE_URL to a PostgreSQL of your own',
    override: 'GATEWAY_ALLOW_EMBEDDED_DATABASE',
    find: ({ hasDatabaseUrl }) => (hasDatabaseUrl ? undefined : 'DATABASE_URL is not set'),
  },
  {
    name: 'plain_database',
    over: 'configuration',
    refuses: 'a `DATABASE_URL` on another host without TLS and server verification',
    why: 'an attacker on the network path can read the password and change the ledger',
    remedy: 'add ?sslmode=verify-full, and sslrootcert=FILE where the server has a CA of its own',
    override: 'GATEWAY_ALLOW_PLAIN_DATABASE',
    find: ({ connectionSecurity }) => connectionSecurity && CONNECTION_FAULTS[connectionSecurity],
  },
  {
    name: 'powerful_login',
    over: 'database',
    refuses:
      'a database login with more privileges than the role `gateway_app`: a table owner, a superuser, or a member of other roles',
    why: 'after "reset role", one injected statement could rewrite the ledger or run programs on the database server',
    remedy: 'serve with the login of docs/operations/database.md, and keep the owner for "gateway migrate"',
    override: 'GATEWAY_ALLOW_POWERFUL_LOGIN',
    find: ({ login }) =>
      login && login.excess.length > 0
        ? `The login ${login.login} of DATABASE_URL ${login.excess.join('; it ')}`
        : undefined,
  },
  {
    name: 'unsafe_commits',
    over: 'database',
    refuses:
      '`fsync`, `full_page_writes` or `synchronous_commit` disabled, or `synchronous_commit` is `local` although synchronous standbys are configured',
    why: 'a crash or a failover would lose payouts that were acknowledged or sent, and the gateway would pay them again',
    remedy: 'enable them for the server, the database and the login',
    override: 'GATEWAY_ALLOW_UNSAFE_COMMITS',
    find: ({ unsafeSettings }) =>
      unsafeSettings.length > 0 ? `Unsafe settings on the database server: ${unsafeSettings.join(', ')}` : undefined,
  },
];
