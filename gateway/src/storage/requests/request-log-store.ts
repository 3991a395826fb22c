/** Implements RequestLogStore over PostgreSQL. */
import type { NewRecord, RequestLogStore } from '../../domain/requests/request-log-store.ts';
import { ofReachable, sweep, textsOf, writeGroups } from '../cluster/across-servers.ts';
import { STEP_BY_STEP } from '../core/cluster-text.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { destroyRecordsOf } from '../vault/destroy-records.ts';
import { REQUEST_COLUMNS, type RequestRow, requestFromRow } from './request-rows.ts';

const SEAL = `
insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at, destroy_at)
select * from unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::timestamptz[], $7::timestamptz[])`;

const APPEND = `
insert into logged_requests (merchant_id, request_id, received_at, endpoint, outcome, reason, description, method, http_status,
  client_address, duration_ms, subject_id, headers, request, request_bytes, reply, vault_token)
select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
  $9::smallint[], $10::text[], $11::integer[], $12::text[], $13::jsonb[], $14::bytea[], $15::integer[], $16::bytea[], $17::text[])`;

const FIND = `
select ${REQUEST_COLUMNS}, q.headers, q.request, q.request_bytes, q.reply, q.vault_token
from logged_requests as q where q.merchant_id = $1 and q.request_id = $2`;

/** Older than the last of the kept ones. Requests of one instant stay together. */
const TRIM = `${STEP_BY_STEP}
with gone as (
  delete from logged_requests where merchant_id = $1 and outcome = $2 and received_at < (
    select received_at from logged_requests where merchant_id = $1 and outcome = $2
    order by received_at desc offset $3 limit 1)
  returning vault_token)
${destroyRecordsOf('gone')}`;

/** The vault destroys its records of the same age itself. */
const FORGET = textsOf(
  (servers) => `
delete from logged_requests where received_at < $1${ofReachable(servers, 'logged_requests', '$3')} and (merchant_id, request_id) in (
  select merchant_id, request_id from logged_requests where received_at < $1${ofReachable(servers, 'logged_requests', '$3')} order by received_at limit $2)
returning 1`,
);

type RecordRow = RequestRow & {
  readonly headers: Readonly<Record<string, string>>;
  readonly request: Buffer;
  readonly request_bytes: number;
  readonly reply: Buffer;
  readonly vault_token: string | null;
};

export function createRequestLogStore(database: Database): RequestLogStore {
  return {
    async append(records) {
      if (records.length === 0) return;
      const write = (some: readonly NewRecord[]) =>
        database.transaction(async (transaction) => {
          const sealed = some.flatMap(sealedColumns);
          if (sealed.length > 0) await transaction.query(SEAL, columnsOf(sealed));
          await transaction.query(APPEND, columnsOf(some.map(recordColumns)));
        });
      await writeGroups(records, ({ record }) => record.merchantId, write);
    },
    async find({ merchantId, requestId }) {
      const [row] = await database.query<RecordRow>(FIND, [merchantId, requestId]);
      if (!row) return undefined;
      const { headers, request, request_bytes: requestBytes, reply, vault_token: vaultToken } = row;
      return { ...requestFromRow(row), headers, request, requestBytes, reply, vaultToken };
    },
    async trim(merchantId, outcome, kept) {
      await database.query(TRIM, [merchantId, outcome, kept - 1]);
    },
    async forget(before, limit) {
      return (await sweep(database, FORGET, [timestamp(before), limit])).length;
    },
  };
}

function sealedColumns({ record, sealed, destroyAt }: NewRecord): unknown[][] {
  if (!sealed) return [];
  const { masterKeyId, wrappedKey, ciphertext } = sealed;
  const times = [timestamp(record.receivedAt), timestamp(destroyAt)];
  return [[record.merchantId, record.vaultToken, masterKeyId, wrappedKey, ciphertext, ...times]];
}

function recordColumns({ record }: NewRecord): unknown[] {
  return [
    record.merchantId,
    record.requestId,
    timestamp(record.receivedAt),
    record.endpoint,
    record.outcome,
    record.reason,
    record.description,
    record.method,
    record.httpStatus,
    record.clientAddress,
    Math.round(record.durationMs),
    record.subjectId,
    JSON.stringify(record.headers),
    record.request,
    record.requestBytes,
    record.reply,
    record.vaultToken,
  ];
}

/** Returns one array for each column, as `unnest` reads them. */
function columnsOf(rows: readonly (readonly unknown[])[]): unknown[][] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
}
