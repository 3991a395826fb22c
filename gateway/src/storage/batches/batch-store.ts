/**
 * Implements BatchStore over PostgreSQL. The fence of a batch decides whether a worker may still write. Each write of a worker
 * renews its lease in the same transaction.
 */
import {
  type BatchKey,
  type BatchState,
  ROW_STATES,
  type RowCounts,
  type RowState,
} from '../../domain/batches/batch.ts';
import type { BatchClaim, BatchStore, CheckedRow, NewBatch, SealedRow } from '../../domain/batches/batch-store.ts';
import type { Instant } from '../../foundation/clock.ts';
import { byteaText, type Database, type Queryable, timestamp } from '../core/database.ts';
import { readSealed, type SealedColumns } from '../vault/vault-store.ts';
import {
  BATCH_COLUMNS,
  type BatchRecordRow,
  type BatchRowRow,
  batchFromRow,
  checkedJson,
  ROW_COLUMNS,
  rowFromRow,
  submitterJson,
  totalsJson,
} from './batch-rows.ts';

const ROWS_AT_ONCE = 500;

export function createBatchStore(database: Database): BatchStore {
  return { ...actsOnBatches(database), ...workOnBatches(database) };
}

/** What people and programs do. */
function actsOnBatches(database: Database): Pick<BatchStore, 'add' | 'find' | 'list' | 'rows' | 'submit' | 'cancel'> {
  return {
    add: (batch, destroyAt) => database.transaction((transaction) => addBatch(transaction, batch, destroyAt)),
    async find(key) {
      const batch = await findBatch(database, key);
      return batch && { batch: batchFromRow(batch), counts: await countRows(database, key) };
    },
    async list(merchantId, before, limit) {
      const rows = await database.query<BatchRecordRow>(
        `select ${BATCH_COLUMNS} from payout_batches where merchant_id = $1 and (created_at, batch_id) < ($2, $3)
         order by created_at desc, batch_id desc limit $4`,
        [merchantId, before ? timestamp(before.at) : 'infinity', before?.batchId ?? '', limit],
      );
      return rows.map(batchFromRow);
    },
    async rows({ merchantId, batchId, states, after, limit }) {
      const rows = await database.query<BatchRowRow>(
        `select ${ROW_COLUMNS} from payout_batch_rows
         where merchant_id = $1 and batch_id = $2 and row > $3 and state = any($4::text[]) order by row limit $5`,
        [merchantId, batchId, after, states ?? ROW_STATES, limit],
      );
      return rows.map(rowFromRow);
    },
    submit: (key, submitter, at) =>
      database.transaction(async (transaction) => {
        const changed = await transaction.query(
          `update payout_batches set state = 'submitted', submitted_at = $3, submitter = $4, lease_until = $3
           where merchant_id = $1 and batch_id = $2 and state = 'ready' returning batch_id`,
          [key.merchantId, key.batchId, timestamp(at), submitterJson(submitter)],
        );
        if (changed.length === 0) return false;
        await record(transaction, key, {
          at,
          event: 'submitted',
          from: 'ready',
          to: 'submitted',
          actor: submitter.actor.name,
        });
        return true;
      }),
    cancel: (key, actor, at) => database.transaction((transaction) => cancelBatch(transaction, key, actor, at)),
  };
}

type OfWorker = Exclude<keyof BatchStore, keyof ReturnType<typeof actsOnBatches>>;

/** The writes of a worker, each under its claim. */
function workOnBatches(database: Database): Pick<BatchStore, OfWorker> {
  return {
    claim: (now, leaseUntil) => claimBatch(database, now, leaseUntil),
    release: (claim, now) => releaseBatch(database, claim, now),
    takeUnchecked: (claim, limit, leaseUntil) =>
      underFence(database, claim, leaseUntil, 'checking', (transaction) =>
        readSealedRows(transaction, claim.batch, 'unchecked', limit),
      ),
    checkedSoFar: (key) => readChecked(database, key),
    async recordChecks(claim, rows, leaseUntil) {
      const done = await underFence(database, claim, leaseUntil, 'checking', async (transaction) => {
        await writeChecks(transaction, claim.batch, rows);
        return true;
      });
      return done ?? false;
    },
    async completeCheck(claim, totals, at) {
      const done = await underFence(database, claim, Number.POSITIVE_INFINITY, 'checking', async (transaction) => {
        const { merchantId, batchId } = claim.batch;
        await transaction.query(
          `update payout_batches set state = 'ready', totals = $3 where merchant_id = $1 and batch_id = $2`,
          [merchantId, batchId, totalsJson(totals)],
        );
        await record(transaction, claim.batch, {
          at,
          event: 'checked',
          from: 'checking',
          to: 'ready',
          actor: 'gateway',
        });
        return true;
      });
      return done ?? false;
    },
    takeReady: (claim, limit, leaseUntil) =>
      underFence(database, claim, leaseUntil, 'submitted', async (transaction) => {
        const { merchantId, batchId } = claim.batch;
        await transaction.query(
          `update payout_batch_rows set state = 'accepting' where merchant_id = $1 and batch_id = $2 and row = any(array(
             select row from payout_batch_rows where merchant_id = $1 and batch_id = $2 and state = 'ready' order by row limit $3))`,
          [merchantId, batchId, limit],
        );
        return readSealedRows(transaction, claim.batch, 'accepting', limit * 2);
      }),
    async recordOutcomes(claim, outcomes, at, leaseUntil) {
      const done = await underFence(database, claim, leaseUntil, 'submitted', async (transaction) => {
        await endRows(transaction, claim.batch, outcomes);
        const counts = await countRows(transaction, claim.batch);
        const detail = `${counts.accepted} accepted, ${counts.refused} refused, ${counts.ready} left`;
        const event = {
          at,
          event: 'progressed',
          from: 'submitted',
          to: 'submitted',
          actor: 'gateway',
          detail,
        } as const;
        await record(transaction, claim.batch, event);
        return true;
      });
      return done ?? false;
    },
    async finish(claim, at) {
      const done = await underFence(database, claim, Number.POSITIVE_INFINITY, 'submitted', async (transaction) => {
        const { merchantId, batchId } = claim.batch;
        await transaction.query(
          `update payout_batches set state = 'finished', ended_at = $3 where merchant_id = $1 and batch_id = $2`,
          [merchantId, batchId, timestamp(at)],
        );
        await endRowsWithoutContent(transaction, claim.batch);
        await dropContents(transaction, claim.batch, ['faulty']);
        await record(transaction, claim.batch, {
          at,
          event: 'finished',
          from: 'submitted',
          to: 'finished',
          actor: 'gateway',
        });
        return true;
      });
      return done ?? false;
    },
  };
}

async function releaseBatch(database: Database, { batch, fence }: BatchClaim, now: Instant): Promise<void> {
  await database.query(
    `update payout_batches set lease_until = $4 where merchant_id = $1 and batch_id = $2 and fence = $3
     and lease_until <> 'infinity'`,
    [batch.merchantId, batch.batchId, fence, timestamp(now)],
  );
}

async function readChecked(database: Database, { merchantId, batchId }: BatchKey): Promise<readonly CheckedRow[]> {
  const rows = await database.query<BatchRowRow & { content_hash: Buffer | null }>(
    `select ${ROW_COLUMNS}, content_hash from payout_batch_rows
     where merchant_id = $1 and batch_id = $2 and state in ('ready', 'faulty') order by row`,
    [merchantId, batchId],
  );
  return rows.map(({ content_hash, ...row }) => ({ ...rowFromRow(row), contentHash: content_hash }) as CheckedRow);
}

async function findBatch(queryable: Queryable, { merchantId, batchId }: BatchKey): Promise<BatchRecordRow | undefined> {
  const [row] = await queryable.query<BatchRecordRow>(
    `select ${BATCH_COLUMNS} from payout_batches where merchant_id = $1 and batch_id = $2`,
    [merchantId, batchId],
  );
  return row;
}

async function countRows(queryable: Queryable, { merchantId, batchId }: BatchKey): Promise<RowCounts> {
  const rows = await queryable.query<{ state: RowState; count: bigint }>(
    `select state, count(*) as count from payout_batch_rows where merchant_id = $1 and batch_id = $2 group by state`,
    [merchantId, batchId],
  );
  const counts = new Map(rows.map(({ state, count }) => [state, Number(count)]));
  return Object.fromEntries(ROW_STATES.map((state) => [state, counts.get(state) ?? 0])) as RowCounts;
}

async function addBatch(transaction: Queryable, batch: NewBatch, destroyAt: Instant): Promise<boolean> {
  const { merchantId, batchId, name, createdAt, createdBy, rows } = batch;
  const added = await transaction.query(
    `insert into payout_batches (merchant_id, batch_id, name, state, rows, created_at, created_by, lease_until)
     values ($1, $2, $3, 'checking', $4, $5, $6, $5) on conflict do nothing returning batch_id`,
    [merchantId, batchId, name, rows.length, timestamp(createdAt), createdBy],
  );
  if (added.length === 0) return false;
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await addRows(transaction, batch, rows.slice(at, at + ROWS_AT_ONCE), destroyAt);
  await record(transaction, batch, { at: createdAt, event: 'created', from: null, to: 'checking', actor: createdBy });
  return true;
}

async function addRows(
  transaction: Queryable,
  { merchantId, batchId, createdAt }: NewBatch,
  rows: readonly SealedRow[],
  destroyAt: Instant,
): Promise<void> {
  const written = rows.map(({ row, line, record: { token, sealed } }) => ({
    ...{ row, line, token, master_key_id: sealed.masterKeyId },
    ...{ wrapped_key: byteaText(sealed.wrappedKey), ciphertext: byteaText(sealed.ciphertext) },
  }));
  await transaction.query(
    `with incoming as materialized (select * from json_to_recordset($3) as r(
       row integer, line integer, token text, master_key_id text, wrapped_key bytea, ciphertext bytea)),
     vaulted as (
       insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at, destroy_at)
       select $1, token, master_key_id, wrapped_key, ciphertext, $4, $5 from incoming)
     insert into payout_batch_rows (merchant_id, batch_id, row, line, state, vault_token)
     select $1, $2, row, line, 'unchecked', token from incoming`,
    [merchantId, batchId, JSON.stringify(written), timestamp(createdAt), timestamp(destroyAt)],
  );
}

async function cancelBatch(
  transaction: Queryable,
  key: BatchKey,
  actor: string,
  at: Instant,
): Promise<number | undefined> {
  const [batch] = await transaction.query<BatchRecordRow>(
    `select ${BATCH_COLUMNS} from payout_batches where merchant_id = $1 and batch_id = $2 for update`,
    [key.merchantId, key.batchId],
  );
  if (!batch || batch.state === 'finished' || batch.state === 'cancelled') return undefined;
  const cancelled = await dropContents(transaction, key, ['unchecked', 'ready', 'faulty'], 'cancelled');
  const isDraft = batch.state !== 'submitted';
  if (isDraft)
    await transaction.query(
      `update payout_batches set state = 'cancelled', ended_at = $3, fence = fence + 1, lease_until = 'infinity'
       where merchant_id = $1 and batch_id = $2`,
      [key.merchantId, key.batchId, timestamp(at)],
    );
  const to = isDraft ? 'cancelled' : 'submitted';
  const detail = `${cancelled} rows cancelled`;
  await record(transaction, key, { at, event: 'cancelled', from: batch.state, to, actor, detail });
  return cancelled;
}

/** Destroys the contents of these rows. Gives their number. */
async function dropContents(
  transaction: Queryable,
  { merchantId, batchId }: BatchKey,
  states: readonly RowState[],
  end: RowState | null = null,
): Promise<number> {
  const [row] = await transaction.query<{ count: bigint }>(
    `with open as materialized (
       select row, vault_token from payout_batch_rows where merchant_id = $1 and batch_id = $2 and state = any($3::text[])),
     destroyed as (
       delete from vault_records where merchant_id = $1 and token = any(array(select vault_token from open))),
     ended as (
       update payout_batch_rows set vault_token = null, state = coalesce($4, state)
       where merchant_id = $1 and batch_id = $2 and row = any(array(select row from open)))
     select count(*) as count from open`,
    [merchantId, batchId, states, end],
  );
  return Number(row?.count ?? 0n);
}

/** The vault destroyed these contents at their time. A worker that died may have accepted such a row before. */
async function endRowsWithoutContent(transaction: Queryable, { merchantId, batchId }: BatchKey): Promise<void> {
  const faults = [{ field: '', detail: 'The gateway destroyed the row after 30 days: upload it again.' }];
  await transaction.query(
    `with open as materialized (
       select row, payout_id, state from payout_batch_rows
       where merchant_id = $1 and batch_id = $2 and state in ('ready', 'accepting')),
     known as materialized (
       select payout_id from payouts where merchant_id = $1
       and payout_id = any(array(select payout_id from open where state = 'accepting'))),
     ended as materialized (
       select row, exists (select from known as k where k.payout_id = o.payout_id) as is_accepted from open as o)
     update payout_batch_rows set vault_token = null,
       state = case when row = any(array(select row from ended where is_accepted)) then 'accepted' else 'refused' end,
       faults = case when row = any(array(select row from ended where is_accepted)) then '[]' else $3::jsonb end
     where merchant_id = $1 and batch_id = $2 and row = any(array(select row from ended))`,
    [merchantId, batchId, JSON.stringify(faults)],
  );
}

async function endRows(
  transaction: Queryable,
  { merchantId, batchId }: BatchKey,
  outcomes: readonly { readonly row: number; readonly state: string; readonly faults: readonly unknown[] }[],
): Promise<void> {
  await transaction.query(
    `with outcome as materialized (select * from json_to_recordset($3) as o(row integer, state text, faults jsonb)),
     tokens as materialized (
       select vault_token from payout_batch_rows
       where merchant_id = $1 and batch_id = $2 and row = any(array(select row from outcome))),
     destroyed as (
       delete from vault_records where merchant_id = $1 and token = any(array(select vault_token from tokens)))
     update payout_batch_rows as r set state = o.state, faults = o.faults, vault_token = null
     from outcome as o where r.merchant_id = $1 and r.batch_id = $2 and r.row = o.row and r.state = 'accepting'`,
    [merchantId, batchId, JSON.stringify(outcomes)],
  );
}

async function writeChecks(
  transaction: Queryable,
  { merchantId, batchId }: BatchKey,
  rows: readonly CheckedRow[],
): Promise<void> {
  await transaction.query(
    `with checked as materialized (select * from json_to_recordset($3) as c(
       row integer, state text, payout_id text, method smallint, currency text, amount bigint, fee bigint, rail text,
       account_shown text, content_hash bytea, available_after bigint, faults jsonb, warning text))
     update payout_batch_rows as r set state = c.state, payout_id = c.payout_id, method = c.method, currency = c.currency,
       amount = c.amount, fee = c.fee, rail = c.rail, account_shown = c.account_shown, content_hash = c.content_hash,
       available_after = c.available_after, faults = c.faults, warning = c.warning
     from checked as c where r.merchant_id = $1 and r.batch_id = $2 and r.row = c.row and r.state = 'unchecked'`,
    [merchantId, batchId, JSON.stringify(rows.map(checkedJson))],
  );
}

/** Two workers may find the same batch; the conditional update lets one of them have it. */
async function claimBatch(database: Database, now: Instant, leaseUntil: Instant): Promise<BatchClaim | undefined> {
  const [due] = await database.query<{ merchant_id: string; batch_id: string }>(
    `select merchant_id, batch_id from payout_batches
     where state in ('checking', 'submitted') and lease_until <= $1 order by lease_until limit 1`,
    [timestamp(now)],
  );
  if (!due) return undefined;
  const [row] = await database.query<BatchRecordRow>(
    `update payout_batches set fence = fence + 1, lease_until = $4
     where merchant_id = $1 and batch_id = $2 and lease_until <= $3 and state in ('checking', 'submitted')
     returning ${BATCH_COLUMNS}`,
    [due.merchant_id, due.batch_id, timestamp(now), timestamp(leaseUntil)],
  );
  return row && { batch: batchFromRow(row), fence: row.fence };
}

/** Undefined: the claim is lost, or the batch has left that state. */
async function underFence<Value>(
  database: Database,
  { batch, fence }: BatchClaim,
  leaseUntil: Instant,
  state: BatchState,
  work: (transaction: Queryable) => Promise<Value>,
): Promise<Value | undefined> {
  return database.transaction(async (transaction) => {
    const held = await transaction.query(
      `update payout_batches set lease_until = $4 where merchant_id = $1 and batch_id = $2 and fence = $3 and state = $5
       returning batch_id`,
      [batch.merchantId, batch.batchId, fence, timestamp(leaseUntil), state],
    );
    return held.length === 0 ? undefined : work(transaction);
  });
}

async function readSealedRows(
  transaction: Queryable,
  { merchantId, batchId }: BatchKey,
  state: RowState,
  limit: number,
): Promise<readonly SealedRow[]> {
  const rows = await transaction.query<SealedColumns & { row: number; line: number; token: string }>(
    `select r.row, r.line, v.token, v.master_key_id, v.wrapped_key, v.ciphertext
     from payout_batch_rows as r join vault_records as v on v.merchant_id = r.merchant_id and v.token = r.vault_token
     where r.merchant_id = $1 and v.merchant_id = $1 and r.batch_id = $2 and r.state = $3 order by r.row limit $4`,
    [merchantId, batchId, state, limit],
  );
  return rows.map(({ row, line, token, ...sealed }) => ({
    ...{ row, line },
    record: { merchantId, token, sealed: readSealed(sealed) },
  }));
}

interface HistoryEntry {
  readonly at: Instant;
  readonly event: string;
  readonly from: BatchState | null;
  readonly to: BatchState;
  readonly actor: string;
  readonly detail?: string;
}

/** The batch's row is locked by the transaction, so two entries never take one number. */
async function record(
  transaction: Queryable,
  { merchantId, batchId }: BatchKey,
  { at, event, from, to, actor, detail = '' }: HistoryEntry,
): Promise<void> {
  await transaction.query(
    `insert into payout_batch_history (merchant_id, batch_id, entry, at, event, from_state, to_state, actor, detail)
     select $1, $2, coalesce(max(entry), 0) + 1, $3, $4, $5, $6, $7, $8 from payout_batch_history
     where merchant_id = $1 and batch_id = $2`,
    [merchantId, batchId, timestamp(at), event, from, to, actor, detail],
  );
}
