/** Stores failed sign-in attempts in PostgreSQL. */
import type { LockoutStore } from '../../domain/people/lockout-store.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

export function createLockoutStore(database: Database): LockoutStore {
  return {
    async begin(subject, { at, since, closesUntil, most }) {
      const counted = await database.query<{ readonly attempts: number }>(
        `insert into sign_in_attempts as known (subject, failed_at) values ($1, array[$2::timestamptz])
         on conflict (subject) do update set
           failed_at = array(select each from unnest(known.failed_at) as each where each > $3) || $2::timestamptz,
           closed_until = case
             when cardinality(array(select each from unnest(known.failed_at) as each where each > $3)) + 1 >= $5
             then $4::timestamptz end
         where known.closed_until is null or known.closed_until <= $2
         returning cardinality(failed_at) as attempts`,
        [subject, timestamp(at), timestamp(since), timestamp(closesUntil), most],
      );
      return counted.length > 0;
    },
    async succeeded(subject) {
      await database.query('delete from sign_in_attempts where subject = $1', [subject]);
    },
    async forget(before, limit) {
      const gone = await database.query(
        `delete from sign_in_attempts where subject in (
           select subject from sign_in_attempts
           where failed_at[cardinality(failed_at)] < $1 and coalesce(closed_until, $1) <= $1 limit $2) returning 1`,
        [timestamp(before), limit],
      );
      return gone.length;
    },
  };
}
