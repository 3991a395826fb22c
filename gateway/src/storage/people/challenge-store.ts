/** Stores challenges in PostgreSQL. */
import type { Challenge, ChallengeStore } from '../../domain/people/challenge-store.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

export function createChallengeStore(database: Database): ChallengeStore {
  return {
    async add({ challengeId, purpose, subject, bytes, expiresAt }) {
      await database.query(
        'insert into challenges (challenge_id, purpose, subject, bytes, expires_at) values ($1, $2, $3, $4, $5)',
        [challengeId, purpose, subject, bytes, timestamp(expiresAt)],
      );
    },
    async consume(challengeId) {
      const [challenge] = await database.query<Challenge>(
        `delete from challenges where challenge_id = $1
         returning challenge_id as "challengeId", purpose, subject, bytes, expires_at as "expiresAt"`,
        [challengeId],
      );
      return challenge;
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
