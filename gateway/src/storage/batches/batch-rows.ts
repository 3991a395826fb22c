/** Maps batches and their rows between rows of the database and types. */
import type { ActorKind } from '../../domain/audit/actor.ts';
import type { Batch, BatchRow, BatchState, BatchTotal, RowReason, Submitter } from '../../domain/batches/batch.ts';
import type { CheckedRow } from '../../domain/batches/batch-store.ts';
import type { Currency } from '../../foundation/currency.ts';
import { byteaText } from '../core/parameters.ts';

export const BATCH_COLUMNS =
  'merchant_id, batch_id, name, state, rows, totals, created_at, created_by, submitted_at, submitter, ended_at, fence';

interface TotalJson {
  readonly currency: Currency;
  readonly rows: number;
  readonly amount: string;
  readonly fee: string;
  readonly available_after: string;
}

interface SubmitterJson {
  readonly kind: ActorKind;
  readonly id: string;
  readonly name: string;
  readonly people: readonly string[];
  readonly mailbox: string;
  readonly team: string | null;
}

export interface BatchRecordRow {
  readonly merchant_id: string;
  readonly batch_id: string;
  readonly name: string;
  readonly state: BatchState;
  readonly rows: number;
  readonly totals: readonly TotalJson[];
  readonly created_at: number;
  readonly created_by: string;
  readonly submitted_at: number | null;
  readonly submitter: SubmitterJson | null;
  readonly ended_at: number | null;
  readonly fence: bigint;
}

export function batchFromRow(row: BatchRecordRow): Batch {
  const { name, state, rows, totals, submitter } = row;
  return {
    merchantId: row.merchant_id,
    batchId: row.batch_id,
    name,
    state,
    rows,
    totals: totals.map(({ currency, rows: count, amount, fee, available_after: after }) => ({
      currency,
      rows: count,
      amount: BigInt(amount),
      fee: BigInt(fee),
      availableAfter: BigInt(after),
    })),
    createdAt: row.created_at,
    createdBy: row.created_by,
    submittedAt: row.submitted_at,
    endedAt: row.ended_at,
    submitter: submitter && submitterFromJson(submitter),
  };
}

function submitterFromJson({ kind, id, name, people, mailbox, team }: SubmitterJson): Submitter {
  return { actor: { kind, id, name }, people, mailbox, team };
}

export function submitterJson({ actor, people, mailbox, team }: Submitter): string {
  return JSON.stringify({ ...actor, people, mailbox, team } satisfies SubmitterJson);
}

/** JSON has no bigint. */
export function totalsJson(totals: readonly BatchTotal[]): string {
  return JSON.stringify(
    totals.map(({ amount, fee, availableAfter, ...total }) => ({
      ...total,
      amount: amount.toString(),
      fee: fee.toString(),
      available_after: availableAfter.toString(),
    })),
  );
}

export const ROW_COLUMNS = `row, line, state, payout_id, method, currency, amount, fee, rail, account_shown, available_after,
  faults, warning`;

export interface BatchRowRow extends Omit<BatchRow, 'payoutId' | 'accountShown' | 'availableAfter' | 'warning'> {
  readonly payout_id: string | null;
  readonly account_shown: string | null;
  readonly available_after: bigint | null;
  /** The warning as JSON. */
  readonly warning: string | null;
}

export function rowFromRow({ payout_id, account_shown, available_after, warning, ...row }: BatchRowRow): BatchRow {
  const reason = warning === null ? null : (JSON.parse(warning) as RowReason);
  return { ...row, warning: reason, payoutId: payout_id, accountShown: account_shown, availableAfter: available_after };
}

/** Returns a checked row as JSON, for the statement that writes many. */
export function checkedJson(row: CheckedRow): Readonly<Record<string, unknown>> {
  const { payoutId, accountShown, contentHash, availableAfter, amount, fee, ...same } = row;
  return {
    ...same,
    payout_id: payoutId,
    account_shown: accountShown,
    amount: amount?.toString(),
    fee: fee?.toString(),
    available_after: availableAfter?.toString(),
    content_hash: contentHash && byteaText(contentHash),
  };
}
