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
  return ssl === true || ssl.rejectUnauthorized !== false ? 'verified' : 'unverified';
}

interface Parsed {
  readonly host: string;
  /** The types of the driver know nothing of its options. */
  readonly ssl: boolean | { readonly rejectUnauthorized?: boolean } | undefined;
}

function parse(connectionString: string): Parsed | undefined {
  try {
    return new pg.Client({ connectionString }) as Parsed;
  } catch {
    return undefined;
  }
}
