/** The invariants of deposits, of their money, and of later reports. verify-invariants.ts includes them. */
import type { Invariant } from './invariant.ts';

/**
 * Compares four amounts for each payment with a later report: the reported takings, our takings, the payment, and
 * refunds plus returns. A failed refund or a reversal may free money, which the gateway then takes within a minute. A
 * reversal does not find a receipt that is on its way back to its payer, and returns the money within a minute after that
 * return failed. If a report identifies one of several receipts, or one that has not arrived, only that receipt limits its
 * taking. A refund that the bank declines and executes later can pay out money that was taken in between. A report and
 * its reversal in two currencies move no money.
 */
const REPORTED_OF_PAYMENTS = (isChecked: string) => `
      with reported as (
        select merchant_id, transaction_id, attempt, currency, sum(greatest(taken - undone, 0)) as reported, sum(moved - given) as posted,
          sum(case when undone > 0 then greatest(moved - greatest(taken - undone, 0) - given, 0) else 0 end) as ungiven,
          bool_or(undone > 0) as has_undone, bool_or(is_mixed) as is_mixed, min(since) as since, array_agg(distinct named) filter (where named is not null) as named
        from (
          select merchant_id, transaction_id, attempt, currency, key,
            coalesce(sum(amount) filter (where kind in ('refunded', 'charged_back', 'debited')), 0) as taken,
            coalesce(sum(amount) filter (where kind in ('refund_undone', 'chargeback_undone')), 0) as undone,
            coalesce(sum(posted) filter (where kind in ('refunded', 'charged_back', 'debited')), 0) as moved,
            coalesce(sum(posted) filter (where kind in ('refund_undone', 'chargeback_undone')), 0) as given,
            min(receipt_key) as named, min(at) as since,
            count(*) over (partition by merchant_id, transaction_id, attempt, key,
              case kind when 'refund_undone' then 'refunded' when 'chargeback_undone' then 'charged_back' else kind end) > 1 as is_mixed
          from deposit_adjustments
          group by merchant_id, transaction_id, attempt, currency, key,
            case kind when 'refund_undone' then 'refunded' when 'chargeback_undone' then 'charged_back' else kind end) as each
        group by merchant_id, transaction_id, attempt, currency),
      moved as materialized (
        select s.rail, s.transfer_key, s.refunded, s.refunded_late, s.has_failed from receipt_balances as s
        where s.state = 'credited' and (s.rail, s.transfer_key) in (
          select t.rail, t.transfer_key from incoming_transfers as t where t.state = 'given_up'))
      select j.merchant_id, j.transaction_id, j.attempt, j.currency, j.reported, j.posted, r.received, r.gone
      from reported as j
      join payment_attempts as a on a.merchant_id = j.merchant_id and a.transaction_id = j.transaction_id and a.attempt = j.attempt
      cross join lateral (
        select coalesce(sum(s.amount), 0) as received,
          coalesce(sum(coalesce(m.refunded, 0) + s.refunded + case when s.status in ('returning', 'returned') then s.kept else 0 end), 0) as gone,
          coalesce(sum(coalesce(m.refunded_late, 0) + s.refunded_late), 0) as late,
          coalesce(bool_or(m.has_failed or m.refunded_late > 0 or s.has_failed or s.refunded_late > 0), false) as has_failed,
          coalesce(bool_or(s.status in ('returning', 'returned')), false) as is_returned,
          coalesce(bool_or(s.state = 'given_up'), false) as is_elsewhere,
          coalesce(bool_or(t.recorded_at > j.since), false) as came_later
        from receipt_balances as s
        join incoming_transfers as t on t.merchant_id = s.merchant_id and t.rail = s.rail and t.transfer_key = s.transfer_key
        left join moved as m on m.rail = s.rail and m.transfer_key = s.transfer_key
        where s.merchant_id = a.merchant_id and s.rail = a.rail and s.currency = j.currency
          and s.transfer_key = any (array(
            select case receipt when '' then a.reference else a.reference || '/' || receipt end from unnest(a.receipts) as receipt))) as r
      where ${isChecked} and j.posted not between greatest(least(j.reported, r.received - r.gone), 0)
          and greatest(least(j.reported, r.received - r.gone + r.late), 0)
            + case when r.is_returned or r.has_failed then j.ungiven else 0 end
        and not (j.reported > j.posted and (r.has_failed or j.has_undone or j.is_mixed or r.came_later))
        and not (j.named is not null and (cardinality(a.receipts) > 1 or a.receipts <> j.named))`;

export const DEPOSIT_INVARIANTS: readonly Invariant[] = [
  {
    name: 'ended_attempts_left_no_card',
    meaning: 'the vault holds the card of a payment attempt only until the attempt ends',
    sql: `
      select c.merchant_id, c.transaction_id, c.attempt, a.state from vault_records as v
      join payment_cards as c on c.merchant_id = v.merchant_id and c.vault_token = v.token
      join payment_attempts as a
        on a.merchant_id = c.merchant_id and a.transaction_id = c.transaction_id and a.attempt = c.attempt
      where a.finished_at is not null`,
  },
  {
    name: 'suspense_is_what_is_held',
    meaning: 'suspense equals the remaining amounts of the held transfers',
    sql: `
      select merchant_id, currency, coalesce(a.balance, 0) as suspense, coalesce(s.sum, 0) as held
      from (select * from ledger_accounts where account = 'suspense') as a
      full join (
        select t.merchant_id, t.currency, sum(t.kept) as sum from transfers_in as t
        where t.state = 'held' and t.status = 'held' group by 1, 2) as s using (merchant_id, currency)
      where coalesce(a.balance, 0) <> coalesce(s.sum, 0)`,
  },
  {
    name: 'incoming_transfers_are_posted_once',
    meaning: 'each incoming transfer was posted from its rail once, for its full amount, and is in the directory',
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
    meaning: 'each return that was neither blocked nor reversed takes the remaining amount of one held transfer',
    sql: `
      select p.merchant_id, p.payout_id, p.amount, t.transfer_key, t.status from payouts as p
      left join transfers_in as t on t.merchant_id = p.merchant_id and t.return_id = p.payout_id and t.state = 'held'
      where p.purpose = 'return' and p.state <> 'blocked'
        and not exists (
          select from payout_adjustments as j
          where j.merchant_id = p.merchant_id and j.payout_id = p.payout_id and j.kind = 'reversed')
        and (t.transfer_key is null or t.kept <> p.amount or t.currency <> p.currency or t.rail <> p.rail)`,
  },
  {
    name: 'succeeded_deposits_were_paid',
    walks: 'deposits',
    meaning:
      'each successful deposit has a credited transfer of the received amount in its currency; a displaced deposit has a recorded payment',
    sql: `
      select d.merchant_id, d.transaction_id, d.received from deposits as d
      where d.state = 'success' and not exists (
        select from transfers_in as t
        where t.merchant_id = d.merchant_id and t.transaction_id = d.transaction_id and t.state = 'credited' and t.kept = d.received
          and t.currency = d.currency)
        and (d.displaced_by is null or not exists (
          select from payment_attempts as a
          where a.merchant_id = d.merchant_id and a.transaction_id = d.transaction_id and a.state = 'paid'))`,
  },
  {
    name: 'credited_deposits_have_ended',
    meaning: 'each credit to a deposit is in its currency, and either ended the deposit or came later',
    sql: `
      select t.merchant_id, t.rail, t.transfer_key, t.currency, t.transaction_id, d.state, d.currency as deposit_currency
      from incoming_transfers as t
      left join deposits as d on d.merchant_id = t.merchant_id and d.transaction_id = t.transaction_id
      where t.state = 'credited' and (d.finished_at is null or d.currency <> t.currency)`,
  },
  {
    name: 'orders_succeed_once',
    walks: 'deposits',
    meaning: 'each order points to its only deposit that is open, or successful and not displaced',
    sql: `
      select d.merchant_id, d.order_id, d.transaction_id, d.state, d.displaced_by, o.transaction_id as whose from deposits as d
      left join deposit_orders as o on o.merchant_id = d.merchant_id and o.order_id = d.order_id
      where (d.state <> 'fail' and d.displaced_by is null and o.transaction_id is distinct from d.transaction_id)
        or (d.displaced_by is not null and (d.finished_at is null or o.transaction_id = d.transaction_id))`,
  },
  {
    name: 'paid_attempts_brought_money',
    meaning:
      'an attempt is paid if and only if its provider reported money; each receipt is one transfer, and the attempt has no other transfer',
    sql: `
      select * from (
        select a.merchant_id, a.transaction_id, a.attempt, a.state, a.receipts,
          (select count(*) from incoming_transfers as t
            where t.merchant_id = a.merchant_id and t.rail = a.rail and t.transfer_key = any (array(
              select case receipt when '' then a.reference else a.reference || '/' || receipt end
              from unnest(a.receipts) as receipt))) as listed,
          (select count(*) from incoming_transfers as t
            where t.merchant_id = a.merchant_id and t.transaction_id = a.transaction_id and t.rail = a.rail
              and t.pay_to = a.reference) as all_listed
        from payment_attempts as a) as a
      where (state = 'paid') <> (cardinality(receipts) > 0)
        or listed <> cardinality(receipts) or all_listed > cardinality(receipts)`,
  },
  {
    name: 'final_deposits_have_one_callback',
    meaning: 'each final deposit has exactly one callback row; open deposits and unpaid displaced deposits have none',
    sql: `
      select d.merchant_id, d.transaction_id, d.state, count(c.callback_id) as callbacks from deposits as d
      left join callbacks as c
        on c.merchant_id = d.merchant_id and c.subject_id = d.order_id and c.subject = 'deposit'
          and c.callback_id like 'deposit\\_' || d.transaction_id || '\\_%'
      group by d.merchant_id, d.transaction_id, d.state, d.finished_at, d.fail_reason
      having count(c.callback_id) <> case when d.finished_at is null or d.fail_reason = 'displaced' then 0 else 1 end`,
  },
  {
    name: 'receipts_are_credited_or_held',
    meaning: 'the remainder of each incoming transfer was credited once, is held, or moved to one other merchant',
    sql: `
      select t.merchant_id, t.rail, t.transfer_key, t.state, t.kept, l.credited, l.given_up from transfers_in as t
      cross join lateral (
        select
          coalesce(sum(l.amount) filter (where l.kind in ('deposit', 'deposit_fee', 'held_credited')), 0)
            - coalesce(sum(l.amount) filter (where l.journal_id like '%/displace' and l.credit_account = 'suspense'), 0) as credited,
          coalesce(sum(l.amount) filter (where l.kind = 'given_up'), 0) as given_up
        from ledger_transfers as l
        where l.merchant_id = t.merchant_id
          and l.journal_id in ('transfer/' || t.rail || '/' || t.transfer_key || '/credit',
            'transfer/' || t.rail || '/' || t.transfer_key || '/release', 'transfer/' || t.rail || '/' || t.transfer_key || '/give-up',
            'transfer/' || t.rail || '/' || t.transfer_key || '/displace')) as l
      where l.credited <> case t.state when 'credited' then t.kept else 0 end
        or l.given_up <> case t.state when 'given_up' then t.kept else 0 end`,
  },
  {
    name: 'no_more_goes_back_than_came',
    meaning:
      'reversals and refunds of a receipt never exceed its amount, except for refunds that executed after they were declined',
    sql: `
      select s.merchant_id, s.rail, s.transfer_key, s.amount, s.taken_back, s.refunded from receipt_balances as s
      where s.state in ('credited', 'held') and s.taken_back + s.refunded - s.refunded_late > s.amount`,
  },
  {
    name: 'takings_are_posted',
    meaning:
      'each amount taken from a receipt, and each reversal of such an amount, was posted at its rail and between its accounts, and no other amount was',
    sql: `
      select merchant_id, transaction_id, attempt, kind, key, held, r.taken, r.taken_held, l.posted, l.posted_held
      from (
        select merchant_id, transaction_id, attempt, kind, key, sum(taken) as taken, sum(taken_held) as taken_held from (
          select g.merchant_id, g.transaction_id, g.attempt, g.kind, g.key, g.amount as taken,
            case g.account when 'suspense' then g.amount else 0 end as taken_held from receipt_takings as g
          union all
          select j.merchant_id, j.transaction_id, j.attempt, j.kind, j.key, j.posted - j.by_receipt, 0 from deposit_adjustments as j) as each
        group by 1, 2, 3, 4, 5 having sum(taken) <> 0) as r
      full join (
        select merchant_id, (part[1])::bigint as transaction_id, (part[2])::smallint as attempt, part[3] as kind, part[4] as key,
          sum(amount) as posted, sum(case when 'suspense' in (debit_account, credit_account) then amount else 0 end) as posted_held
        from ledger_transfers
        cross join lateral regexp_match(journal_id, '^adjustment/(\\d+)/(\\d+)/(\\w+)/(?:first|rest)/(.*)$') as part
        where journal_id like 'adjustment/%' and (debit_account like 'clearing:%' or credit_account like 'clearing:%')
        group by 1, 2, 3, 4, 5) as l using (merchant_id, transaction_id, attempt, kind, key)
      cross join lateral (select coalesce(r.taken_held, 0) <> coalesce(l.posted_held, 0)) as h(held)
      where coalesce(r.taken, 0) <> coalesce(l.posted, 0) or h.held`,
  },
  {
    name: 'takings_are_of_one_report',
    meaning:
      'each deposit adjustment took its amount from receipts, at any merchant, and each amount taken has its adjustment',
    sql: `
      select transaction_id, attempt, kind, key, j.by_receipt, g.taken
      from deposit_adjustments as j
      full join (
        select transaction_id, attempt, kind, key, sum(amount) as taken from receipt_takings group by 1, 2, 3, 4) as g
        using (transaction_id, attempt, kind, key)
      where coalesce(j.by_receipt, 0) <> coalesce(g.taken, 0) or j.by_receipt > j.posted`,
    piecewise: `
      select j.merchant_id, j.transaction_id, j.attempt, j.kind, j.key, j.by_receipt, g.taken
      from deposit_adjustments as j
      cross join lateral (
        select coalesce(sum(g.amount), 0) as taken from receipt_takings as g
        where g.merchant_id = j.merchant_id and g.transaction_id = j.transaction_id and g.attempt = j.attempt
          and g.kind = j.kind and g.key = j.key) as g
      where g.taken > j.by_receipt or j.by_receipt > j.posted`,
  },
  {
    name: 'receipts_are_what_their_provider_says',
    meaning:
      'the gateway took back what the provider of each payment reports, or what was left: credited − taken back − refunded − held equals the provider’s amount',
    sql: REPORTED_OF_PAYMENTS('true'),
    // Only the full check reads receipts that moved to another merchant.
    piecewise: REPORTED_OF_PAYMENTS('not r.is_elsewhere'),
  },
  {
    name: 'refunds_give_back_one_receipt',
    meaning:
      'each refund returns one receipt that was credited to its deposit, through the same rail and in the same currency; only after it failed, the operator may have moved the receipt to another deposit',
    sql: `
      select coalesce(p.merchant_id, f.merchant_id) as merchant_id, coalesce(p.payout_id, f.payout_id) as payout_id,
        f.transaction_id, f.attempt, f.transfer_key, p.rail, p.currency, d.state
      from (select * from payouts as p where p.purpose = 'refund') as p
      full join deposit_refunds as f on f.merchant_id = p.merchant_id and f.payout_id = p.payout_id
      left join incoming_transfers as t
        on t.merchant_id = f.merchant_id and t.rail = p.rail and t.transfer_key = f.transfer_key
          and (t.transaction_id = f.transaction_id or (t.resolved_at >= p.accepted_at and (p.state = 'blocked' or exists (
            select from payout_adjustments as j
            where j.merchant_id = p.merchant_id and j.payout_id = p.payout_id and j.kind = 'reversed'))))
      left join payment_attempts as a
        on f.transfer_key is null and a.merchant_id = f.merchant_id and a.transaction_id = f.transaction_id and a.attempt = f.attempt
      left join deposits as d on d.merchant_id = f.merchant_id and d.transaction_id = f.transaction_id
      where p.payout_id is null or d.finished_at is null or p.rail is distinct from coalesce(t.rail, a.rail)
        or p.currency <> coalesce(t.currency, d.currency)`,
  },
  {
    name: 'deposit_history_ends_in_its_state',
    walks: 'deposits',
    meaning: 'the history of each deposit ends in its current state',
    sql: `
      select d.merchant_id, d.transaction_id, d.state, h.last from deposits as d
      cross join lateral (
        select (array_agg(h.to_state order by h.entry desc))[1] as last from deposit_history as h
        where h.merchant_id = d.merchant_id and h.transaction_id = d.transaction_id) as h
      where h.last is distinct from d.state`,
  },
];
