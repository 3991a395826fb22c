/**
 * The commit that settles payouts by a decision of a bank or an operator. It reads the facts, lets the domain plan, and writes
 * state, money, history, adjustment and callback together. If a plan depends on no balance, only the writing statement locks
 * the merchants, and it skips payouts that changed meanwhile. All other payouts are read, planned and written under the
 * merchants' locks.
 */
import type { ReportedDifference } from '../../domain/differences/difference.ts';
import type { Balances, Journal } from '../../domain/ledger/transfer.ts';
import type { Payout, PayoutStage } from '../../domain/payouts/payout.ts';
import type {
  AdjustedBy,
  PlannedJournal,
  SettlementOutcome,
  SettlementPlan,
  SettlementRequest,
} from '../../domain/payouts/payout-store.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatMoney } from '../../foundation/money.ts';
import { CALLBACK_ROW_TYPES, INSERT_CALLBACKS, newCallbackRow } from '../callbacks/callback-store.ts';
import { lockMerchantsOf } from '../core/advisory-locks.ts';
import { ESTIMATED_AS_ONE_ROW } from '../core/batch-parameter.ts';
import {
  columnArrays,
  type Database,
  type Queryable,
  timestamp,
  timestampOrNull,
  unnestFrom,
} from '../core/database.ts';
import { FactsChanged } from '../core/database-errors.ts';
import { reportDifferences } from '../differences/difference-store.ts';
import {
  createAccounts,
  lockMerchants,
  openBalanceBook,
  POST_TRANSFERS,
  TRANSFER_TYPES,
  type TransferRow,
  transferRows,
} from '../ledger/ledger-posting.ts';
import {
  ADJUSTED_BY_OF_NAMED,
  keyFromRow,
  keyText,
  PAYOUT_COLUMNS,
  type PayoutKeyRow,
  type PayoutRow,
  payoutFromRow,
} from './payout-rows.ts';

interface FactsRow extends PayoutRow {
  fence: number | null;
  attempts: number | null;
  stage: PayoutStage | null;
  adjusted_by: AdjustedBy;
  paid_by: string | null;
  is_overtaken: boolean;
  approve_by: number | null;
  entries: number;
}

const READ_FACTS = `
select ${PAYOUT_COLUMNS}, j.fence, j.attempts, j.stage, j.paid_by, j.approve_by,
  ${ADJUSTED_BY_OF_NAMED},
  case p.purpose when 'return' then not exists (
    select from incoming_transfers as t
    where t.merchant_id = any($1::text[]) and t.merchant_id = p.merchant_id and t.state = 'held' and t.return_id = p.payout_id and not t.is_return_overtaken) else false end as is_overtaken,
  coalesce((select max(h.entry) from payout_history as h
    where h.merchant_id = any($1::text[]) and h.merchant_id = p.merchant_id and h.payout_id = p.payout_id), 1) as entries
from unnest($1::text[], $2::text[]) as k(merchant_id, payout_id)
join payouts as p using (merchant_id, payout_id)
left join payout_jobs as j on j.merchant_id = p.merchant_id and j.payout_id = p.payout_id and j.merchant_id = any($1::text[])
where p.merchant_id = any($1::text[])`;

/** The arrays of the statement: settled payouts, their transfers, their callbacks, and each account that the transfers change. */
const SETTLED = {
  merchant_id: 'text',
  payout_id: 'text',
  currency: 'text',
  rail: 'text',
  attempts: 'integer',
  state: 'text',
  blocked_reason: 'text',
  final_rail: 'text',
  finished_at: 'timestamptz',
  vault_token: 'text',
  destroy_at: 'timestamptz',
  entry: 'smallint',
  at: 'timestamptz',
  event: 'text',
  from_state: 'text',
  to_state: 'text',
  actor: 'text',
  detail: 'text',
  adjustment: 'text',
  adjustment_detail: 'text',
  adjustment_rail: 'text',
  paid_by: 'text',
  awaiting: 'boolean',
};
const CALLBACK = { payout_id: 'text', ...CALLBACK_ROW_TYPES };
const ACCOUNT = { merchant_id: 'text', currency: 'text', account: 'text' };
const FIRST_TRANSFER = 1 + Object.keys(SETTLED).length;
const FIRST_CALLBACK = FIRST_TRANSFER + Object.keys(TRANSFER_TYPES).length;
const FIRST_ACCOUNT = FIRST_CALLBACK + Object.keys(CALLBACK).length;

/** Writes a final state only for a payout whose attempt and approval are still as they were read and whose accounts all exist. */
const WRITE_SETTLED = `
with settled as (
  select * from ${unnestFrom(1, SETTLED)} where ${ESTIMATED_AS_ONE_ROW}),
transfers as materialized (select * from ${unnestFrom(FIRST_TRANSFER, TRANSFER_TYPES)}),
accounts as materialized (select * from ${unnestFrom(FIRST_ACCOUNT, ACCOUNT)} where ${ESTIMATED_AS_ONE_ROW}),
opened as materialized (
  select a.merchant_id, a.currency, a.account from accounts as c
  join ledger_accounts as a on a.merchant_id = c.merchant_id and a.currency = c.currency and a.account = c.account
  where a.merchant_id = any($1::text[])),
missing as materialized (
  select c.merchant_id, c.currency from accounts as c left join opened as o using (merchant_id, currency, account) where o is null),
locked as materialized (
  ${lockMerchantsOf('settled')}),
dequeued as (
  delete from payout_jobs as j using settled as s
  where s.state is not null and j.merchant_id = any($1::text[]) and j.merchant_id = s.merchant_id and j.payout_id = s.payout_id and j.attempts = s.attempts and j.rail = s.rail
    and (j.stage = 'awaiting_approval') = s.awaiting
    and (select count(*) from locked) > 0
    and not exists (select from missing as m where m.merchant_id = s.merchant_id and m.currency = s.currency)
  returning s.*),
finished as (
  update payouts as p set state = d.state, blocked_reason = d.blocked_reason, rail = d.final_rail, finished_at = d.finished_at from dequeued as d
  where p.merchant_id = any($1::text[]) and p.merchant_id = d.merchant_id and p.payout_id = d.payout_id and p.state = 'pending'
  returning d.*),
answered as (
  update payout_attempts as a set finished_at = d.at, outcome = d.event, detail = d.detail from dequeued as d
  where a.merchant_id = any($1::text[]) and a.merchant_id = d.merchant_id and a.payout_id = d.payout_id and a.attempt = d.attempts
    and a.finished_at is null),
entered as materialized (select * from finished union all select * from settled where state is null),
expiring as (
  insert into vault_expiries (merchant_id, token, destroy_at)
  select merchant_id, vault_token, destroy_at from entered where vault_token is not null),
recorded as (
  insert into payout_history (merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail)
  select merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail from entered),
adjusted as (
  insert into payout_adjustments (merchant_id, payout_id, kind, at, detail, rail)
  select merchant_id, payout_id, adjustment, at, adjustment_detail, adjustment_rail from entered where adjustment is not null),
marked as (
  update payout_jobs as j set paid_by = s.paid_by, note = s.paid_by || ' says that it has paid it' from settled as s
  where s.paid_by is not null and j.merchant_id = any($1::text[]) and j.merchant_id = s.merchant_id and j.payout_id = s.payout_id),
posting as materialized (select t.* from transfers as t join entered using (merchant_id, payout_id)),
${POST_TRANSFERS},
new_callbacks as (
  select r.* from ${unnestFrom(FIRST_CALLBACK, CALLBACK)} join entered using (merchant_id, payout_id)),
${INSERT_CALLBACKS}
select merchant_id, payout_id from finished`;

/** How long the vault keeps the card number of a final payout (decisions, Keys: card ciphertext). */
export interface SettlingOptions {
  readonly vaultRetentionMs: number;
}

const HELD_RUNS = 3;

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
    for (const [item, outcome] of await settleUnheld(database, options, [...round.values()]))
      outcomes.set(item, outcome);
    const open = [...round.values()].filter((item) => !outcomes.has(item));
    if (open.length > 0)
      for (const [item, outcome] of await settleHeldAgain(database, options, open)) outcomes.set(item, outcome);
    waiting = waiting.filter((item) => !outcomes.has(item));
  }
  return items.map((item) => {
    const outcome = outcomes.get(item);
    invariant(outcome, 'a settled batch lost one of its payouts');
    return outcome;
  });
}

interface Planned {
  readonly row: FactsRow;
  readonly payout: Payout;
  readonly plan: SettlementPlan;
}

interface Writable extends Planned {
  readonly journal: Journal | null;
}

type Decision = { readonly outcome: SettlementOutcome; readonly planned?: Planned };

/** Settles the payouts that need no locks during planning and that did not change since they were read. */
async function settleUnheld(
  database: Database,
  options: SettlingOptions,
  items: readonly SettlementRequest[],
): Promise<Map<SettlementRequest, SettlementOutcome>> {
  const facts = await readFacts(database, items);
  const outcomes = new Map<SettlementRequest, SettlementOutcome>();
  const ready = new Map<SettlementRequest, Writable>();
  for (const item of items) {
    const { outcome, planned } = decide(item, facts.get(keyText(item)));
    if (!planned) outcomes.set(item, outcome);
    else if (planned.plan.change && planned.plan.journal?.kind === 'fixed')
      ready.set(item, { ...planned, journal: planned.plan.journal.journal });
  }
  if (ready.size === 0) return outcomes;
  const finished = await write(database, options, [...ready.values()]);
  for (const [item, { plan }] of ready) if (finished.has(keyText(item))) outcomes.set(item, { kind: 'settled', plan });
  return outcomes;
}

/**
 * If an attempt began meanwhile, only the locked items run again. Items settled without locks would find themselves settled.
 */
async function settleHeldAgain(
  database: Database,
  options: SettlingOptions,
  items: readonly SettlementRequest[],
): Promise<Map<SettlementRequest, SettlementOutcome>> {
  for (let run = 1; ; run += 1) {
    try {
      return await database.transaction((transaction) => settleHeld(transaction, options, items));
    } catch (error) {
      if (!(error instanceof FactsChanged) || run === HELD_RUNS) throw error;
    }
  }
}

async function settleHeld(
  transaction: Queryable,
  options: SettlingOptions,
  items: readonly SettlementRequest[],
): Promise<Map<SettlementRequest, SettlementOutcome>> {
  await lockMerchants(
    transaction,
    items.map(({ merchantId }) => merchantId),
  );
  const facts = await readFacts(transaction, items);
  const book = await openBalanceBook(
    transaction,
    Array.from(facts.values(), (row) => ({ merchantId: row.merchant_id, currency: row.currency })),
  );
  const outcomes = new Map<SettlementRequest, SettlementOutcome>();
  const all: Writable[] = [];
  for (const item of items) {
    const { outcome, planned } = decide(item, facts.get(keyText(item)));
    outcomes.set(item, outcome);
    if (!planned) continue;
    const { row, plan } = planned;
    const journal = weigh(plan.journal, () => book.balances(row.merchant_id, row.currency));
    if (journal) invariant(book.add(journal), `settling would break a floor: ${journal.journalId}`);
    all.push({ ...planned, journal });
  }
  if (all.length === 0) return outcomes;
  await createAccounts(transaction, book);
  const approvals = all.filter(({ plan }) => plan.approver);
  if (approvals.length > 0) await writeApprovals(transaction, options, approvals);
  const ends = all.filter(({ plan }) => !plan.approver);
  const finished = ends.length > 0 ? await write(transaction, options, ends) : new Set<string>();
  await reportDifferences(transaction, all.flatMap(contradictionOf));
  // An attempt that began after the facts were read makes them stale: a cancel must see it.
  if (all.some(({ plan, payout }) => plan.change && !finished.has(keyText(payout))))
    throw new FactsChanged('an attempt began while its payout was settled');
  return outcomes;
}

/** The constraints of payout_approvals reject the maker. The new fence ends the lease of a worker that asks banks about the payout, so that it does not undo the approval. */
const APPROVE = `
with approved as (
  select * from json_to_recordset($1) as r(merchant_id text, payout_id text, entry smallint, at timestamptz, event text,
    from_state text, to_state text, actor text, detail text, awaiting boolean, person text, mailbox text) where ${ESTIMATED_AS_ONE_ROW}),
moved as (
  update payout_jobs as j set stage = 'queued', stage_since = a.at, due_at = a.at, approved_at = a.at, note = '', fence = j.fence + 1
  from approved as a
  where j.merchant_id = a.merchant_id and j.payout_id = a.payout_id
    and (j.stage = 'awaiting_approval') = a.awaiting
  returning a.*),
checked as (
  insert into payout_approvals (merchant_id, payout_id, maker_people, maker_mailbox, person, mailbox)
  select a.merchant_id, a.payout_id, m.people, m.mailbox, a.person, a.mailbox
  from moved as a join payout_makers as m on m.merchant_id = a.merchant_id and m.payout_id = a.payout_id)
insert into payout_history (merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail)
select merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail from moved returning 1`;

async function writeApprovals(
  transaction: Queryable,
  options: SettlingOptions,
  approvals: readonly Writable[],
): Promise<void> {
  const rows = JSON.stringify(approvals.map((one) => settledRow(one, options)));
  const written = await transaction.query(APPROVE, [rows]);
  if (written.length !== approvals.length) throw new FactsChanged('a payout changed while it was approved');
}

/** A contradiction moves no money. A person must find out which of the bank's reports is true. */
function contradictionOf({ payout, plan: { adjustment } }: Planned): ReportedDifference[] {
  if (adjustment?.kind !== 'contradicted') return [];
  const { merchantId, payoutId, state, money } = payout;
  const of = { kind: 'contradiction', rail: adjustment.rail ?? payout.rail, merchantId, payoutId } as const;
  const subject = `${merchantId}/${payoutId}`;
  const ours = `${state}, ${formatMoney(money)}`;
  return [{ ...of, subject, transactionId: null, ours, theirs: adjustment.detail, foundAt: adjustment.at }];
}

async function readFacts(queryable: Queryable, keys: readonly PayoutKey[]): Promise<Map<string, FactsRow>> {
  const rows = await queryable.prepared<FactsRow>('read-settlement-facts', READ_FACTS, [
    keys.map(({ merchantId }) => merchantId),
    keys.map(({ payoutId }) => payoutId),
  ]);
  return new Map(rows.map((row) => [keyText(keyFromRow(row)), row]));
}

function weigh(planned: PlannedJournal | null, balances: () => Balances): Journal | null {
  return planned?.kind === 'weighed' ? planned.journal(balances()) : (planned?.journal ?? null);
}

function decide(item: SettlementRequest, row: FactsRow | undefined): Decision {
  if (!row) return { outcome: { kind: 'not_found' } };
  if (item.fence !== null && row.state === 'pending' && row.fence !== item.fence)
    return { outcome: { kind: 'lease_lost' } };
  const payout = payoutFromRow(row);
  const plan = item.plan({
    payout,
    adjustedBy: row.adjusted_by,
    paidBy: row.paid_by,
    isOvertaken: row.is_overtaken,
    stage: row.stage,
    approveBy: row.approve_by,
  });
  if (!plan) return { outcome: { kind: 'unchanged', payout } };
  return { outcome: { kind: 'settled', plan }, planned: { row, payout, plan } };
}

/** Gives the keys of payouts that are final now. */
async function write(
  queryable: Queryable,
  options: SettlingOptions,
  planned: readonly Writable[],
): Promise<Set<string>> {
  const transfers = planned.flatMap(({ payout, plan, journal }) =>
    journal ? transferRows(journal, plan.history.at, { payoutId: payout.payoutId }) : [],
  );
  const callbacks = planned.flatMap(({ payout, plan }) =>
    plan.callbacks.map((callback) => ({ payout_id: payout.payoutId, ...newCallbackRow(callback) })),
  );
  const finished = await queryable.prepared<PayoutKeyRow>('settle-payouts', WRITE_SETTLED, [
    ...columnArrays(
      planned.map((one) => settledRow(one, options)),
      SETTLED,
    ),
    ...columnArrays(transfers, TRANSFER_TYPES),
    ...columnArrays(callbacks, CALLBACK),
    ...columnArrays(changedAccounts(transfers), ACCOUNT),
  ]);
  return new Set(finished.map((row) => keyText(keyFromRow(row))));
}

function changedAccounts(transfers: readonly TransferRow[]): Record<keyof typeof ACCOUNT, string>[] {
  const found = new Map<string, Record<keyof typeof ACCOUNT, string>>();
  for (const { merchant_id, currency, debit_account, credit_account } of transfers)
    for (const account of [debit_account, credit_account])
      found.set(`${account}/${currency}/${merchant_id}`, { merchant_id, currency, account });
  return [...found.values()];
}

function settledRow({ row, payout, plan }: Planned, options: SettlingOptions): Record<string, unknown> {
  const { change, history, adjustment } = plan;
  const finishedAt = change?.finishedAt ?? null;
  return {
    merchant_id: payout.merchantId,
    payout_id: payout.payoutId,
    currency: payout.money.currency,
    rail: payout.rail,
    attempts: row.attempts,
    state: change?.state,
    blocked_reason: change?.blockedReason,
    final_rail: change?.rail,
    finished_at: timestampOrNull(finishedAt),
    vault_token: finishedAt === null ? null : payout.beneficiary.vaultToken,
    destroy_at: finishedAt === null ? null : timestamp(finishedAt + options.vaultRetentionMs),
    entry: row.entries + 1,
    at: timestamp(history.at),
    event: history.event,
    from_state: history.fromState,
    to_state: history.toState,
    actor: history.actor,
    detail: history.detail,
    adjustment: adjustment?.kind,
    adjustment_detail: adjustment?.detail,
    adjustment_rail: adjustment?.rail,
    paid_by: plan.paidBy,
    awaiting: row.stage === 'awaiting_approval',
    ...plan.approver,
  };
}
