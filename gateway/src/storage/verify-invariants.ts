/**
 * What must always be true, as statements that find what breaks it. The full check sees one snapshot, so it may run
 * beside a working gateway; it reads whole tables, and verify-continuously.ts is what a gateway does by itself.
 */
import type { InvariantReport } from '../domain/invariant-report.ts';
import { OWN_METHODS, REFUND_METHOD, RETURN_METHOD } from '../domain/payouts/payout.ts';
import type { Database, Queryable } from './database.ts';
import { timeInIdSql } from './time-in-id.ts';

export interface Invariant {
  readonly name: string;
  readonly meaning: string;
  /** Selects the offending rows. It may name each table by its bare name alone: a part can then take a table's place. */
  readonly sql: string;
  /** It speaks of each row of this table by itself, so it can be asked of any part of them. */
  readonly walks?: 'payouts' | 'deposits';
  /** Instead of `sql` for a part of the rows, where that would read everything for each part. */
  readonly piecewise?: string;
}

const FINAL = `p.state <> 'pending'`;

export const INVARIANTS: readonly Invariant[] = [
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
    meaning: 'available and reserved are never below zero, owed never above',
    sql: `
      select merchant_id, currency, account, balance from ledger_accounts
      where (account in ('available', 'reserved') and balance < 0) or (account = 'owed' and balance > 0)`,
  },
  {
    name: 'reserved_is_what_is_pending',
    meaning: 'what is reserved is the sum of the pending payouts with their fees',
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
    meaning: 'each pending payout is in the queue of its rail, and nothing else is',
    sql: `
      select merchant_id, payout_id, p.state, j.stage from (select * from payouts as p where p.state = 'pending') as p
      full join payout_jobs as j using (merchant_id, payout_id)
      where p.payout_id is null or j.payout_id is null or j.rail <> p.rail`,
  },
  {
    name: 'payout_journals_fit_its_state',
    walks: 'payouts',
    meaning: 'each payout reserved its money once, and executed it if it succeeded, or released it if it was blocked',
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
    meaning: 'each final payout has exactly one callback row; a pending one, a return and a refund have none',
    sql: `
      select p.merchant_id, p.payout_id, p.state, count(c.callback_id) as callbacks from payouts as p
      left join callbacks as c
        on c.merchant_id = p.merchant_id and c.subject_id = p.payout_id and c.subject = 'payout'
      group by p.merchant_id, p.payout_id, p.state, p.method
      having count(c.callback_id) <> case when ${FINAL} and p.method not in (${[...OWN_METHODS].join(', ')}) then 1 else 0 end`,
    piecewise: `
      select p.merchant_id, p.payout_id, p.state, c.callback_id from payouts as p
      cross join lateral (
        select 'payout_' || p.transaction_id || '_' || ${timeInIdSql('p.accepted_at')} as callback_id) as i
      left join callbacks as c
        on c.merchant_id = p.merchant_id and c.callback_id = i.callback_id and c.subject = 'payout' and c.subject_id = p.payout_id
      where (c.callback_id is not null) <> (${FINAL} and p.method not in (${[...OWN_METHODS].join(', ')}))`,
  },
  {
    name: 'due_callbacks_have_a_lane',
    meaning: 'each due callback lies on a lane that is looked at in time',
    sql: `
      select c.merchant_id, c.callback_id, c.due_at, l.due_at as lane_due_at, l.lease_until from callbacks as c
      left join callback_lanes as l using (merchant_id)
      where c.state = 'due' and (l.merchant_id is null or (l.lease_until is null and l.due_at = 'infinity'))`,
  },
  {
    name: 'nothing_leaves_a_final_state',
    walks: 'payouts',
    meaning: 'the history of each payout ends in its state and left pending once at most',
    sql: `
      select p.merchant_id, p.payout_id, p.state, h.ends, h.last from payouts as p
      cross join lateral (
        select count(*) filter (where h.from_state = 'pending' and h.to_state <> 'pending') as ends,
          (array_agg(h.to_state order by h.entry desc))[1] as last
        from payout_history as h where h.merchant_id = p.merchant_id and h.payout_id = p.payout_id) as h
      where h.last is distinct from p.state or h.ends <> case when ${FINAL} then 1 else 0 end`,
  },
  {
    name: 'executed_payouts_were_attempted',
    walks: 'payouts',
    meaning: 'no payout succeeded that the bank of its rail was not told of',
    sql: `
      select p.merchant_id, p.payout_id from payouts as p where p.state = 'success' and not exists (
        select from payout_attempts as a
        where a.merchant_id = p.merchant_id and a.payout_id = p.payout_id and a.rail = p.rail)`,
  },
  {
    name: 'one_reference_per_payout_and_rail',
    meaning: 'a payout goes to a rail under one reference only, whatever the number of attempts',
    sql: `
      select merchant_id, payout_id, rail, count(distinct reference) as references from payout_attempts
      group by merchant_id, payout_id, rail having count(distinct reference) > 1`,
  },
  {
    name: 'pending_card_data_is_in_the_vault',
    walks: 'payouts',
    meaning: 'each pending payout still has the secret fields that its bank needs',
    sql: `
      select p.merchant_id, p.payout_id from payouts as p
      left join vault_records as v on v.merchant_id = p.merchant_id and v.token = p.vault_token
      where p.state = 'pending' and p.vault_token is not null and v.token is null`,
  },
  {
    name: 'ended_attempts_left_no_card',
    meaning: 'the card of a try to pay lies in the vault until that has ended, and no longer',
    sql: `
      select c.merchant_id, c.transaction_id, c.attempt, a.state from vault_records as v
      join payment_cards as c on c.merchant_id = v.merchant_id and c.vault_token = v.token
      join payment_attempts as a
        on a.merchant_id = c.merchant_id and a.transaction_id = c.transaction_id and a.attempt = c.attempt
      where a.finished_at is not null`,
  },
  {
    name: 'suspense_is_what_is_held',
    meaning: 'what lies in suspense is the sum of the transfers that are held',
    sql: `
      select merchant_id, currency, coalesce(a.balance, 0) as suspense, coalesce(s.sum, 0) as held
      from (select * from ledger_accounts where account = 'suspense') as a
      full join (
        select t.merchant_id, t.currency, sum(t.amount) as sum from transfers_in as t
        where t.standing = 'held' group by 1, 2) as s using (merchant_id, currency)
      where coalesce(a.balance, 0) <> coalesce(s.sum, 0)`,
  },
  {
    name: 'incoming_transfers_are_posted_once',
    meaning: 'each transfer that came in was posted from its rail once, for its whole amount, and is in the directory',
    sql: `
      with listed as materialized (select rail, transfer_key, merchant_id from incoming_transfer_keys)
      select t.merchant_id, t.rail, t.transfer_key, t.amount, l.posted, k.merchant_id as listed_for from incoming_transfers as t
      left join listed as k using (rail, transfer_key)
      cross join lateral (
        select coalesce(sum(l.amount), 0) as posted from ledger_transfers as l
        where l.merchant_id = t.merchant_id and l.debit_account = 'clearing:' || t.rail
          and l.journal_id in ('transfer/' || t.rail || '/' || t.transfer_key || '/credit',
            'transfer/' || t.rail || '/' || t.transfer_key || '/hold')) as l
      where l.posted <> case t.state when 'sent_back' then 0 else t.amount end
        or (t.state <> 'given_up' and k.merchant_id is distinct from t.merchant_id)`,
  },
  {
    name: 'returns_take_back_one_transfer',
    meaning: 'each return that has neither failed nor come back takes back one held transfer of the same amount',
    sql: `
      select p.merchant_id, p.payout_id, p.amount, t.transfer_key, t.standing from payouts as p
      left join transfers_in as t on t.merchant_id = p.merchant_id and t.return_id = p.payout_id and t.state = 'held'
      where p.method = ${RETURN_METHOD} and p.state <> 'blocked'
        and not exists (
          select from payout_adjustments as j
          where j.merchant_id = p.merchant_id and j.payout_id = p.payout_id and j.kind = 'reversed')
        and (t.transfer_key is null or t.amount <> p.amount or t.currency <> p.currency or t.rail <> p.rail)`,
  },
  {
    name: 'succeeded_deposits_were_paid',
    walks: 'deposits',
    meaning:
      'no deposit succeeded without a credited transfer of what it received, in its currency; of a displaced one the payment is recorded',
    sql: `
      select d.merchant_id, d.transaction_id, d.received from deposits as d
      where d.state = 'success' and not exists (
        select from incoming_transfers as t
        where t.merchant_id = d.merchant_id and t.transaction_id = d.transaction_id and t.state = 'credited' and t.amount = d.received
          and t.currency = d.currency)
        and (d.displaced_by is null or not exists (
          select from payment_attempts as a
          where a.merchant_id = d.merchant_id and a.transaction_id = d.transaction_id and a.state = 'paid'))`,
  },
  {
    name: 'credited_deposits_have_ended',
    meaning: 'whatever was credited to a deposit was in its currency and found it ended, or ended it',
    sql: `
      select t.merchant_id, t.rail, t.transfer_key, t.currency, t.transaction_id, d.state, d.currency as deposit_currency
      from incoming_transfers as t
      left join deposits as d on d.merchant_id = t.merchant_id and d.transaction_id = t.transaction_id
      where t.state = 'credited' and (d.finished_at is null or d.currency <> t.currency)`,
  },
  {
    name: 'orders_succeed_once',
    walks: 'deposits',
    meaning:
      'of each order at most one deposit is open, or succeeded and was not displaced, and the order is that one’s',
    sql: `
      select d.merchant_id, d.order_id, d.transaction_id, d.state, d.displaced_by, o.transaction_id as whose from deposits as d
      left join deposit_orders as o on o.merchant_id = d.merchant_id and o.order_id = d.order_id
      where (d.state <> 'fail' and d.displaced_by is null and o.transaction_id is distinct from d.transaction_id)
        or (d.displaced_by is not null and (d.finished_at is null or o.transaction_id = d.transaction_id))`,
  },
  {
    name: 'paid_attempts_brought_money',
    meaning:
      'a try to pay is paid where its provider told of money, each receipt is one transfer, and nothing else came for it',
    sql: `
      select * from (
        select a.merchant_id, a.transaction_id, a.attempt, a.state, a.receipts,
          (select count(*) from incoming_transfers as t
            where t.merchant_id = a.merchant_id and t.rail = a.rail and t.transfer_key = any (array(
              select case receipt when '' then a.reference else a.reference || '/' || receipt end
              from unnest(a.receipts) as receipt))) as told,
          (select count(*) from incoming_transfers as t
            where t.merchant_id = a.merchant_id and t.transaction_id = a.transaction_id and t.rail = a.rail
              and t.pay_to = a.reference) as all_told
        from payment_attempts as a) as a
      where (state = 'paid') <> (cardinality(receipts) > 0)
        or told <> cardinality(receipts) or all_told > cardinality(receipts)`,
  },
  {
    name: 'final_deposits_have_one_callback',
    meaning:
      'each final deposit has exactly one callback row; an open one, and one whose order went to another, has none',
    sql: `
      select d.merchant_id, d.transaction_id, d.state, count(c.callback_id) as callbacks from deposits as d
      left join callbacks as c
        on c.merchant_id = d.merchant_id and c.subject_id = d.order_id and c.subject = 'deposit'
          and c.callback_id like 'deposit\\_' || d.transaction_id || '\\_%'
      group by d.merchant_id, d.transaction_id, d.state, d.finished_at, d.fail_reason
      having count(c.callback_id) <> case when d.finished_at is null or d.fail_reason = 'displaced' then 0 else 1 end`,
  },
  {
    name: 'no_more_goes_back_than_came',
    meaning:
      'of no payment is more taken back or refunded than it brought, but for refunds made after they had been refused',
    sql: `
      select merchant_id, transaction_id, attempt, credited, taken_back, refunded from payment_standings
      where taken_back < 0 or taken_back + refunded - refunded_late > credited`,
  },
  {
    name: 'deposit_adjustments_are_posted',
    meaning:
      'each thing that came later than a deposit’s result moved the money that it says, at its rail, and nothing else did',
    sql: `
      select merchant_id, transaction_id, attempt, kind, key, j.posted, l.posted as in_ledger
      from deposit_adjustments as j
      full join (
        select merchant_id, (part[1])::bigint as transaction_id, (part[2])::smallint as attempt, part[3] as kind, part[4] as key,
          sum(amount) as posted
        from ledger_transfers
        cross join lateral regexp_match(journal_id, '^adjustment/(\\d+)/(\\d+)/(\\w+)/(?:first|rest)/(.*)$') as part
        where journal_id like 'adjustment/%' and (debit_account like 'clearing:%' or credit_account like 'clearing:%')
        group by 1, 2, 3, 4, 5) as l using (merchant_id, transaction_id, attempt, kind, key)
      where coalesce(j.posted, 0) <> coalesce(l.posted, 0) or j.posted is null`,
  },
  {
    name: 'refunds_give_back_one_payment',
    meaning: 'each refund gives back one payment of its merchant, by the rail and in the currency of that',
    sql: `
      select coalesce(p.merchant_id, f.merchant_id) as merchant_id, coalesce(p.payout_id, f.payout_id) as payout_id,
        f.transaction_id, f.attempt, p.rail, p.currency, d.state
      from (select * from payouts as p where p.method = ${REFUND_METHOD}) as p
      full join deposit_refunds as f on f.merchant_id = p.merchant_id and f.payout_id = p.payout_id
      left join payment_attempts as a on a.merchant_id = f.merchant_id and a.transaction_id = f.transaction_id and a.attempt = f.attempt
      left join deposits as d on d.merchant_id = f.merchant_id and d.transaction_id = f.transaction_id
      where p.payout_id is null or a.attempt is null or d.finished_at is null
        or p.rail <> a.rail or p.currency <> d.currency`,
  },
  {
    name: 'deposit_history_ends_in_its_state',
    walks: 'deposits',
    meaning: 'the history of each deposit ends in its state',
    sql: `
      select d.merchant_id, d.transaction_id, d.state, h.last from deposits as d
      cross join lateral (
        select (array_agg(h.to_state order by h.entry desc))[1] as last from deposit_history as h
        where h.merchant_id = d.merchant_id and h.transaction_id = d.transaction_id) as h
      where h.last is distinct from d.state`,
  },
];

const SHOWN = 10;

/** Checks all invariants, or those named. `onProgress` is told each one as it is done. */
export function verifyInvariants(
  database: Database,
  onProgress: (report: InvariantReport) => void = () => {},
): Promise<InvariantReport[]> {
  return database.snapshot(async (transaction) => {
    const reports: InvariantReport[] = [];
    for (const invariant of INVARIANTS) {
      const report = await findOffending(transaction, invariant);
      onProgress(report);
      reports.push(report);
    }
    return reports;
  });
}

/** `sql` and `values`: of a part of the tables. */
export async function findOffending(
  transaction: Queryable,
  { name, meaning, sql: whole }: Invariant,
  sql = whole,
  values: readonly unknown[] = [],
): Promise<InvariantReport> {
  // Materialized, so that the planner does not count on finding what is shown soon: there is nothing to be found.
  const offending = await transaction.query(
    `with offending as materialized (${sql}) select * from offending limit ${SHOWN}`,
    values,
  );
  return { name, meaning, holds: offending.length === 0, offending };
}
