/**
 * The commit that settles payouts by a decision of a bank or an operator. It reads the facts, lets the domain plan, and writes
 * state, money, history, adjustment and callback together. If a plan depends on no balance, only the writing statement locks
 * the merchants, and it skips payouts that have changed since the read. All other payouts are read, planned and written
 * under the merchants' locks.
 */
import type { ReportedDifference } from '../../../domain/differences/difference.ts';
import type { Balances, Journal } from '../../../domain/ledger/transfer.ts';
import type { ClaimedPayout } from '../../../domain/payouts/payout-job-store.ts';
import type { PlannedJournal, SettlementOutcome, SettlementRequest } from '../../../domain/payouts/payout-store.ts';
import { contradictionOf } from '../../../domain/payouts/plan-settlement.ts';
import type { PayoutKey } from '../../../foundation/identifiers.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { FOR_CLUSTER } from '../../core/cluster-text.ts';
import type { Database, Queryable } from '../../core/database.ts';
import { FactsChanged } from '../../core/database-errors.ts';
import { reportDifferences } from '../../differences/difference-store.ts';
import { createAccounts, lockMerchants, openBalanceBook } from '../../ledger/ledger-posting.ts';
import { ADJUSTED_BY_OF_NAMED, keyFromRow, keyText, lockJobs, PAYOUT_COLUMNS, payoutFromRow } from '../payout-rows.ts';
import {
  type Facts,
  type FactsRow,
  type Planned,
  type SettlingOptions,
  type Writable,
  writeApprovals,
  writeSettled,
} from './write-settled.ts';

export const READ_FACTS = `
select ${PAYOUT_COLUMNS}, j.fence, j.attempts, j.stage, j.paid_by, j.approve_by,
  ${ADJUSTED_BY_OF_NAMED},
  case p.purpose when 'return' then not exists (
    select from incoming_transfers as t
    where t.merchant_id = any($1::text[]) ${FOR_CLUSTER} and t.merchant_id = p.merchant_id and t.state = 'held' and t.return_id = p.payout_id and not t.is_return_overtaken) else false end as is_overtaken,
  coalesce((select max(h.entry) from payout_history as h
    where h.merchant_id = any($1::text[]) ${FOR_CLUSTER} and h.merchant_id = p.merchant_id and h.payout_id = p.payout_id), 1) as entries
from unnest($1::text[], $2::text[]) as k(merchant_id, payout_id)
join payouts as p using (merchant_id, payout_id)
left join payout_jobs as j on j.merchant_id = p.merchant_id and j.payout_id = p.payout_id and j.merchant_id = any($1::text[]) ${FOR_CLUSTER}
where p.merchant_id = any($1::text[]) ${FOR_CLUSTER}`;

const LOCKED_RUNS = 3;

/** Settles each of `items` and gives the outcomes in the same order. Two items of one payout run in sequence. */
export async function settlePayouts(
  database: Database,
  options: SettlingOptions,
  items: readonly SettlementRequest[],
): Promise<SettlementOutcome[]> {
  const outcomes = new Map<SettlementRequest, SettlementOutcome>();
  for (let waiting = [...items]; waiting.length > 0; ) {
    const round = new Map<string, SettlementRequest>();
    for (const item of waiting) if (!round.has(keyText(item))) round.set(keyText(item), item);
    for (const [item, outcome] of await settleWithoutLocks(database, options, [...round.values()]))
      outcomes.set(item, outcome);
    const open = [...round.values()].filter((item) => !outcomes.has(item));
    if (open.length > 0)
      for (const [item, outcome] of await settleUnderLocks(database, options, open)) outcomes.set(item, outcome);
    waiting = waiting.filter((item) => !outcomes.has(item));
  }
  return items.map((item) => {
    const outcome = outcomes.get(item);
    invariant(outcome, 'settled batch has no outcome for one of its payouts');
    return outcome;
  });
}

interface Decision {
  readonly outcome: SettlementOutcome;
  readonly planned?: Planned;
  readonly otherwise?: ReportedDifference | undefined;
}

/**
 * Settles the payouts that need no locks during planning and that did not change since they were read or claimed. The facts of a
 * claim never suffice to reject a report.
 */
async function settleWithoutLocks(
  database: Database,
  options: SettlingOptions,
  items: readonly SettlementRequest[],
): Promise<Map<SettlementRequest, SettlementOutcome>> {
  const outcomes = new Map<SettlementRequest, SettlementOutcome>();
  const ready = new Map<SettlementRequest, Writable>();
  const contradictions: ReportedDifference[] = [];
  const prepare = (item: SettlementRequest, { planned }: Decision) => {
    if (planned?.plan.change && planned.plan.journal?.kind === 'fixed')
      ready.set(item, { ...planned, journal: planned.plan.journal.journal });
  };
  for (const item of items) if (item.claimed) prepare(item, decide(item, factsOf(item.claimed)));
  const unknown = items.filter((item) => !ready.has(item));
  const facts = await readFacts(database, unknown);
  for (const item of unknown) {
    const decision = decide(item, facts.get(keyText(item)));
    if (decision.otherwise) contradictions.push(decision.otherwise);
    if (!decision.planned) outcomes.set(item, decision.outcome);
    prepare(item, decision);
  }
  await reportDifferences(database, contradictions);
  if (ready.size === 0) return outcomes;
  const finished = await writeSettled(database, options, [...ready.values()]);
  for (const [item, { plan }] of ready) if (finished.has(keyText(item))) outcomes.set(item, { kind: 'settled', plan });
  return outcomes;
}

/**
 * If an attempt has begun since the read, only the locked items run again. Items settled without locks would find
 * themselves settled.
 */
async function settleUnderLocks(
  database: Database,
  options: SettlingOptions,
  items: readonly SettlementRequest[],
): Promise<Map<SettlementRequest, SettlementOutcome>> {
  for (let run = 1; ; run += 1) {
    try {
      return await database.transaction((transaction) => settleHeld(transaction, options, items));
    } catch (error) {
      if (!(error instanceof FactsChanged) || run === LOCKED_RUNS) throw error;
    }
  }
}

async function settleHeld(
  transaction: Queryable,
  options: SettlingOptions,
  items: readonly SettlementRequest[],
): Promise<Map<SettlementRequest, SettlementOutcome>> {
  const merchants = items.map(({ merchantId }) => merchantId);
  await lockMerchants(transaction, merchants);
  const facts = await readFacts(transaction, items);
  const accounts = Array.from(facts.values(), ({ payout: { merchantId, money } }) => ({
    merchantId,
    currency: money.currency,
  }));
  const book = await openBalanceBook(transaction, accounts);
  const outcomes = new Map<SettlementRequest, SettlementOutcome>();
  const all: Writable[] = [];
  const contradictions: ReportedDifference[] = [];
  for (const item of items) {
    const { outcome, planned, otherwise } = decide(item, facts.get(keyText(item)));
    outcomes.set(item, outcome);
    if (otherwise) contradictions.push(otherwise);
    if (!planned) continue;
    const { payout, plan } = planned;
    const journal = weigh(plan.journal, () => book.balances(payout.merchantId, payout.money.currency));
    if (journal)
      invariant(book.add(journal), `settlement would take a balance below its minimum: ${journal.journalId}`);
    all.push({ ...planned, journal });
  }
  await reportDifferences(transaction, [...contradictions, ...all.flatMap(contradictionsOf)]);
  if (all.length === 0) return outcomes;
  await createAccounts(transaction, book);
  // Each of these needs a separate statement, or is part of one.
  if (all.length > 1 && all.some(({ plan }) => plan.approver || plan.paidBy !== null)) await lockJobs(transaction, all);
  const approvals = all.filter(({ plan }) => plan.approver);
  if (approvals.length > 0) await writeApprovals(transaction, options, approvals);
  const ends = all.filter(({ plan }) => !plan.approver);
  const finished = ends.length > 0 ? await writeSettled(transaction, options, ends) : new Set<string>();
  // An attempt that began after the facts were read makes them stale, and a cancel must see it.
  if (all.some(({ plan, payout }) => plan.change && !finished.has(keyText(payout))))
    throw new FactsChanged('an attempt began while its payout was settled');
  return outcomes;
}

function contradictionsOf({ payout, plan: { adjustment } }: Planned): ReportedDifference[] {
  return adjustment?.kind === 'contradicted' ? [contradictionOf(payout, adjustment)] : [];
}

async function readFacts(queryable: Queryable, keys: readonly PayoutKey[]): Promise<Map<string, Facts>> {
  if (keys.length === 0) return new Map();
  const rows = await queryable.prepared<FactsRow>('read-settlement-facts', READ_FACTS, [
    keys.map(({ merchantId }) => merchantId),
    keys.map(({ payoutId }) => payoutId),
  ]);
  return new Map(rows.map((row) => [keyText(keyFromRow(row)), factsFromRow(row)]));
}

function factsFromRow(row: FactsRow): Facts {
  return {
    payout: payoutFromRow(row),
    fence: row.fence,
    attempts: row.attempts,
    entries: row.entries,
    isClaimed: false,
    adjustedBy: row.adjusted_by,
    paidBy: row.paid_by,
    isOvertaken: row.is_overtaken,
    stage: row.stage,
    approveBy: row.approve_by,
  };
}

/** Returns undefined if the plan may need more than the claim read. */
function factsOf(claim: ClaimedPayout): Facts | undefined {
  const isPlain = claim.payout.purpose === 'payout' && claim.paidBy === null && !claim.wasFinal;
  return isPlain ? { ...claim, isClaimed: true, adjustedBy: {}, isOvertaken: false } : undefined;
}

function weigh(planned: PlannedJournal | null, balances: () => Balances): Journal | null {
  return planned?.kind === 'weighed' ? planned.journal(balances()) : (planned?.journal ?? null);
}

function decide(item: SettlementRequest, facts: Facts | undefined): Decision {
  if (!facts) return { outcome: { kind: 'not_found' } };
  const { payout } = facts;
  if (item.fence !== null && payout.state === 'pending' && facts.fence !== item.fence)
    return { outcome: { kind: 'lease_lost' } };
  const plan = item.plan(facts);
  if (!plan) return { outcome: { kind: 'unchanged', payout }, otherwise: item.otherwise?.(facts) };
  return { outcome: { kind: 'settled', plan }, planned: { facts, payout, plan } };
}
