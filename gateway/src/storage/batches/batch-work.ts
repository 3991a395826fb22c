/** The writes of a worker on batches, each under the fence of its claim. Each renews its lease in the same transaction. */
import type { BatchKey, BatchState, RowFault, RowState } from '../../domain/batches/batch.ts';
import type { BatchClaim, BatchStore, CheckedRow, SealedRow } from '../../domain/batches/batch-store.ts';
import { rowsBefore } from '../../domain/batches/batch-transitions.ts';
import type { Instant } from '../../foundation/clock.ts';
import { ofReachable, sweep, textsOf } from '../cluster/across-servers.ts';
import type { Database, Queryable } from '../core/database.ts';
import { stateList, timestamp } from '../core/parameters.ts';
import { destroyRecordsOf } from '../vault/destroy-records.ts';
import { readSealed, type SealedColumns } from '../vault/vault-store.ts';
import { countRows, dropContents, record } from './batch-changes.ts';
import {
  BATCH_COLUMNS,
  type BatchRecordRow,
  type BatchRowRow,
  batchFromRow,
  checkedJson,
  ROW_COLUMNS,
  rowFromRow,
  totalsJson,
} from './batch-rows.ts';

export type WorkOnBatches =
  | 'claim'
  | 'release'
  | 'claimUnchecked'
  | 'checkedSoFar'
  | 'recordChecks'
  | 'completeCheck'
  | 'claimReady'
  | 'recordOutcomes'
  | 'finish';

const CHECKABLE = stateList(rowsBefore('passed'));
const CLAIMABLE = stateList(rowsBefore('claimed'));
const ACCEPTABLE = stateList(rowsBefore('accepted'));

/** The writes of a worker, each under its claim. */
export function workOnBatches(database: Database): Pick<BatchStore, WorkOnBatches> {
  return {
    claim: (now, leaseUntil) => claimBatch(database, now, leaseUntil),
    release: (claim, now) => releaseBatch(database, claim, now),
    claimUnchecked: (claim, limit, leaseUntil) =>
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
        await transaction.query(`update payout_batches set totals = $3 where merchant_id = $1 and batch_id = $2`, [
          merchantId,
          batchId,
          totalsJson(totals),
        ]);
        await record(transaction, claim.batch, { at, event: 'checked', from: 'checking', actor: 'gateway' });
        return true;
      });
      return done ?? false;
    },
    claimReady: (claim, limit, leaseUntil) =>
      underFence(database, claim, leaseUntil, 'submitted', async (transaction) => {
        const { merchantId, batchId } = claim.batch;
        await transaction.query(
          `update payout_batch_rows set state = 'accepting' where merchant_id = $1 and batch_id = $2 and row = any(array(
             select row from payout_batch_rows
             where merchant_id = $1 and batch_id = $2 and state in (${CLAIMABLE}) order by row limit $3))`,
          [merchantId, batchId, limit],
        );
        return readSealedRows(transaction, claim.batch, 'accepting', limit * 2);
      }),
    async recordOutcomes(claim, outcomes, at, leaseUntil) {
      const done = await underFence(database, claim, leaseUntil, 'submitted', async (transaction) => {
        await endRows(transaction, claim.batch, outcomes);
        const counts = await countRows(transaction, claim.batch);
        const detail = `${counts.accepted} accepted, ${counts.rejected} rejected, ${counts.ready} left`;
        const event = { at, event: 'progressed', from: 'submitted', actor: 'gateway', detail } as const;
        await record(transaction, claim.batch, event);
        return true;
      });
      return done ?? false;
    },
    async finish(claim, at) {
      const done = await underFence(database, claim, Number.POSITIVE_INFINITY, 'submitted', async (transaction) => {
        await endRowsWithoutContent(transaction, claim.batch);
        await dropContents(transaction, claim.batch, ['faulty']);
        await record(transaction, claim.batch, { at, event: 'finished', from: 'submitted', actor: 'gateway' });
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

/** The vault destroyed these contents at their time. A worker that died may have accepted such a row before. */
async function endRowsWithoutContent(transaction: Queryable, { merchantId, batchId }: BatchKey): Promise<void> {
  const faults: readonly RowFault[] = [{ field: '', reason: ['destroyed'] }];
  await transaction.query(
    `with open as materialized (
       select row, payout_id, state from payout_batch_rows
       where merchant_id = $1 and batch_id = $2 and state in (${stateList(rowsBefore('destroyed'))})),
     known as materialized (
       select payout_id from payouts where merchant_id = $1
       and payout_id = any(array(select payout_id from open where state = 'accepting'))),
     ended as materialized (
       select row, exists (select from known as k where k.payout_id = o.payout_id) as is_accepted from open as o)
     update payout_batch_rows set vault_token = null,
       state = case when row = any(array(select row from ended where is_accepted)) then 'accepted' else 'rejected' end,
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
       ${destroyRecordsOf('tokens')})
     update payout_batch_rows as r set state = o.state, faults = o.faults, vault_token = null
     from outcome as o where r.merchant_id = $1 and r.batch_id = $2 and r.row = o.row and r.state in (${ACCEPTABLE})`,
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
     from checked as c where r.merchant_id = $1 and r.batch_id = $2 and r.row = c.row and r.state in (${CHECKABLE})`,
    [merchantId, batchId, JSON.stringify(rows.map(checkedJson))],
  );
}

const DUE = textsOf(
  (servers) => `
select merchant_id, batch_id from payout_batches
where state in ('checking', 'submitted') and lease_until <= $1${ofReachable(servers, 'payout_batches', '$2')} order by lease_until limit 1`,
);

/** Two workers may find the same batch; the conditional update gives it to one of them. */
async function claimBatch(database: Database, now: Instant, leaseUntil: Instant): Promise<BatchClaim | undefined> {
  const [due] = await sweep<{ merchant_id: string; batch_id: string }>(database, DUE, [timestamp(now)]);
  if (!due) return undefined;
  const [row] = await database.query<BatchRecordRow>(
    `update payout_batches set fence = fence + 1, lease_until = $4
     where merchant_id = $1 and batch_id = $2 and lease_until <= $3 and state in ('checking', 'submitted')
     returning ${BATCH_COLUMNS}`,
    [due.merchant_id, due.batch_id, timestamp(now), timestamp(leaseUntil)],
  );
  return row && { batch: batchFromRow(row), fence: row.fence };
}

/** Resolves to undefined if the claim is lost, or the batch has left that state. */
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
    row,
    line,
    record: { merchantId, token, sealed: readSealed(sealed) },
  }));
}
