/**
 * The invariants of the books, as queries for the rows that violate them. The full check reads one snapshot, so it may run
 * while the gateway works. It reads entire tables. A running gateway uses verify-continuously.ts instead. It repairs nothing.
 */
import type { InvariantReport } from '../../domain/monitoring/invariant-report.ts';
import type { Database, Queryable } from '../core/database.ts';
import { timeInIdSql } from '../core/time-in-id.ts';
import type { Invariant } from './invariant.ts';
import { AUDIT_INVARIANTS } from './verify-audit-invariants.ts';
import { DEPOSIT_INVARIANTS } from './verify-deposit-invariants.ts';
import { HISTORY_INVARIANTS } from './verify-history-invariants.ts';

const FINAL = `p.state <> 'pending'`;

const LEDGER_AND_PAYOUT_INVARIANTS: readonly Invariant[] = [
  {
    name: 'debits_equal_credits',
    meaning: 'the balances of each currency add up to zero',
    sql: `select currency, sum(balance) as sum from ledger_accounts group by currency having sum(balance) <> 0`,
  },
  {
    name: 'balance_is_sum_of_transfers',
    meaning: 'each balance equals the sum of its transfers',
    sql: `
      select merchant_id, currency, account, a.balance, s.sum as sum_of_transfers
      from ledger_accounts as a
      full join (
        select merchant_id, currency, account, sum(amount) as sum from (
          select merchant_id, currency, debit_account as account, -amount as amount from ledger_transfers
          union all select merchant_id, currency, credit_account, amount from ledger_transfers) as sides
        group by merchant_id, currency, account) as s using (merchant_id, currency, account)
      where coalesce(a.balance, 0) <> coalesce(s.sum, 0) or a.balance is null`,
  },
  {
    name: 'no_balance_past_its_floor',
    meaning: 'available and reserved are never below zero; owed is never above zero',
    sql: `
      select merchant_id, currency, account, balance from ledger_accounts
      where (account in ('available', 'reserved') and balance < 0) or (account = 'owed' and balance > 0)`,
  },
  {
    name: 'reserved_is_what_is_pending',
    meaning: 'reserved equals the sum of the pending payouts and their fees',
    sql: `
      select merchant_id, currency, coalesce(a.balance, 0) as reserved, coalesce(s.sum, 0) as pending
      from (select * from ledger_accounts where account = 'reserved') as a
      full join (
        select p.merchant_id, p.currency, sum(p.amount + p.fee) as sum from payouts as p
        where p.state = 'pending' group by 1, 2) as s using (merchant_id, currency)
      where coalesce(a.balance, 0) <> coalesce(s.sum, 0)`,
  },
  {
    name: 'pending_payouts_have_a_job',
    meaning: 'the queue of each rail holds its pending payouts and nothing else',
    sql: `
      select merchant_id, payout_id, p.state, j.stage from (select * from payouts as p where p.state = 'pending') as p
      full join payout_jobs as j using (merchant_id, payout_id)
      where p.payout_id is null or j.payout_id is null or j.rail <> p.rail`,
  },
  {
    name: 'payout_journals_fit_its_state',
    walks: 'payouts',
    meaning: 'each payout reserved its money once; a successful payout spent it, and a blocked payout released it',
    sql: `
      select p.merchant_id, p.payout_id, p.state, l.reserved, l.executed, l.released
      from payouts as p
      cross join lateral (
        select
          coalesce(sum(t.amount) filter (where t.kind in ('reserve', 'reserve_fee')), 0) as reserved,
          coalesce(sum(t.amount) filter (where t.kind in ('payout', 'payout_fee')), 0) as executed,
          coalesce(sum(t.amount) filter (where t.kind in ('release', 'release_fee')), 0) as released
        from ledger_transfers as t
        where t.merchant_id = p.merchant_id
          and t.journal_id in ('payout/' || p.payout_id || '/reserve', 'payout/' || p.payout_id || '/execute',
            'payout/' || p.payout_id || '/release')) as l
      where l.reserved <> p.amount + p.fee
        or l.executed <> case p.state when 'success' then p.amount + p.fee else 0 end
        or l.released <> case p.state when 'blocked' then p.amount + p.fee else 0 end`,
  },
  {
    name: 'final_payouts_have_one_callback',
    walks: 'payouts',
    meaning: 'each final payout has exactly one callback row; pending payouts, returns and refunds have none',
    sql: `
      select p.merchant_id, p.payout_id, p.state, count(c.callback_id) as callbacks from payouts as p
      left join callbacks as c
        on c.merchant_id = p.merchant_id and c.subject_id = p.payout_id and c.subject = 'payout'
      group by p.merchant_id, p.payout_id, p.state, p.purpose
      having count(c.callback_id) <> case when ${FINAL} and p.purpose = 'payout' then 1 else 0 end`,
    piecewise: `
      select p.merchant_id, p.payout_id, p.state, c.callback_id from payouts as p
      cross join lateral (
        select 'payout_' || p.transaction_id || '_' || ${timeInIdSql('p.accepted_at')} as callback_id) as i
      left join callbacks as c
        on c.merchant_id = p.merchant_id and c.callback_id = i.callback_id and c.subject = 'payout' and c.subject_id = p.payout_id
      where (c.callback_id is not null) <> (${FINAL} and p.purpose = 'payout')`,
  },
  {
    name: 'due_callbacks_have_a_lane',
    meaning: 'each due callback is on a lane that a worker claims in time',
    sql: `
      select c.merchant_id, c.callback_id, c.due_at, l.due_at as lane_due_at, l.lease_until from callbacks as c
      left join callback_lanes as l using (merchant_id)
      where c.state = 'due' and (l.merchant_id is null or (l.lease_until is null and l.due_at = 'infinity'))`,
  },
  {
    name: 'nothing_leaves_a_final_state',
    walks: 'payouts',
    meaning: 'the history of each payout ends in its current state and leaves pending at most once',
    sql: `
      select p.merchant_id, p.payout_id, p.state, h.ends, h.last from payouts as p
      cross join lateral (
        select count(*) filter (where h.from_state = 'pending' and h.to_state <> 'pending') as ends,
          coalesce((array_agg(h.to_state order by h.entry desc))[1], 'pending') as last
        from payout_history as h where h.merchant_id = p.merchant_id and h.payout_id = p.payout_id) as h
      where h.last is distinct from p.state or h.ends <> case when ${FINAL} then 1 else 0 end`,
  },
  {
    name: 'executed_payouts_were_attempted',
    walks: 'payouts',
    meaning: 'each successful payout has an attempt at its rail, or was released while that bank had it',
    sql: `
      select p.merchant_id, p.payout_id from payouts as p where p.state = 'success' and not exists (
        select from payout_attempts as a
        where a.merchant_id = p.merchant_id and a.payout_id = p.payout_id and a.rail = p.rail)
      and not exists (
        select from payout_history as e
        where e.merchant_id = p.merchant_id and e.payout_id = p.payout_id and e.event = 'released')`,
  },
  {
    name: 'approval_precedes_attempts',
    walks: 'payouts',
    meaning: 'no payout that needs an approval was sent before a user approved it',
    sql: `
      select p.merchant_id, p.payout_id from payouts as p
      join payout_history as r
        on r.merchant_id = p.merchant_id and r.payout_id = p.payout_id and r.entry = 2 and r.event = 'approval_required'
      where exists (
        select from payout_attempts as a
        where a.merchant_id = p.merchant_id and a.payout_id = p.payout_id and a.started_at < coalesce((
          select min(granted.at) from payout_history as granted
          where granted.merchant_id = p.merchant_id and granted.payout_id = p.payout_id
            and granted.event in ('approved', 'recognised')), 'infinity'))`,
  },
  {
    name: 'one_reference_per_payout_and_rail',
    meaning: 'all attempts of a payout at one rail use the same reference',
    sql: `
      select merchant_id, payout_id, rail, count(distinct reference) as references from payout_attempts
      group by merchant_id, payout_id, rail having count(distinct reference) > 1`,
  },
  {
    name: 'pending_card_data_is_in_the_vault',
    walks: 'payouts',
    meaning: 'the vault still holds the secret fields of each pending payout',
    sql: `
      select p.merchant_id, p.payout_id from payouts as p
      left join vault_records as v on v.merchant_id = p.merchant_id and v.token = p.vault_token
      where p.state = 'pending' and p.vault_token is not null and v.token is null`,
  },
];

export const INVARIANTS: readonly Invariant[] = [
  ...LEDGER_AND_PAYOUT_INVARIANTS,
  ...DEPOSIT_INVARIANTS,
  ...AUDIT_INVARIANTS,
  ...HISTORY_INVARIANTS,
];

const SHOWN = 10;

/** `onProgress` receives each report after its check. */
export function verifyInvariants(
  database: Database,
  onProgress: (report: InvariantReport) => void = () => {},
  invariants = INVARIANTS,
): Promise<InvariantReport[]> {
  return database.snapshot(async (transaction) => {
    const reports: InvariantReport[] = [];
    for (const invariant of invariants) {
      const report = await findOffending(transaction, invariant);
      onProgress(report);
      reports.push(report);
    }
    return reports;
  });
}

/** `sql` and `values` select a part of the tables. */
export async function findOffending(
  transaction: Queryable,
  { name, meaning, sql: whole }: Invariant,
  sql = whole,
  values: readonly unknown[] = [],
): Promise<InvariantReport> {
  // Materialized: usually no row violates the invariant, so the planner must not expect the limit to end the scan early.
  const offending = await transaction.query(
    `with offending as materialized (${sql}) select * from offending limit ${SHOWN}`,
    values,
  );
  return { name, meaning, holds: offending.length === 0, offending };
}
