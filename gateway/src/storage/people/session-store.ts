/** Stores sessions in PostgreSQL. The check of a request is one indexed read. */
import type { FoundSession, Session, SessionStore } from '../../domain/people/session-store.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

const COLUMNS = `session_id as "sessionId", sessions.person_id as "personId", sessions.merchant_id as "merchantId",
  viewed_merchant_id as "viewedMerchantId", way, address, user_agent as "userAgent", sessions.created_at as "createdAt",
  last_used_at as "lastUsedAt"`;

export function createSessionStore(database: Database): SessionStore {
  return {
    async add({ sessionId, personId, merchantId, way, address, userAgent, createdAt, lastUsedAt }, tokenHash) {
      await database.query(
        `insert into sessions
           (token_hash, session_id, person_id, merchant_id, way, address, user_agent, created_at, last_used_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          tokenHash,
          sessionId,
          personId,
          merchantId,
          way,
          address,
          userAgent,
          timestamp(createdAt),
          timestamp(lastUsedAt),
        ],
      );
    },
    async find(tokenHash) {
      const [row] = await database.prepared<FoundSession>(
        'find-session',
        `select ${COLUMNS}, email, role from sessions
         join people on people.person_id = sessions.person_id
         left join memberships on memberships.person_id = sessions.person_id
           and memberships.merchant_id is not distinct from sessions.merchant_id
         where token_hash = $1 and ended_at is null`,
        [tokenHash],
      );
      return row;
    },
    async markUsed(sessionId, at) {
      await database.query(
        'update sessions set last_used_at = greatest(last_used_at, $2::timestamptz) where session_id = $1',
        [sessionId, timestamp(at)],
      );
    },
    list: (personId, since) =>
      database.query<Session>(
        `select ${COLUMNS} from sessions where person_id = $1 and ended_at is null and created_at > $2
         order by created_at desc, session_id limit 100`,
        [personId, timestamp(since)],
      ),
    async switchTo(sessionId, merchantId) {
      await database.query('update sessions set merchant_id = $2, viewed_merchant_id = null where session_id = $1', [
        sessionId,
        merchantId,
      ]);
    },
    async viewAs(sessionId, merchantId) {
      await database.query('update sessions set viewed_merchant_id = $2 where session_id = $1', [
        sessionId,
        merchantId,
      ]);
    },
    async end(personId, sessionId, at) {
      const ended = await database.query(
        `update sessions set ended_at = $3 where person_id = $1 and session_id = $2 and ended_at is null returning 1`,
        [personId, sessionId, timestamp(at)],
      );
      return ended.length > 0;
    },
    async endAll(personId, at) {
      await database.query('update sessions set ended_at = $2 where person_id = $1 and ended_at is null', [
        personId,
        timestamp(at),
      ]);
    },
    async endOfTeam(personId, merchantId, at) {
      const ended = await database.query(
        `update sessions set ended_at = $3
         where person_id = $1 and merchant_id is not distinct from $2 and ended_at is null returning 1`,
        [personId, merchantId, timestamp(at)],
      );
      return ended.length;
    },
    async forget(begunBefore, limit) {
      const gone = await database.query(
        `delete from sessions where token_hash in (
           select token_hash from sessions where created_at < $1 order by created_at limit $2) returning 1`,
        [timestamp(begunBefore), limit],
      );
      return gone.length;
    },
  };
}
