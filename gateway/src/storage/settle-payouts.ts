/**
 * The settling commit: what a bank or an operator decided about payouts. It reads the facts under the merchants' locks,
 * lets the domain plan, and writes state, money, history, adjustment and callback together.
 */
import { type Payout, type PayoutStage, RETURN_METHOD } from '../domain/payouts/payout.ts';
import type {
  AdjustmentKind,
  SettlementFacts,
  SettlementOutcome,
  SettlementPlan,
  SettlementRequest,
} from '../domain/payouts/payout-store.ts';
import { invariant } from '../foundation/invariant.ts';
import { TAKEN_FOR_ONE_ROW } from './batch-parameter.ts';
import { newCallbackRow } from './callback-rows.ts';
import { CALLBACK_ROW_COLUMNS, TELL_CALLBACKS } from './callback-store.ts';
import { type Database, type Queryable, timestamp, timestampOrNull } from './database.ts';
import { FactsChanged } from './database-errors.ts';
import {
  type BalanceBook,
  createAccounts,
  lockMerchants,
  openBalanceBook,
  POST_TRANSFERS,
  TRANSFER_COLUMNS,
  transferRows,
} from './ledger-posting.ts';
import { keyFromRow, keyText, PAYOUT_COLUMNS, type PayoutRow, payoutFromRow } from './payout-rows.ts';

interface FactsRow extends PayoutRow {
  fence: number | null;
  attempts: number | null;
  stage: PayoutStage | null;
  adjustments: AdjustmentKind[];
  is_overtaken: boolean;
  entries: number;
}

const READ_FACTS = `
select ${PAYOUT_COLUMNS}, j.fence, j.attempts, j.stage,
  array(select a.kind from payout_adjustments as a where a.merchant_id = p.merchant_id and a.payout_id = p.payout_id) as adjustments,
  case p.method when ${RETURN_METHOD} then not exists (
    select from incoming_transfers as t
    where t.merchant_id = p.merchant_id and t.state = 'held' and t.return_id = p.payout_id) else false end as is_overtaken,
  (select max(h.entry) from payout_history as h where h.merchant_id = p.merchant_id and h.payout_id = p.payout_id) as entries
from unnest($1::text[], $2::text[]) as k(merchant_id, payout_id)
join payouts as p using (merchant_id, payout_id)
left join payout_jobs as j on j.merchant_id = p.merchant_id and j.payout_id = p.payout_id`;

const WRITE_SETTLED = `
with settled as (
  select * from json_to_recordset($1) as r(
    merchant_id text, payout_id text, attempts integer, state text, code text, finished_at timestamptz, vault_token text,
    destroy_at timestamptz, entry smallint, at timestamptz, event text, from_state text, to_state text, actor text, detail text,
    adjustment text, adjustment_detail text) where ${TAKEN_FOR_ONE_ROW}),
dequeued as (
  delete from payout_jobs as j using settled as s
  where s.state is not null and j.merchant_id = s.merchant_id and j.payout_id = s.payout_id and j.attempts = s.attempts
  returning s.merchant_id, s.payout_id, s.attempts, s.state, s.code, s.finished_at, s.at, s.event, s.detail),
finished as (
  update payouts as p set state = d.state, code = d.code, finished_at = d.finished_at from dequeued as d
  where p.merchant_id = d.merchant_id and p.payout_id = d.payout_id and p.state = 'pending'
  returning p.merchant_id),
answered as (
  update payout_attempts as a set finished_at = d.at, outcome = d.event, detail = d.detail from dequeued as d
  where a.merchant_id = d.merchant_id and a.payout_id = d.payout_id and a.attempt = d.attempts and a.finished_at is null),
expiring as (
  insert into vault_expiries (merchant_id, token, destroy_at)
  select merchant_id, vault_token, destroy_at from settled where vault_token is not null),
recorded as (
  insert into payout_history (merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail)
  select merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail from settled),
adjusted as (
  insert into payout_adjustments (merchant_id, payout_id, kind, at, detail)
  select merchant_id, payout_id, adjustment, at, adjustment_detail from settled where adjustment is not null),
posting as (select * from json_to_recordset($2) as t(${TRANSFER_COLUMNS})),
${POST_TRANSFERS},
telling as (select * from json_to_recordset($3) as c(${CALLBACK_ROW_COLUMNS})),
${TELL_CALLBACKS}
select count(*)::int as finished from finished`;

/** How long a final payout's card numbers stay in the vault (decisions, Keys: card ciphertext). */
export interface SettlingOptions {
  readonly vaultRetentionMs: number;
}

/** Settles each of `items`; outcomes in the same order. Two about one payout are taken one after the other. */
export async function settlePayouts(
  database: Database,
  options: SettlingOptions,
  items: readonly SettlementRequest[],
): Promise<SettlementOutcome[]> {
  const outcomes = new Map<SettlementRequest, SettlementOutcome>();
  for (let waiting = [...items]; waiting.length > 0; ) {
    const round = new Map<string, SettlementRequest>();
    for (const item of waiting) if (!round.has(keyText(item))) round.set(keyText(item), item);
    const settled = await database.transaction((transaction) =>
      settleDistinct(transaction, options, [...round.values()]),
    );
    for (const [item, outcome] of settled) outcomes.set(item, outcome);
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

async function settleDistinct(
  transaction: Queryable,
  options: SettlingOptions,
  items: readonly SettlementRequest[],
): Promise<Map<SettlementRequest, SettlementOutcome>> {
  await lockMerchants(
    transaction,
    items.map(({ merchantId }) => merchantId),
  );
  const rows = await transaction.prepared<FactsRow>('read-settlement-facts', READ_FACTS, [
    items.map(({ merchantId }) => merchantId),
    items.map(({ payoutId }) => payoutId),
  ]);
  const facts = new Map(rows.map((row) => [keyText(keyFromRow(row)), row]));
  const book = await openBalanceBook(
    transaction,
    rows.map((row) => ({ merchantId: row.merchant_id, currency: row.currency })),
  );
  const outcomes = new Map<SettlementRequest, SettlementOutcome>();
  const planned: Planned[] = [];
  for (const item of items) {
    outcomes.set(item, decide(item, facts.get(keyText(item)), book, planned));
  }
  if (planned.length > 0) await write(transaction, options, planned, book);
  return outcomes;
}

function decide(
  item: SettlementRequest,
  row: FactsRow | undefined,
  book: BalanceBook,
  planned: Planned[],
): SettlementOutcome {
  if (!row) return { kind: 'not_found' };
  if (item.fence !== null && row.state === 'pending' && row.fence !== item.fence) return { kind: 'lease_lost' };
  const payout = payoutFromRow(row);
  const facts: SettlementFacts = {
    payout,
    balances: book.balances(payout.merchantId, payout.money.currency),
    adjustments: row.adjustments,
    isOvertaken: row.is_overtaken,
    stage: row.stage,
  };
  const plan = item.plan(facts);
  if (!plan) return { kind: 'unchanged', payout };
  if (plan.journal) invariant(book.take(plan.journal), `settling would break a floor: ${plan.journal.journalId}`);
  planned.push({ row, payout, plan });
  return { kind: 'settled', plan };
}

async function write(
  transaction: Queryable,
  options: SettlingOptions,
  planned: readonly Planned[],
  book: BalanceBook,
): Promise<void> {
  await createAccounts(transaction, book);
  const transfers = planned.flatMap(({ plan }) =>
    plan.journal ? transferRows(plan.journal, plan.history.at, {}) : [],
  );
  const [result] = await transaction.prepared<{ finished: number }>('settle-payouts', WRITE_SETTLED, [
    JSON.stringify(planned.map((one) => settledRow(one, options))),
    JSON.stringify(transfers),
    JSON.stringify(planned.flatMap(({ plan }) => plan.callbacks).map(newCallbackRow)),
  ]);
  const changes = planned.filter(({ plan }) => plan.change !== null);
  // An attempt that began since the facts were read makes them stale: a cancel must see it. The batch is run anew.
  if (result?.finished !== changes.length) throw new FactsChanged('an attempt began while its payout was settled');
}

function settledRow({ row, payout, plan }: Planned, options: SettlingOptions): Record<string, unknown> {
  const { change, history, adjustment } = plan;
  const finishedAt = change?.finishedAt ?? null;
  return {
    merchant_id: payout.merchantId,
    payout_id: payout.payoutId,
    attempts: row.attempts,
    state: change?.state ?? null,
    code: change?.code ?? null,
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
    adjustment: adjustment?.kind ?? null,
    adjustment_detail: adjustment?.detail ?? null,
  };
}
