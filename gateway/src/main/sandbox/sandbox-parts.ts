/**
 * The parts of the gateway that a sandbox world needs in addition to its composition: its database, its background work, and
 * the merchant's authentication.
 */
import { generateKey } from '../../domain/merchants/merchant-rules.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Random } from '../../foundation/random.ts';
import type { Secret } from '../../foundation/secret.ts';
import { verifyXSign } from '../../protocol/signatures/merchant-signature.ts';
import type { Database } from '../../storage/core/database.ts';
import { openEmbeddedPostgres } from '../../storage/embedded/embedded-postgres.ts';
import { type CountedDatabase, countDatabase } from '../../storage/sandbox/counted-database.ts';
import { openWorldDatabases, type WorldDatabases } from '../../storage/sandbox/world-databases.ts';
import { readNextDue } from '../../storage/sandbox/world-work.ts';
import type { GatewayCore } from '../compose/gateway-core.ts';

export interface WorldServer extends WorldDatabases {
  close(): Promise<void>;
}

/** `log` receives a line for each slow step. */
export async function openWorldServer(dataDirectory: string, log: (line: string) => void): Promise<WorldServer> {
  const { connectionConfig, close } = await openEmbeddedPostgres({ dataDirectory, log });
  return { ...(await openWorldDatabases(connectionConfig, log)), close };
}

/** Returns a key of the sandbox. It must not follow from the seed of a world, so `random` is the machine's. */
export function newSandboxKey(random: Random): Secret {
  return generateKey(random, { mode: 'sandbox' });
}

export type WatchedDatabase = CountedDatabase;

export function watchDatabase(database: Database): WatchedDatabase {
  return countDatabase(database);
}

/** Returns when the world has work next, or null if it has none. */
export function nextDueOf({ database, clock }: GatewayCore): Promise<Instant | null> {
  return readNextDue(database, clock.now());
}

/** Returns true if a valid API key of the merchant signed these bytes. */
export async function isSignedBy(
  { directory }: GatewayCore,
  merchantId: MerchantId,
  bytes: Buffer,
  xSign: string,
): Promise<boolean> {
  const found = await directory.find(merchantId);
  return found?.keys.api.some(({ secret }) => verifyXSign(bytes, secret, xSign)) ?? false;
}
