/** Implements BatchStore over PostgreSQL. The fence of a batch decides whether a worker may still write (batch-work.ts). */
import { type BatchKey, type ListedRow, ROW_STATES } from '../../domain/batches/batch.ts';
import type { BatchStore, NewBatch, SealedRow } from '../../domain/batches/batch-store.ts';
import { BATCH_TRANSITIONS, rowsBefore } from '../../domain/batches/batch-transitions.ts';
import type { Instant } from '../../foundation/clock.ts';
import { STEP_BY_STEP } from '../core/cluster-text.ts';
import type { Database, Queryable } from '../core/database.ts';
import { byteaText, timestamp } from '../core/parameters.ts';
import { countRows, dropContents, record } from './batch-changes.ts';
import {
  BATCH_COLUMNS,
  type BatchRecordRow,
  type BatchRowRow,
  batchFromRow,
  ROW_COLUMNS,
  rowFromRow,
  submitterJson,
} from './batch-rows.ts';
import { type WorkOnBatches, workOnBatches } from './batch-work.ts';

const ROWS_AT_ONCE = 500;

export function createBatchStore(database: Database): BatchStore {
  return { ...actsOnBatches(database), ...workOnBatches(database) };
}

/** The actions of users and programs. */
function actsOnBatches(database: Database): Omit<BatchStore, WorkOnBatches> {
  return {
    add: (batch, destroyAt) => database.transaction((transaction) => addBatch(transaction, batch, destroyAt)),
    async find(key) {
      const batch = await findBatch(database, key);
      return batch && { batch: batchFromRow(batch), counts: await countRows(database, key) };
    },
    async findByPayout({ merchantId, payoutId }) {
      const [row] = await database.query<BatchRecordRow>(
        `select ${BATCH_COLUMNS} from payout_batches where merchant_id = $1 and batch_id = (
           select batch_id from payout_batch_rows where merchant_id = $1 and payout_id = $2 and state = 'accepted' limit 1)`,
        [merchantId, payoutId],
      );
      return row && batchFromRow(row);
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
      const rows = await database.query<BatchRowRow & { payout: ListedRow['payout'] }>(
        `select r.*, (select json_build_object('state', p.state, 'blockedReason', p.blocked_reason) from payouts as p
           where p.merchant_id = $1 and p.payout_id = r.payout_id and r.state = 'accepted') as payout
         from (select ${ROW_COLUMNS} from payout_batch_rows where merchant_id = $1 and batch_id = $2 and row > $3
           and state = any($4::text[]) order by row limit $5) as r order by row`,
        [merchantId, batchId, after, states ?? ROW_STATES, limit],
      );
      return rows.map(({ payout, ...row }) => ({ ...rowFromRow(row), payout }));
    },
    submit: (key, submitter, at) =>
      database.transaction(async (transaction) => {
        const changed = await transaction.query(
          `update payout_batches set submitted_at = $3, submitter = $4, lease_until = $3
           where merchant_id = $1 and batch_id = $2 and state = 'ready' returning batch_id`,
          [key.merchantId, key.batchId, timestamp(at), submitterJson(submitter)],
        );
        if (changed.length === 0) return false;
        await record(transaction, key, { at, event: 'submitted', from: 'ready', actor: submitter.actor.name });
        return true;
      }),
    cancel: (key, actor, at) => database.transaction((transaction) => cancelBatch(transaction, key, actor, at)),
  };
}

async function findBatch(queryable: Queryable, { merchantId, batchId }: BatchKey): Promise<BatchRecordRow | undefined> {
  const [row] = await queryable.query<BatchRecordRow>(
    `select ${BATCH_COLUMNS} from payout_batches where merchant_id = $1 and batch_id = $2`,
    [merchantId, batchId],
  );
  return row;
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
  await record(transaction, batch, { at: createdAt, event: 'created', from: null, actor: createdBy });
  return true;
}

async function addRows(
  transaction: Queryable,
  { merchantId, batchId, createdAt }: NewBatch,
  rows: readonly SealedRow[],
  destroyAt: Instant,
): Promise<void> {
  const written = rows.map(({ row, line, record: { token, sealed } }) => ({
    row,
    line,
    token,
    master_key_id: sealed.masterKeyId,
    wrapped_key: byteaText(sealed.wrappedKey),
    ciphertext: byteaText(sealed.ciphertext),
  }));
  await transaction.query(
    `${STEP_BY_STEP} with incoming as materialized (select * from json_to_recordset($3) as r(
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
  const to = batch && BATCH_TRANSITIONS[batch.state].cancelled;
  if (!to) return undefined;
  const cancelled = await dropContents(transaction, key, rowsBefore('cancelled'), 'cancelled');
  if (to === 'cancelled')
    await transaction.query(
      `update payout_batches set fence = fence + 1, lease_until = 'infinity' where merchant_id = $1 and batch_id = $2`,
      [key.merchantId, key.batchId],
    );
  const detail = `${cancelled} rows cancelled`;
  await record(transaction, key, { at, event: 'cancelled', from: batch.state, actor, detail });
  return cancelled;
}
