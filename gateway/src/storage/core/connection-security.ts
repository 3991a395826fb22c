/** How a DATABASE_URL reaches its server, as the driver itself understands it, before anything is connected. */
import pg from 'pg';
import { isLoopbackAddress } from '../../foundation/networks.ts';

/** `local`: it never leaves this machine. `unverified`: encrypted, but the server proves no identity. */
export type ConnectionSecurity = 'local' | 'verified' | 'unverified' | 'plain';

/** Undefined where the driver refuses the URL, or can't read a file that it names. */
export function readConnectionSecurity(connectionString: string): ConnectionSecurity | undefined {
  const parsed = parse(connectionString);
  if (!parsed) return undefined;
  const { host, ssl } = parsed;
  if (host.startsWith('/') || host === 'localhost' || isLoopbackAddress(host)) return 'local';
  if (!ssl) return 'plain';
  if (ssl === true) return 'verified';
  // A check of one's own is how the driver lets any name of a trusted authority pass (verify-ca of libpq).
  return ssl.rejectUnauthorized === false || ssl.checkServerIdentity ? 'unverified' : 'verified';
}

const OURS = '-c application_name=gateway';

/** True where the URL replaces what every session of ours begins with: its role, its limits, its time zone. */
export function replacesSessionOptions(connectionString: string): boolean {
  const parsed = parse(connectionString);
  return parsed !== undefined && parsed.connectionParameters.options !== OURS;
}

interface Parsed {
  readonly host: string;
  /** The types of the driver know nothing of its options. */
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
