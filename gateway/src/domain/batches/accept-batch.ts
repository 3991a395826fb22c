/** Accepts the rows of a submitted batch, in chunks. The payout's id and content make each acceptance idempotent. */
import type { Clock } from '../../foundation/clock.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type MerchantDirectory, merchantOf } from '../merchants/merchant-directory.ts';
import type { AcceptPayout, PayoutOrigin } from '../payouts/accept-payout.ts';
import type { ReadRequestedPayout, RequestedPayout } from '../payouts/create-payout.ts';
import type { EarlierPayouts } from '../payouts/payout-store.ts';
import { needsSecondPerson } from '../proposals/policy.ts';
import type { PolicyStore } from '../proposals/policy-store.ts';
import type { Vault } from '../vault/vault.ts';
import { type Batch, payoutIdOfRow } from './batch.ts';
import { type BatchClaim, type BatchStore, CHUNK, type RowOutcome, type SealedRow } from './batch-store.ts';
import { faultsOf, openRow } from './row-content.ts';

export interface AcceptBatchParts {
  readonly store: Pick<BatchStore, 'claimReady' | 'recordOutcomes' | 'finish' | 'release'>;
  readonly vault: Vault;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly read: ReadRequestedPayout;
  readonly acceptPayout: AcceptPayout;
  readonly earlier: Pick<EarlierPayouts, 'findIds'>;
  readonly policies: Pick<PolicyStore, 'binding'>;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** True: the process stops, so another one continues. */
  readonly isStopping: () => boolean;
}

export async function acceptBatch(parts: AcceptBatchParts, claim: BatchClaim): Promise<void> {
  const { store, clock, leaseMs } = parts;
  for (;;) {
    if (parts.isStopping()) return store.release(claim, clock.now());
    const claimed = await store.claimReady(claim, CHUNK, clock.now() + leaseMs);
    if (!claimed) return;
    if (claimed.length === 0) break;
    // Read again for each chunk: a suspension or a new limit binds the rows that are not accepted yet.
    const merchant = await merchantOf(parts.merchants, claim.batch.merchantId);
    const origin = await originOf(parts, claim.batch);
    const outcomes = await Promise.all(claimed.map((row) => acceptRow(parts, claim.batch, merchant, row, origin)));
    if (!(await store.recordOutcomes(claim, outcomes, clock.now(), clock.now() + leaseMs))) return;
  }
  await store.finish(claim, clock.now());
}

/** The current rules bind each payout, as if its submitter created it separately. */
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
 * A worker accepted the row and died. Since then the row became faulty, for example by a changed setting. The gateway chose its
 * id. If it rejected the row now, a new file would pay it again under a different id.
 */
async function wasAccepted(
  { earlier }: AcceptBatchParts,
  { merchantId, batchId }: Batch,
  row: number,
  { payoutId }: RequestedPayout,
): Promise<boolean> {
  return payoutId === payoutIdOfRow(batchId, row) && (await earlier.findIds(merchantId, [payoutId])).has(payoutId);
}
