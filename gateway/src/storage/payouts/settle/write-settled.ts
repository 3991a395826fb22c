/** The statements that write settled and approved payouts, with their transfers, history, adjustments and callbacks. */
import type { Journal } from '../../../domain/ledger/transfer.ts';
import type { Payout, PayoutStage } from '../../../domain/payouts/payout.ts';
import type { AdjustedBy, SettlementFacts, SettlementPlan } from '../../../domain/payouts/payout-store.ts';
import { stageAfter } from '../../../domain/payouts/payout-transitions.ts';
import { CALLBACK_ROW_TYPES, INSERT_CALLBACKS, newCallbackRow } from '../../callbacks/callback-store.ts';
import { lockMerchantsOf } from '../../core/advisory-locks.ts';
import { FOR_CLUSTER, STEP_BY_STEP } from '../../core/cluster-text.ts';
import type { Queryable } from '../../core/database.ts';
import { FactsChanged } from '../../core/database-errors.ts';
import { inLockOrder } from '../../core/lock-order.ts';
import { columnArrays, ESTIMATED_AS_ONE_ROW, timestamp, timestampOrNull, unnestFrom } from '../../core/parameters.ts';
import { POST_TRANSFERS, TRANSFER_TYPES, type TransferRow, transferRows } from '../../ledger/ledger-posting.ts';
import { keyFromRow, keyText, type PayoutKeyRow, type PayoutRow } from '../payout-rows.ts';

export interface FactsRow extends PayoutRow {
  fence: number | null;
  attempts: number | null;
  stage: PayoutStage | null;
  adjusted_by: AdjustedBy;
  paid_by: string | null;
  is_overtaken: boolean;
  approve_by: number | null;
  entries: number;
}

export interface Facts extends SettlementFacts, Pick<FactsRow, 'fence' | 'attempts' | 'entries'> {
  /** True if these facts belong to the claim with this fence, and no statement has read them again since. */
  readonly isClaimed: boolean;
}

/** How long the vault keeps the card number of a final payout (decision 54). */
export interface SettlingOptions {
  readonly vaultRetentionMs: number;
}

export interface Planned {
  readonly facts: Facts;
  readonly payout: Payout;
  readonly plan: SettlementPlan;
}

export interface Writable extends Planned {
  readonly journal: Journal | null;
}

/** The arrays of the statement: settled payouts, their transfers, their callbacks, and each account that the transfers change. */
const SETTLED = {
  merchant_id: 'text',
  payout_id: 'text',
  currency: 'text',
  rail: 'text',
  attempts: 'integer',
  claim: 'integer',
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
  note: 'text',
  awaiting: 'boolean',
};
const CALLBACK = { payout_id: 'text', ...CALLBACK_ROW_TYPES };
const ACCOUNT = { merchant_id: 'text', currency: 'text', account: 'text' };
const FIRST_TRANSFER = 1 + Object.keys(SETTLED).length;
const FIRST_CALLBACK = FIRST_TRANSFER + Object.keys(TRANSFER_TYPES).length;
const FIRST_ACCOUNT = FIRST_CALLBACK + Object.keys(CALLBACK).length;

/**
 * Writes a final state only for a payout whose attempt and approval are still as they were read and whose accounts all exist.
 * For facts of a claim, the claim must still hold, and no other bank may have paid since, which also adds to the history.
 */
export const WRITE_SETTLED = `${STEP_BY_STEP}
with settled as (
  select * from ${unnestFrom(1, SETTLED)} where ${ESTIMATED_AS_ONE_ROW}),
transfers as materialized (select * from ${unnestFrom(FIRST_TRANSFER, TRANSFER_TYPES)}),
accounts as materialized (select * from ${unnestFrom(FIRST_ACCOUNT, ACCOUNT)} where ${ESTIMATED_AS_ONE_ROW}),
opened as materialized (
  select a.merchant_id, a.currency, a.account from accounts as c
  join ledger_accounts as a on a.merchant_id = c.merchant_id and a.currency = c.currency and a.account = c.account
  where a.merchant_id = any($1::text[]) ${FOR_CLUSTER}),
missing as materialized (
  select merchant_id, currency from (
    select merchant_id, currency, account from accounts except select merchant_id, currency, account from opened) as m),
locked as materialized (
  ${lockMerchantsOf('settled')}),
dequeued as (
  delete from payout_jobs as j using settled as s
  where s.state is not null and j.merchant_id = any($1::text[]) ${FOR_CLUSTER} and j.merchant_id = s.merchant_id and j.payout_id = s.payout_id and j.attempts = s.attempts and j.rail = s.rail
    and (s.claim is null or (j.fence = s.claim and j.paid_by is null)) and (j.stage = 'awaiting_approval') = s.awaiting
    and (select count(*) from locked) > 0
    and not exists (select from missing as m where m.merchant_id = s.merchant_id and m.currency = s.currency)
  returning s.*),
finished as (
  update payouts as p set state = d.state, blocked_reason = d.blocked_reason, rail = d.final_rail, finished_at = d.finished_at from dequeued as d
  where p.merchant_id = any($1::text[]) ${FOR_CLUSTER} and p.merchant_id = d.merchant_id and p.payout_id = d.payout_id and p.state = 'pending'
  returning d.*),
answered as (
  update payout_attempts as a set finished_at = d.at, outcome = d.event, detail = d.detail from dequeued as d
  where a.merchant_id = any($1::text[]) ${FOR_CLUSTER} and a.merchant_id = d.merchant_id and a.payout_id = d.payout_id and a.attempt = d.attempts
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
  update payout_jobs as j set paid_by = s.paid_by, note = s.note, held_because = null from settled as s
  where s.paid_by is not null and j.merchant_id = any($1::text[]) ${FOR_CLUSTER} and j.merchant_id = s.merchant_id and j.payout_id = s.payout_id),
posting as materialized (select t.* from transfers as t join entered using (merchant_id, payout_id)),
${POST_TRANSFERS},
new_callbacks as (
  select r.* from ${unnestFrom(FIRST_CALLBACK, CALLBACK)} join entered using (merchant_id, payout_id)),
${INSERT_CALLBACKS}
select merchant_id, payout_id from finished`;

/** Writes the settled payouts. Returns the keys of those that are final now. */
export async function writeSettled(
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
  const rows = inLockOrder(planned, ({ payout }) => payout).map((one) => settledRow(one, options));
  const finished = await queryable.prepared<PayoutKeyRow>('settle-payouts', WRITE_SETTLED, [
    ...columnArrays(rows, SETTLED),
    ...columnArrays(transfers, TRANSFER_TYPES),
    ...columnArrays(callbacks, CALLBACK),
    ...columnArrays(changedAccounts(transfers), ACCOUNT),
  ]);
  return new Set(finished.map((row) => keyText(keyFromRow(row))));
}

/** Computes the accounts here: within the statement this took 15 µs of each payout. */
function changedAccounts(transfers: readonly TransferRow[]): Partial<Record<keyof typeof ACCOUNT, unknown>>[] {
  const found = new Map<string, Partial<Record<keyof typeof ACCOUNT, unknown>>>();
  for (const { merchant_id, currency, debit_account, credit_account } of transfers)
    for (const account of [debit_account, credit_account])
      found.set(`${account}/${currency}/${merchant_id}`, { merchant_id, currency, account });
  return [...found.values()];
}

function settledRow({ facts, payout, plan }: Planned, options: SettlingOptions): Record<string, unknown> {
  const { change, history, adjustment } = plan;
  const finishedAt = change?.finishedAt ?? null;
  return {
    merchant_id: payout.merchantId,
    payout_id: payout.payoutId,
    currency: payout.money.currency,
    rail: payout.rail,
    attempts: facts.attempts,
    claim: facts.isClaimed ? facts.fence : null,
    state: change?.state,
    blocked_reason: change?.blockedReason,
    final_rail: change?.rail,
    finished_at: timestampOrNull(finishedAt),
    vault_token: finishedAt === null ? null : payout.beneficiary.vaultToken,
    destroy_at: finishedAt === null ? null : timestamp(finishedAt + options.vaultRetentionMs),
    entry: facts.entries + 1,
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
    note: plan.note,
    awaiting: facts.stage === 'awaiting_approval',
    ...plan.approver,
  };
}

const APPROVED = stageAfter('awaiting_approval', 'approved');

/** payout_approvals rejects the maker's approval. A worker that queries banks cannot undo it, because the fence is new. */
export const APPROVE = `${STEP_BY_STEP}
with approved as (
  select * from json_to_recordset($2) as r(merchant_id text, payout_id text, entry smallint, at timestamptz, event text,
    from_state text, to_state text, actor text, detail text, awaiting boolean, person text, mailbox text) where ${ESTIMATED_AS_ONE_ROW}),
moved as (
  update payout_jobs as j set stage = '${APPROVED}', stage_since = a.at, due_at = a.at, approved_at = a.at, note = '', held_because = null, fence = j.fence + 1
  from approved as a
  where j.merchant_id = any($1::text[]) ${FOR_CLUSTER} and j.merchant_id = a.merchant_id and j.payout_id = a.payout_id
    and (j.stage = 'awaiting_approval') = a.awaiting
  returning a.*),
made as (
  select a.merchant_id, a.payout_id, m.people, m.mailbox as maker_mailbox, a.person, a.mailbox
  from moved as a join payout_makers as m on m.merchant_id = a.merchant_id and m.payout_id = a.payout_id
  where m.merchant_id = any($1::text[]) ${FOR_CLUSTER}),
checked as (
  insert into payout_approvals (merchant_id, payout_id, maker_people, maker_mailbox, person, mailbox)
  select merchant_id, payout_id, people, maker_mailbox, person, mailbox from made)
insert into payout_history (merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail)
select merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail from moved returning 1`;

/** Throws FactsChanged when a payout changed since its facts were read. */
export async function writeApprovals(
  transaction: Queryable,
  options: SettlingOptions,
  approvals: readonly Writable[],
): Promise<void> {
  const rows = JSON.stringify(approvals.map((one) => settledRow(one, options)));
  const written = await transaction.query(APPROVE, [approvals.map(({ payout }) => payout.merchantId), rows]);
  if (written.length !== approvals.length) throw new FactsChanged('a payout changed while it was approved');
}
