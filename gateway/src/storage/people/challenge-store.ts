/** Stores challenges and failed sign-in attempts in PostgreSQL. */
import type { ChallengePurpose, ChallengeStore } from '../../domain/people/challenge.ts';
import type { LockoutStore } from '../../domain/people/lockout.ts';
import type { Instant } from '../../foundation/clock.ts';
import { type Database, timestamp } from '../core/database.ts';

interface ChallengeRow {
  readonly challenge_id: string;
  readonly purpose: ChallengePurpose;
  readonly subject: string;
  readonly bytes: Buffer;
  readonly expires_at: Instant;
}

export function createChallengeStore(database: Database): ChallengeStore {
  return {
    async add({ challengeId, purpose, subject, bytes, expiresAt }) {
      await database.query(
        'insert into challenges (challenge_id, purpose, subject, bytes, expires_at) values ($1, $2, $3, $4, $5)',
        [challengeId, purpose, subject, bytes, timestamp(expiresAt)],
      );
    },
    async consume(challengeId) {
      const [row] = await database.query<ChallengeRow>(
        'delete from challenges where challenge_id = $1 returning challenge_id, purpose, subject, bytes, expires_at',
        [challengeId],
      );
      return (
        row && {
          challengeId: row.challenge_id,
          purpose: row.purpose,
          subject: row.subject,
          bytes: row.bytes,
          expiresAt: row.expires_at,
        }
      );
    },
    async forget(expiredBefore, limit) {
      const gone = await database.query(
        `delete from challenges where challenge_id in (
           select challenge_id from challenges where expires_at < $1 order by expires_at limit $2) returning 1`,
        [timestamp(expiredBefore), limit],
      );
      return gone.length;
    },
  };
}

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
