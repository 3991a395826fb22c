/**
 * The work on a claimed batch, in chunks: check the rows of a draft, or accept those of a submitted batch. It may die
 * at any moment. A check changes nothing else, and the payout's id and content make an acceptance idempotent, so both
 * continue after a crash.
 */
import type { Clock } from '../../foundation/clock.ts';
import { type Currency, isCurrency } from '../../foundation/currency.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { Secret } from '../../foundation/secret.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { balanceOf } from '../ledger/transfer.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type MerchantDirectory, merchantOf } from '../merchants/merchant-directory.ts';
import {
  type AcceptPayout,
  type AcceptPayoutParts,
  judgePayout,
  type NewMerchantPayout,
  type PayoutOrigin,
} from '../payouts/accept-payout.ts';
import {
  ALIKE_WITHIN_MS,
  type ReadRequestedPayout,
  type RequestedPayout,
  type RequestFailure,
} from '../payouts/create-payout.ts';
import type { EarlierPayouts } from '../payouts/payout-store.ts';
import { faultOfWhole, fieldFaultsOf } from '../payouts/request-faults.ts';
import { needsSecondPerson } from '../proposals/policy.ts';
import type { PolicyStore } from '../proposals/policy-store.ts';
import type { Vault } from '../vault/vault.ts';
import { type Batch, type BatchTotal, type FileRow, payoutIdOfRow, type RowFault, type RowReason } from './batch.ts';
import type { BatchClaim, BatchStore, CheckedRow, RowOutcome, SealedRow } from './batch-store.ts';

interface BatchWorkParts {
  readonly store: BatchStore;
  readonly vault: Vault;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly read: ReadRequestedPayout;
  readonly judging: AcceptPayoutParts;
  readonly acceptPayout: AcceptPayout;
  readonly earlier: EarlierPayouts;
  readonly ledger: Pick<LedgerStore, 'allBalances'>;
  readonly policies: Pick<PolicyStore, 'binding'>;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** True: the process stops, so another one continues. */
  readonly isStopping: () => boolean;
}

/** Rows of one chunk. Between two chunks other work has its turn, and a cancellation takes effect. */
const CHUNK = 100;

/** The name of the cell in the vault that holds a row. */
const SEALED_CELL = 'row';

export function sealRow(vault: Vault, merchantId: string, at: number, row: FileRow) {
  return vault.sealFields(merchantId, at, { [SEALED_CELL]: new Secret(JSON.stringify(row)) });
}

/** Works on one batch until it has nothing left to do. False: no batch is due. */
export async function workOnBatch(parts: BatchWorkParts): Promise<boolean> {
  const { store, clock, leaseMs } = parts;
  const claim = await store.claim(clock.now(), clock.now() + leaseMs);
  if (!claim) return false;
  try {
    const work = claim.batch.state === 'checking' ? checkBatch : acceptBatch;
    await work(parts, claim);
  } catch (error) {
    await store.release(claim, clock.now());
    throw error;
  }
  return true;
}

async function checkBatch(parts: BatchWorkParts, claim: BatchClaim): Promise<void> {
  const { store, clock, leaseMs } = parts;
  const tally = await openTally(parts, claim.batch);
  for (;;) {
    if (parts.isStopping()) return store.release(claim, clock.now());
    const claimed = await store.claimUnchecked(claim, CHUNK, clock.now() + leaseMs);
    if (!claimed) return;
    if (claimed.length === 0) break;
    const merchant = await merchantOf(parts.merchants, claim.batch.merchantId);
    const judged = await Promise.all(claimed.map((row) => judgeRow(parts, claim.batch, merchant, row)));
    const known = await knownOf(parts, claim.batch, judged);
    const checked = judged.map((row) => concludeRow(row, tally, known));
    if (!(await store.recordChecks(claim, checked, clock.now() + leaseMs))) return;
  }
  await store.completeCheck(claim, totalsOf(tally), clock.now());
}

/** The money and payout ids that earlier rows of the batch use. */
interface Tally {
  readonly payoutIds: Map<string, number>;
  readonly contents: Map<string, number>;
  readonly available: Map<Currency, bigint>;
  readonly totals: Map<Currency, { rows: number; amount: bigint; fee: bigint }>;
}

async function openTally({ store, ledger }: BatchWorkParts, batch: Batch): Promise<Tally> {
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
  parts: BatchWorkParts,
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

/** The fields at fault, or why the row is rejected as a whole. */
function faultsOf(failure: RequestFailure): readonly RowFault[] {
  const faults = fieldFaultsOf(failure);
  return faults.length > 0 ? faults : [{ field: '', reason: [faultOfWhole(failure)] }];
}

function openRow(vault: Vault, { batchId }: Batch, row: number, record: SealedRow['record']) {
  const opened = vault.openFields(record)[SEALED_CELL];
  const { cells, fault } = JSON.parse(opened?.reveal() ?? '{}') as FileRow;
  const { payout_id: payoutId = payoutIdOfRow(batchId, row), method = '', ...fields } = cells;
  const requested: RequestedPayout = { payoutId, method: /^\d{1,3}$/.test(method) ? Number(method) : 0, fields };
  return { requested, fault };
}

interface Known {
  readonly payoutIds: ReadonlySet<string>;
  /** The earlier payout of each content. */
  readonly earlierByContent: ReadonlyMap<string, string>;
}

async function knownOf({ earlier, clock }: BatchWorkParts, batch: Batch, rows: readonly JudgedRow[]): Promise<Known> {
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

function concludeRow({ row, requested, result }: JudgedRow, tally: Tally, known: Known): CheckedRow {
  const empty = { payoutId: null, method: null, currency: null, amount: null, fee: null, rail: null };
  const nothing = { ...empty, accountShown: null, contentHash: null, availableAfter: null, warning: null };
  const currency = requested?.fields['currency'] ?? '';
  if (!result.ok)
    return {
      ...nothing,
      row,
      state: 'faulty',
      faults: result.error,
      method: requested && requested.method > 0 ? requested.method : null,
      currency: isCurrency(currency) ? currency : null,
    };
  const { payout } = result.value;
  const { payoutId, method, money, fee, rail, contentHash, beneficiary } = payout;
  const content = contentHash.toString('hex');
  const earlierRow = tally.payoutIds.get(payoutId);
  const fault: RowReason | undefined =
    earlierRow !== undefined
      ? ['same_id_in_file', String(earlierRow)]
      : known.payoutIds.has(payoutId)
        ? ['id_used']
        : undefined;
  const sameContent = tally.contents.get(content);
  const earlier = known.earlierByContent.get(content);
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
    warning:
      sameContent !== undefined
        ? ['same_content_in_file', String(sameContent)]
        : earlier !== undefined
          ? ['same_content', earlier]
          : null,
  };
  if (checked.state === 'faulty') return checked;
  const availableAfter = addTo(tally, checked);
  const isShort = availableAfter !== null && availableAfter < 0n;
  return { ...checked, availableAfter, warning: checked.warning ?? (isShort ? ['short'] : null) };
}

async function acceptBatch(parts: BatchWorkParts, claim: BatchClaim): Promise<void> {
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
  { policies }: BatchWorkParts,
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
  parts: BatchWorkParts,
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
  { earlier }: BatchWorkParts,
  { merchantId, batchId }: Batch,
  row: number,
  { payoutId }: RequestedPayout,
): Promise<boolean> {
  return payoutId === payoutIdOfRow(batchId, row) && (await earlier.findIds(merchantId, [payoutId])).has(payoutId);
}
