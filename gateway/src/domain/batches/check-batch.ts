/** Checks the rows of a draft in chunks: their fields, the balance and duplicates. The check accepts nothing. */
import { type Currency, isCurrency } from '../../foundation/currency.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { balanceOf } from '../ledger/transfer.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type AcceptPayoutParts, judgePayout, type NewMerchantPayout } from '../payouts/accept-payout.ts';
import { ALIKE_WITHIN_MS, type RequestedPayout } from '../payouts/create-payout.ts';
import type { EarlierPayouts } from '../payouts/payout-store.ts';
import type { Batch, BatchTotal, RowFault, RowReason } from './batch.ts';
import type { BatchClaim, BatchStore, CheckedRow, SealedRow } from './batch-store.ts';
import { faultsOf, openRow } from './row-content.ts';
import { type RowWorkParts, workThroughRows } from './work-through-rows.ts';

export interface CheckBatchParts extends RowWorkParts {
  readonly store: Pick<BatchStore, 'claimUnchecked' | 'recordChecks' | 'checkedSoFar' | 'completeCheck' | 'release'>;
  readonly judging: AcceptPayoutParts;
  readonly earlier: EarlierPayouts;
  readonly ledger: Pick<LedgerStore, 'allBalances'>;
}

export async function checkBatch(parts: CheckBatchParts, claim: BatchClaim): Promise<void> {
  const { store, clock, leaseMs } = parts;
  const tally = await openTally(parts, claim.batch);
  const isComplete = await workThroughRows(parts, claim, {
    claimRows: (limit, leaseUntil) => store.claimUnchecked(claim, limit, leaseUntil),
    async finishRows(rows, merchant) {
      const judged = await Promise.all(rows.map((row) => judgeRow(parts, claim.batch, merchant, row)));
      const known = await knownOf(parts, claim.batch, judged);
      const checked = judged.map((row) => concludeRow(row, tally, known));
      return store.recordChecks(claim, checked, clock.now() + leaseMs);
    },
  });
  if (isComplete) await store.completeCheck(claim, totalsOf(tally), clock.now());
}

/** The money and payout ids that earlier rows of the batch use. */
interface Tally {
  readonly payoutIds: Map<string, number>;
  readonly contents: Map<string, number>;
  readonly available: Map<Currency, bigint>;
  readonly totals: Map<Currency, { rows: number; amount: bigint; fee: bigint }>;
}

async function openTally({ store, ledger }: CheckBatchParts, batch: Batch): Promise<Tally> {
  const balances = await ledger.allBalances(batch.merchantId);
  const available = new Map([...balances].map(([currency, each]) => [currency, balanceOf(each, 'available')]));
  const tally: Tally = { payoutIds: new Map(), contents: new Map(), available, totals: new Map() };
  for (const row of await store.checkedSoFar(batch)) if (row.state === 'ready') addTo(tally, row);
  return tally;
}

function addTo(tally: Tally, { row, payoutId, contentHash, currency, amount, fee }: CheckedRow): bigint | null {
  if (payoutId !== null) tally.payoutIds.set(payoutId, row);
  if (contentHash) tally.contents.set(contentHash.toString('hex'), row);
  if (currency === null || amount === null || fee === null) return null;
  const before = tally.totals.get(currency) ?? { rows: 0, amount: 0n, fee: 0n };
  tally.totals.set(currency, { rows: before.rows + 1, amount: before.amount + amount, fee: before.fee + fee });
  // The sandbox creates its money.
  const cost = currency === 'TST' ? 0n : amount + fee;
  const after = (tally.available.get(currency) ?? 0n) - cost;
  tally.available.set(currency, after);
  return after;
}

function totalsOf({ totals, available }: Tally): BatchTotal[] {
  return [...totals].map(([currency, total]) => ({
    currency,
    ...total,
    availableAfter: available.get(currency) ?? 0n,
  }));
}

interface JudgedRow {
  readonly row: number;
  readonly requested: RequestedPayout | null;
  readonly result: Result<NewMerchantPayout, readonly RowFault[]>;
}

async function judgeRow(
  parts: CheckBatchParts,
  batch: Batch,
  merchant: Merchant,
  { row, record }: SealedRow,
): Promise<JudgedRow> {
  const { requested, fault } = openRow(parts.vault, batch, row, record);
  if (fault !== null) return { row, requested: null, result: { ok: false, error: [{ field: '', reason: fault }] } };
  const { submission, faults, unknown } = parts.read(merchant, requested, parts.clock.now());
  if (!submission) return { row, requested, result: fail(faultsOf({ kind: 'faulty_fields', faults, unknown })) };
  const judged = await judgePayout(parts.judging, submission);
  return { row, requested, result: judged.ok ? ok(judged.value) : fail(faultsOf(judged.error)) };
}

interface Known {
  readonly payoutIds: ReadonlySet<string>;
  /** The earlier payout with the same content. */
  readonly earlierByContent: ReadonlyMap<string, string>;
}

async function knownOf({ earlier, clock }: CheckBatchParts, batch: Batch, rows: readonly JudgedRow[]): Promise<Known> {
  const payouts = rows.flatMap(({ result }) => (result.ok ? [result.value.payout] : []));
  const { merchantId } = batch;
  const asked = payouts.map(({ payoutId }) => payoutId);
  const payoutIds = await earlier.findIds(merchantId, asked);
  const earlierByContent = new Map<string, string>();
  for (const [currency, same] of Map.groupBy(payouts, ({ money }) => money.currency)) {
    const contentHashes = same.map(({ contentHash }) => contentHash);
    const since = clock.now() - ALIKE_WITHIN_MS;
    for (const [content, payoutId] of await earlier.findSameContent({ merchantId, currency, since, contentHashes }))
      earlierByContent.set(content, payoutId);
  }
  return { payoutIds, earlierByContent };
}

/** Returns the result of a row's check. A row without faults is added to the tally. */
function concludeRow({ row, requested, result }: JudgedRow, tally: Tally, known: Known): CheckedRow {
  if (!result.ok) return faultyRow(row, requested, result.error);
  const { payoutId, method, money, fee, rail, contentHash, beneficiary } = result.value.payout;
  const content = contentHash.toString('hex');
  const fault = faultOfId(payoutId, tally, known);
  const checked: CheckedRow = {
    row,
    payoutId,
    method,
    currency: money.currency,
    amount: money.minor,
    fee,
    rail,
    contentHash,
    accountShown: beneficiary.accountShown,
    availableAfter: null,
    state: fault === undefined ? 'ready' : 'faulty',
    faults: fault === undefined ? [] : [{ field: 'payout_id', reason: fault }],
    warning: warningOf(content, tally, known),
  };
  if (checked.state === 'faulty') return checked;
  const availableAfter = addTo(tally, checked);
  const isShort = availableAfter !== null && availableAfter < 0n;
  return { ...checked, availableAfter, warning: checked.warning ?? (isShort ? ['short'] : null) };
}

/** Shows the parts of the row that could be parsed. */
function faultyRow(row: number, requested: RequestedPayout | null, faults: readonly RowFault[]): CheckedRow {
  const currency = requested?.fields['currency'] ?? '';
  return {
    row,
    payoutId: null,
    method: requested && requested.method > 0 ? requested.method : null,
    currency: isCurrency(currency) ? currency : null,
    amount: null,
    fee: null,
    rail: null,
    contentHash: null,
    accountShown: null,
    availableAfter: null,
    state: 'faulty',
    faults,
    warning: null,
  };
}

function faultOfId(payoutId: string, tally: Tally, known: Known): RowReason | undefined {
  const earlierRow = tally.payoutIds.get(payoutId);
  if (earlierRow !== undefined) return ['same_id_in_file', String(earlierRow)];
  return known.payoutIds.has(payoutId) ? ['id_used'] : undefined;
}

function warningOf(content: string, tally: Tally, known: Known): RowReason | null {
  const earlierRow = tally.contents.get(content);
  if (earlierRow !== undefined) return ['same_content_in_file', String(earlierRow)];
  const earlier = known.earlierByContent.get(content);
  return earlier === undefined ? null : ['same_content', earlier];
}
