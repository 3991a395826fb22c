/** Accepts the rows of a submitted batch, in chunks. The payout's id and content make each acceptance idempotent. */
import type { Merchant } from '../merchants/merchant.ts';
import type { AcceptPayout, PayoutOrigin } from '../payouts/accept-payout.ts';
import type { RequestedPayout } from '../payouts/create-payout.ts';
import type { EarlierPayouts } from '../payouts/payout-store.ts';
import { needsSecondPerson } from '../proposals/policy.ts';
import type { PolicyStore } from '../proposals/policy-store.ts';
import { type Batch, payoutIdOfRow } from './batch.ts';
import type { BatchClaim, BatchStore, RowOutcome, SealedRow } from './batch-store.ts';
import { faultsOf, openRow } from './row-content.ts';
import { type RowWorkParts, workThroughRows } from './work-through-rows.ts';

export interface AcceptBatchParts extends RowWorkParts {
  readonly store: Pick<BatchStore, 'claimReady' | 'recordOutcomes' | 'finish' | 'release'>;
  readonly acceptPayout: AcceptPayout;
  readonly earlier: Pick<EarlierPayouts, 'findIds'>;
  readonly policies: Pick<PolicyStore, 'binding'>;
}

export async function acceptBatch(parts: AcceptBatchParts, claim: BatchClaim): Promise<void> {
  const { store, clock, leaseMs } = parts;
  const isComplete = await workThroughRows(parts, claim, {
    claimRows: (limit, leaseUntil) => store.claimReady(claim, limit, leaseUntil),
    async finishRows(rows, merchant) {
      const origin = await originOf(parts, claim.batch);
      const outcomes = await Promise.all(rows.map((row) => acceptRow(parts, claim.batch, merchant, row, origin)));
      return store.recordOutcomes(claim, outcomes, clock.now(), clock.now() + leaseMs);
    },
  });
  if (isComplete) await store.finish(claim, clock.now());
}

/** The current policies bind each payout, as if its submitter had created it individually. */
async function originOf(
  { policies }: AcceptBatchParts,
  { merchantId, submitter }: Batch,
): Promise<PayoutOrigin | undefined> {
  if (!submitter) return undefined;
  const { team, ...maker } = submitter;
  const rules = team === null ? [] : await policies.binding('payouts.create', { team, ...maker });
  return {
    maker,
    needsSecondPerson: (posted) => needsSecondPerson(rules, { merchants: [merchantId], posted }),
  };
}

async function acceptRow(
  parts: AcceptBatchParts,
  batch: Batch,
  merchant: Merchant,
  { row, record }: SealedRow,
  origin: PayoutOrigin | undefined,
): Promise<RowOutcome> {
  const { requested } = openRow(parts.vault, batch, row, record);
  const { submission, faults, unknown } = parts.read(merchant, requested, parts.clock.now());
  if (!submission && (await wasAccepted(parts, batch, row, requested))) return { row, state: 'accepted', faults: [] };
  if (!submission) return { row, state: 'rejected', faults: faultsOf({ kind: 'faulty_fields', faults, unknown }) };
  const accepted = await parts.acceptPayout({ ...submission, ...(origin && { origin }) });
  return accepted.ok
    ? { row, state: 'accepted', faults: [] }
    : { row, state: 'rejected', faults: faultsOf(accepted.error) };
}

/**
 * True if a worker accepted the row and died before recording that. The row may have become invalid since, for example by a
 * changed setting. If the gateway, which chose the id, rejected the row now, a new file would pay it again with a different
 * id.
 */
async function wasAccepted(
  { earlier }: AcceptBatchParts,
  { merchantId, batchId }: Batch,
  row: number,
  { payoutId }: RequestedPayout,
): Promise<boolean> {
  return payoutId === payoutIdOfRow(batchId, row) && (await earlier.findIds(merchantId, [payoutId])).has(payoutId);
}
