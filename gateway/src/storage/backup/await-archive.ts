/** Waits until `backup follow` has archived the log up to now. It changes no row of the serving database. */
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';
import type { Database } from '../core/database.ts';
import { SLOT } from './follow-log.ts';

/** The archive is usually at most a second behind. */
const ARCHIVED_WITHIN_MS = 30 * SECOND_MS;
const LOOK_EVERY_MS = 250;

/** A transaction without a change. PostgreSQL writes its commit, and with it sends all earlier log. */
const PUSH = 'select pg_current_xact_id()';

const POSITION = 'select pg_current_wal_insert_lsn()::text as position';

const IS_ARCHIVED = `select restart_lsn >= $1::pg_lsn as archived from pg_replication_slots where slot_name = '${SLOT}'`;

/**
 * Returns the time until the archive reached that position: a loss of the server now would lose the transactions of that time.
 * Returns undefined if it did not reach the position, or if no process ever followed this server.
 */
export async function awaitArchive(serving: Database, clock: Clock): Promise<number | undefined> {
  const begunAt = clock.now();
  const [written] = await serving.query<{ position: string }>(POSITION);
  for (;;) {
    await serving.query(PUSH);
    const [slot] = await serving.query<{ archived: boolean | null }>(IS_ARCHIVED, [written?.position]);
    const waitedMs = clock.now() - begunAt;
    if (slot?.archived) return waitedMs;
    if (!slot || waitedMs >= ARCHIVED_WITHIN_MS) return undefined;
    await clock.sleep(LOOK_EVERY_MS);
  }
}
