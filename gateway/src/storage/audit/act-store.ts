/** Stores acts in PostgreSQL: the chained audit entries, and the responses by idempotency key. */
import type { ActKey, ActStore, AuditQuery, Begun } from '../../domain/audit/act-store.ts';
import type { ActorKind } from '../../domain/audit/actor.ts';
import { type AuditEntry, CHAIN_START, chainHash, type NewAuditEntry } from '../../domain/audit/audit-entry.ts';
import type { Instant } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { lockKey } from '../core/advisory-locks.ts';
import type { Database, Queryable } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

interface EntryRow extends Omit<NewAuditEntry, 'merchantId' | 'actId' | 'actor' | 'requestId'> {
  readonly merchant_id: string;
  readonly number: bigint;
  readonly act_id: string;
  readonly actor_kind: ActorKind;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly request_id: string;
  readonly hash: Buffer;
}

const COLUMNS = `merchant_id, number, at, act_id, phase, act, object, actor_kind, actor_id, actor_name, address, request_id,
  reason, detail, hash`;

interface AnswerRow {
  readonly request_hash: Buffer;
  readonly begun_at: Instant;
  readonly status: number | null;
  readonly answer: string | null;
}

export function createActStore(database: Database): ActStore {
  return {
    begin: ({ key, requestHash, entry, deadBefore }) =>
      database.transaction(async (transaction): Promise<Begun> => {
        const earlier = await claim(transaction, key, requestHash, entry.at);
        if (earlier) {
          if (!earlier.request_hash.equals(requestHash)) return { kind: 'other_request' };
          if (earlier.status !== null) return { kind: 'repeated', status: earlier.status, answer: earlier.answer };
          if (earlier.begun_at >= deadBefore) return { kind: 'in_progress' };
          await transaction.query('update act_answers set begun_at = $3 where caller = $1 and idempotency_key = $2', [
            key.caller,
            key.key,
            timestamp(entry.at),
          ]);
        }
        await append(transaction, entry);
        return { kind: 'begun' };
      }),
    end: ({ key, entry, answered }) =>
      database.transaction(async (transaction) => {
        if (answered === 'released')
          await transaction.query('delete from act_answers where caller = $1 and idempotency_key = $2', [
            key.caller,
            key.key,
          ]);
        else if (answered)
          await transaction.query(
            `update act_answers set ended_at = $3, status = $4, answer = $5
             where caller = $1 and idempotency_key = $2`,
            [key.caller, key.key, timestamp(entry.at), answered.status, answered.answer],
          );
        await append(transaction, entry);
      }),
    record: (entry) => database.transaction((transaction) => append(transaction, entry)),
    list: (query) => list(database, query),
    async joined(merchantId) {
      const rows = await database.query<Pick<EntryRow, 'actor_name'>>(
        `select distinct actor_name from audit_entries where merchant_id = $1 and act = 'link'`,
        [merchantId],
      );
      return rows.map(({ actor_name }) => actor_name);
    },
    async heads() {
      const rows = await database.query<Pick<EntryRow, 'merchant_id' | 'number' | 'hash'>>(
        'select merchant_id, number, hash from audit_heads order by merchant_id',
      );
      return rows.map(({ merchant_id: merchantId, number, hash }) => ({ merchantId, number: Number(number), hash }));
    },
    async forgetAnswers(begunBefore, limit) {
      const gone = await database.query(
        `delete from act_answers where (caller, idempotency_key) in (
           select caller, idempotency_key from act_answers where begun_at < $1 order by begun_at limit $2)
         returning 1`,
        [timestamp(begunBefore), limit],
      );
      return gone.length;
    },
  };
}

/** Claims the key. Returns the earlier claim, locked until the commit, if there is one. */
async function claim(
  transaction: Queryable,
  { caller, key }: ActKey,
  requestHash: Buffer,
  at: Instant,
): Promise<AnswerRow | undefined> {
  const claimed = await transaction.query(
    `insert into act_answers (caller, idempotency_key, request_hash, begun_at) values ($1, $2, $3, $4)
     on conflict do nothing returning 1`,
    [caller, key, requestHash, timestamp(at)],
  );
  if (claimed.length > 0) return undefined;
  const [row] = await transaction.query<AnswerRow>(
    `select request_hash, begun_at, status, answer from act_answers
     where caller = $1 and idempotency_key = $2 for update`,
    [caller, key],
  );
  invariant(row, 'idempotency key conflicts, but no row contains it');
  return row;
}

interface ChainEnd {
  readonly number: bigint | null;
  readonly hash: Buffer | null;
  readonly head_number: bigint | null;
  readonly head_hash: Buffer | null;
}

const CHAIN_END = `
  select e.number, e.hash, h.number as head_number, h.hash as head_hash
  from (select number, hash from audit_entries where merchant_id = $1 order by number desc limit 1) as e
  full join (select number, hash from audit_heads where merchant_id = $1) as h on true`;

/** The lock orders the entries of a chain. It is the last lock of its transaction, so it cannot deadlock. */
async function append(transaction: Queryable, entry: NewAuditEntry): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock(${lockKey('audit', '$1::text')})::text as held`, [
    entry.merchantId,
  ]);
  const [end] = await transaction.query<ChainEnd>(CHAIN_END, [entry.merchantId]);
  const { number: previous, hash: previousHash } = placeAfter(end);
  const number = previous + 1;
  const hash = chainHash(previousHash, number, entry);
  await transaction.query(
    `insert into audit_entries (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      entry.merchantId,
      number,
      timestamp(entry.at),
      entry.actId,
      entry.phase,
      entry.act,
      entry.object,
      entry.actor.kind,
      entry.actor.id,
      entry.actor.name,
      entry.address,
      entry.requestId,
      entry.reason,
      entry.detail,
      hash,
    ],
  );
  await transaction.query(
    `insert into audit_heads (merchant_id, number, hash) values ($1, $2, $3)
     on conflict (merchant_id) do update set number = excluded.number, hash = excluded.hash`,
    [entry.merchantId, number, hash],
  );
}

/**
 * Returns the entry to continue after. After a loss of the newest entries or of the head, the number skips one. The gap stays,
 * so that no later action hides the loss. Entries beyond the head come from a process of an earlier version.
 */
function placeAfter(end: ChainEnd | undefined): { readonly number: number; readonly hash: Buffer } {
  if (!end) return { number: 0, hash: CHAIN_START };
  const last = { number: Number(end.number ?? 0n), hash: end.hash ?? CHAIN_START };
  if (end.head_number === null || end.head_hash === null) return { ...last, number: last.number + 1 };
  const head = { number: Number(end.head_number), hash: end.head_hash };
  return last.number > head.number ? last : head;
}

async function list(
  database: Database,
  { merchantId, act, object, actor, from, to, limit, before }: AuditQuery,
): Promise<readonly AuditEntry[]> {
  const rows = await database.query<EntryRow>(
    `select ${COLUMNS} from audit_entries
     where ($1::text is null or merchant_id = $1) and ($2::text is null or act = $2) and ($3::text is null or object = $3)
       and ($8::text is null or actor_id = $8) and at >= $9 and at < $10 and (at, merchant_id, number) < ($4, $5, $6)
     order by at desc, merchant_id desc, number desc limit $7`,
    [
      merchantId,
      act,
      object,
      timestamp(before?.at ?? Number.POSITIVE_INFINITY),
      before?.merchantId ?? '',
      before?.number ?? 0,
      limit,
      actor,
      timestamp(from ?? Number.NEGATIVE_INFINITY),
      timestamp(to ?? Number.POSITIVE_INFINITY),
    ],
  );
  return rows.map(readEntry);
}

function readEntry(row: EntryRow): AuditEntry {
  return {
    merchantId: row.merchant_id,
    number: Number(row.number),
    at: row.at,
    actId: row.act_id,
    phase: row.phase,
    act: row.act,
    object: row.object,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    address: row.address,
    requestId: row.request_id,
    reason: row.reason,
    detail: row.detail,
    hash: row.hash,
  };
}
