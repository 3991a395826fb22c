/** Changes of a batch that users and workers share: they write its history, and count and end its rows. */
import {
  type BatchKey,
  type BatchState,
  ROW_STATES,
  type RowCounts,
  type RowState,
} from '../../domain/batches/batch.ts';
import { BATCH_TRANSITIONS, type BatchEvent } from '../../domain/batches/batch-transitions.ts';
import type { Instant } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { STEP_BY_STEP } from '../core/cluster-text.ts';
import type { Queryable } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { destroyRecordsOf } from '../vault/destroy-records.ts';

interface BatchChange {
  readonly at: Instant;
  readonly event: BatchEvent | 'created';
  /** Null for a new batch. */
  readonly from: BatchState | null;
  readonly actor: string;
  readonly detail?: string;
}

/** Changes the state of a batch, and records the change. The transaction locks the row, so two entries never get one number. */
export async function record(
  transaction: Queryable,
  { merchantId, batchId }: BatchKey,
  { at, event, from, actor, detail = '' }: BatchChange,
): Promise<void> {
  const to = from === null || event === 'created' ? 'checking' : BATCH_TRANSITIONS[from][event];
  invariant(to !== undefined, `a batch that is ${from} cannot be ${event}`);
  await transaction.query(
    `${STEP_BY_STEP} with moved as (
       update payout_batches set state = $6, ended_at = case when $6 in ('finished', 'cancelled') then $3::timestamptz end
       where merchant_id = $1 and batch_id = $2 and state <> $6)
     insert into payout_batch_history (merchant_id, batch_id, entry, at, event, from_state, to_state, actor, detail)
     select $1, $2, coalesce(max(entry), 0) + 1, $3, $4, $5, $6, $7, $8 from payout_batch_history
     where merchant_id = $1 and batch_id = $2`,
    [merchantId, batchId, timestamp(at), event, from, to, actor, detail],
  );
}

/** Destroys the contents of these rows. Returns their number. */
export async function dropContents(
  transaction: Queryable,
  { merchantId, batchId }: BatchKey,
  states: readonly RowState[],
  end: RowState | null = null,
): Promise<number> {
  const [row] = await transaction.query<{ count: bigint }>(
    `${STEP_BY_STEP} with open as materialized (
       select row, vault_token from payout_batch_rows where merchant_id = $1 and batch_id = $2 and state = any($3::text[])),
     destroyed as (
       ${destroyRecordsOf('open')}),
     ended as (
       update payout_batch_rows set vault_token = null, state = coalesce($4, state)
       where merchant_id = $1 and batch_id = $2 and row = any(array(select row from open)))
     select count(*) as count from open`,
    [merchantId, batchId, states, end],
  );
  return Number(row?.count ?? 0n);
}

export async function countRows(queryable: Queryable, { merchantId, batchId }: BatchKey): Promise<RowCounts> {
  const rows = await queryable.query<{ state: RowState; count: bigint }>(
    `select state, count(*) as count from payout_batch_rows where merchant_id = $1 and batch_id = $2 group by state`,
    [merchantId, batchId],
  );
  const counts = new Map(rows.map(({ state, count }) => [state, Number(count)]));
  return Object.fromEntries(ROW_STATES.map((state) => [state, counts.get(state) ?? 0])) as RowCounts;
}
