/** Reads how a DATABASE_URL connects to its server, with the driver's own parser and before any connection. */
import pg from 'pg';
import { isLoopbackAddress } from '../../../foundation/networks.ts';
import { splitHosts } from './primary-hosts.ts';

/** `local` traffic never leaves this machine. `unverified` is encrypted without proof of the server's identity. */
export type ConnectionSecurity = 'local' | 'verified' | 'unverified' | 'plain';

/** Lists the worst first: a connection may go to any of the hosts. */
const WORST_FIRST: readonly (ConnectionSecurity | undefined)[] = [
  undefined,
  'plain',
  'unverified',
  'verified',
  'local',
];

/** Returns undefined if the driver rejects the URL or cannot read a file in it. */
export function readConnectionSecurity(connectionString: string): ConnectionSecurity | undefined {
  const found = new Set(splitHosts(connectionString).map(securityOfHost));
  return WORST_FIRST.find((security) => found.has(security));
}

function securityOfHost(connectionString: string): ConnectionSecurity | undefined {
  const parsed = parse(connectionString);
  if (!parsed) return undefined;
  const { host, ssl } = parsed;
  if (host.startsWith('/') || host === 'localhost' || isLoopbackAddress(host)) return 'local';
  if (!ssl) return 'plain';
  if (ssl === true) return 'verified';
  // In the driver, a custom check takes the place of verify-ca in libpq: it accepts any host name of a trusted authority.
  return ssl.rejectUnauthorized === false || ssl.checkServerIdentity ? 'unverified' : 'verified';
}

const OURS = '-c application_name=gateway';

/** Returns true if the URL replaces the options of our sessions: role, limits and time zone. */
export function replacesSessionOptions(connectionString: string): boolean {
  return splitHosts(connectionString).some((url) => {
    const parsed = parse(url);
    return parsed !== undefined && parsed.connectionParameters.options !== OURS;
  });
}

interface Parsed {
  readonly host: string;
  /** The driver's types do not declare its options. */
  readonly ssl: boolean | { readonly rejectUnauthorized?: boolean; readonly checkServerIdentity?: unknown } | undefined;
  readonly connectionParameters: { readonly options: string };
}

function parse(connectionString: string): Parsed | undefined {
  try {
    return new pg.Client({ connectionString, options: OURS }) as unknown as Parsed;
  } catch {
    return undefined;
  }
}
