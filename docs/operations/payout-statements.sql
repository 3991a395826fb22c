-- The statements that accept, claim and settle payouts on one server, generated from gateway/src/storage/payouts by
-- npx node gateway/generators/schema/write-schema.ts. A cluster runs other texts of the same files.

-- ACCEPT_AT_ONCE of accept/accept-at-once.ts. Accepts a batch of payouts that are all new and affordable.
with locked as materialized (
  select pg_advisory_xact_lock(lock)::text as held from
    (select distinct hashtextextended(merchant_id, 0) as lock from unnest($29::text[]) as merchant_id order by 1) as locks),
moved as (
  update ledger_accounts as a set balance = a.balance + change.amount
  from (select * from unnest($29::text[], $30::text[], $31::text[], $32::bigint[]) as r(merchant_id, currency, account, amount) where sign(length(merchant_id)) = 1) as change
  where (select count(*) from locked) > 0
    and a.merchant_id = change.merchant_id and a.currency = change.currency and a.account = change.account
    and not exists (
      select from ledger_accounts as o
      where o.merchant_id = a.merchant_id and o.currency = a.currency and o.account = 'owed' and o.balance < 0)
  returning 1),
whole as materialized (select 1 / ((select count(*) from moved) = $33::bigint)::integer as is_whole),
fresh as materialized (
  select r.* from unnest($1::text[], $2::text[], $3::bigint[], $4::smallint[], $5::text[], $6::bigint[], $7::text[], $8::bigint[], $9::text[], $10::text[], $11::jsonb[], $12::text[], $13::bytea[], $14::bytea[], $15::timestamptz[], $16::text[], $17::bytea[], $18::bytea[], $19::text[]) as r(merchant_id, payout_id, transaction_id, method, currency, amount, amount_text, fee, rail, account_shown, fields, vault_token, content_hash, seal, accepted_at, master_key_id, wrapped_key, ciphertext, why) where (select is_whole from whole) = 1),
inserted as (
insert into payouts (merchant_id, payout_id, transaction_id, purpose, method, currency, amount, amount_text, fee, rail,
  account_shown, fields, vault_token, content_hash, seal, state, accepted_at, accepted_why)
select merchant_id, payout_id, transaction_id, 'payout', method, currency, amount, amount_text, fee, rail,
  account_shown, fields, vault_token, content_hash, seal, 'pending', accepted_at, why from fresh),
vaulted as (
insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at)
select merchant_id, vault_token, master_key_id, wrapped_key, ciphertext, accepted_at from fresh where vault_token is not null),
queued as (
insert into payout_jobs (merchant_id, payout_id, rail, purpose, method, stage, stage_since, due_at)
select merchant_id, payout_id, rail, 'payout', method, 'queued', accepted_at, accepted_at from fresh),
posting as materialized (
  select r.*, null::text as note from unnest($20::text[], $21::text[], $22::smallint[], $23::text[], $24::text[], $25::text[], $26::text[], $27::bigint[], $28::timestamptz[]) as r(merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, posted_at) where (select is_whole from whole) = 1),
  closings as (
    select merchant_id, closing_until from ledger_closings where $1::text[] is not null),
  added_transfers as (
    insert into ledger_transfers
      (merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, note, posted_at)
    select p.merchant_id, p.journal_id, p.line, p.kind, p.currency, p.debit_account, p.credit_account, p.amount, p.note,
      greatest(p.posted_at, c.closing_until)
    from posting as p
    left join closings as c on c.merchant_id = p.merchant_id)
select is_whole from whole;

-- ACCEPT_READY of accept/accept-carefully.ts. Accepts those of a batch that are new and affordable, and returns the others.
with incoming as materialized (
  select * from json_to_recordset($2) as r(
    merchant_id text, payout_id text, transaction_id bigint, purpose text, method smallint, currency text, amount bigint, amount_text text,
    fee bigint, rail text, account_shown text, fields jsonb, vault_token text, content_hash bytea, seal bytea, accepted_at timestamptz,
    master_key_id text, wrapped_key bytea, ciphertext bytea, why text,
    approve_by timestamptz, approval_why text,
    maker_kind text, maker_id text, maker_name text, maker_people text[], maker_mailbox text)),
transfers as materialized (select * from json_to_recordset($3) as t(merchant_id text, payout_id text, journal_id text, line smallint, kind text, currency text, debit_account text, credit_account text, amount bigint, note text, posted_at timestamptz)),
  wanted as (
    select merchant_id, currency, account, sum(amount) as amount,
      count(*) over (partition by merchant_id, currency) as accounts
    from (
      select merchant_id, currency, debit_account as account, -amount as amount from transfers
      union all select merchant_id, currency, credit_account, amount from transfers) as sides
    group by merchant_id, currency, account),
ready as materialized (
  select w.merchant_id, w.currency from wanted as w
  join ledger_accounts as a on a.merchant_id = w.merchant_id and a.currency = w.currency
  where a.merchant_id = any($1::text[]) and a.account in (w.account, 'owed')
  group by w.merchant_id, w.currency
  having count(*) filter (where a.account = w.account) = max(w.accounts) and min(
    case when a.account = w.account and a.account in ('available', 'reserved') then a.balance + w.amount
      when a.account = 'owed' then a.balance else 0 end) >= 0
    and max(abs(a.balance + w.amount)) filter (where a.account = w.account) <= 9223372036854775807),
chosen as (select i.* from incoming as i join ready using (merchant_id, currency)),
locked as materialized (
  select pg_advisory_xact_lock(lock)::text as held from
    (select distinct hashtextextended(merchant_id, 0) as lock from chosen order by 1) as locks),
inserted as (
  insert into payouts (merchant_id, payout_id, transaction_id, purpose, method, currency, amount, amount_text, fee, rail,
    account_shown, fields, vault_token, content_hash, seal, state, accepted_at, accepted_by, accepted_why)
  select merchant_id, payout_id, transaction_id, purpose, method, currency, amount, amount_text, fee, rail,
    account_shown, fields, vault_token, content_hash, seal, 'pending', accepted_at,
    coalesce(maker_name, case when purpose <> 'payout' then 'operator' end), why
  from chosen where (select count(*) from locked) > 0 order by merchant_id, payout_id
  on conflict (merchant_id, payout_id) do nothing
  returning merchant_id, payout_id),
fresh as materialized (select i.* from incoming as i join inserted using (merchant_id, payout_id)),
vaulted as (
  insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at)
  select merchant_id, vault_token, master_key_id, wrapped_key, ciphertext, accepted_at from fresh where vault_token is not null),
queued as (
  insert into payout_jobs (merchant_id, payout_id, rail, purpose, method, stage, stage_since, due_at, approve_by)
  select merchant_id, payout_id, rail, purpose, method, case when approve_by is null then 'queued' else 'awaiting_approval' end,
    accepted_at, accepted_at, approve_by from fresh),
recorded as (
  insert into payout_history (merchant_id, payout_id, entry, at, event, to_state, actor, detail)
  select merchant_id, payout_id, 2, accepted_at, 'approval_required', 'pending', 'gateway', approval_why
  from fresh where approve_by is not null),
made as (
  insert into payout_makers (merchant_id, payout_id, kind, id, name, people, mailbox)
  select merchant_id, payout_id, coalesce(maker_kind, 'merchant'), coalesce(maker_id, ''), coalesce(maker_name, 'merchant'),
    coalesce(maker_people, '{}'), coalesce(maker_mailbox, '') from fresh
  where maker_kind is not null or approve_by is not null),
posting as materialized (select transfers.* from transfers join inserted using (merchant_id, payout_id)),
  closings as (
    select merchant_id, closing_until from ledger_closings where $1::text[] is not null),
  added_transfers as (
    insert into ledger_transfers
      (merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, note, posted_at)
    select p.merchant_id, p.journal_id, p.line, p.kind, p.currency, p.debit_account, p.credit_account, p.amount, p.note,
      greatest(p.posted_at, c.closing_until)
    from posting as p
    left join closings as c on c.merchant_id = p.merchant_id),
  moved_balances as (
    update ledger_accounts as a set balance = a.balance + change.amount
    from (
      select merchant_id, currency, account, sum(amount) as amount from (
      select merchant_id, currency, debit_account as account, -amount as amount from posting
      union all select merchant_id, currency, credit_account, amount from posting) as sides
      group by merchant_id, currency, account) as change
    where $1::text[] is not null and a.merchant_id = change.merchant_id and a.currency = change.currency
      and a.account = change.account)
select merchant_id, payout_id from incoming left join inserted as i using (merchant_id, payout_id) where i is null;

-- ACCEPT_AFFORDED of accept/accept-carefully.ts. Accepts payouts whose balances the gateway checked under the locks of their merchants.
with incoming as materialized (
  select * from json_to_recordset($2) as r(
    merchant_id text, payout_id text, transaction_id bigint, purpose text, method smallint, currency text, amount bigint, amount_text text,
    fee bigint, rail text, account_shown text, fields jsonb, vault_token text, content_hash bytea, seal bytea, accepted_at timestamptz,
    master_key_id text, wrapped_key bytea, ciphertext bytea, why text,
    approve_by timestamptz, approval_why text,
    maker_kind text, maker_id text, maker_name text, maker_people text[], maker_mailbox text)),
transfers as materialized (select * from json_to_recordset($3) as t(merchant_id text, payout_id text, journal_id text, line smallint, kind text, currency text, debit_account text, credit_account text, amount bigint, note text, posted_at timestamptz)),
chosen as (select * from incoming),
locked as materialized (
  select pg_advisory_xact_lock(lock)::text as held from
    (select distinct hashtextextended(merchant_id, 0) as lock from chosen order by 1) as locks),
inserted as (
  insert into payouts (merchant_id, payout_id, transaction_id, purpose, method, currency, amount, amount_text, fee, rail,
    account_shown, fields, vault_token, content_hash, seal, state, accepted_at, accepted_by, accepted_why)
  select merchant_id, payout_id, transaction_id, purpose, method, currency, amount, amount_text, fee, rail,
    account_shown, fields, vault_token, content_hash, seal, 'pending', accepted_at,
    coalesce(maker_name, case when purpose <> 'payout' then 'operator' end), why
  from chosen where (select count(*) from locked) > 0 order by merchant_id, payout_id
  on conflict (merchant_id, payout_id) do nothing
  returning merchant_id, payout_id),
fresh as materialized (select i.* from incoming as i join inserted using (merchant_id, payout_id)),
vaulted as (
  insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at)
  select merchant_id, vault_token, master_key_id, wrapped_key, ciphertext, accepted_at from fresh where vault_token is not null),
queued as (
  insert into payout_jobs (merchant_id, payout_id, rail, purpose, method, stage, stage_since, due_at, approve_by)
  select merchant_id, payout_id, rail, purpose, method, case when approve_by is null then 'queued' else 'awaiting_approval' end,
    accepted_at, accepted_at, approve_by from fresh),
recorded as (
  insert into payout_history (merchant_id, payout_id, entry, at, event, to_state, actor, detail)
  select merchant_id, payout_id, 2, accepted_at, 'approval_required', 'pending', 'gateway', approval_why
  from fresh where approve_by is not null),
made as (
  insert into payout_makers (merchant_id, payout_id, kind, id, name, people, mailbox)
  select merchant_id, payout_id, coalesce(maker_kind, 'merchant'), coalesce(maker_id, ''), coalesce(maker_name, 'merchant'),
    coalesce(maker_people, '{}'), coalesce(maker_mailbox, '') from fresh
  where maker_kind is not null or approve_by is not null),
posting as materialized (select transfers.* from transfers join inserted using (merchant_id, payout_id)),
  closings as (
    select merchant_id, closing_until from ledger_closings where $1::text[] is not null),
  added_transfers as (
    insert into ledger_transfers
      (merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, note, posted_at)
    select p.merchant_id, p.journal_id, p.line, p.kind, p.currency, p.debit_account, p.credit_account, p.amount, p.note,
      greatest(p.posted_at, c.closing_until)
    from posting as p
    left join closings as c on c.merchant_id = p.merchant_id),
  moved_balances as (
    update ledger_accounts as a set balance = a.balance + change.amount
    from (
      select merchant_id, currency, account, sum(amount) as amount from (
      select merchant_id, currency, debit_account as account, -amount as amount from posting
      union all select merchant_id, currency, credit_account, amount from posting) as sides
      group by merchant_id, currency, account) as change
    where $1::text[] is not null and a.merchant_id = change.merchant_id and a.currency = change.currency
      and a.account = change.account)
select merchant_id, payout_id from incoming left join inserted as i using (merchant_id, payout_id) where i is null;

-- CLAIM of claim-payouts.ts. Claims the due payouts of a rail, and begins the attempt of each that may be sent now.
with turn as materialized (
  select pg_try_advisory_xact_lock(hashtextextended('claim/' || $1, 1))
      and max(started_at) is not distinct from $14::timestamptz
      and not exists (
        select from json_to_recordset($16) as w(rail text, at timestamptz)
        where not exists (
          select from rail_health as h where h.rail = w.rail and h.process = $15 and h.reported_at >= w.at)) as mine,
    count(*)::integer * 1000000 as least_fence
  from recoveries),
due as materialized (
  select merchant_id, payout_id, stage, fence,
    stage in ('queued') and paid_by is null and held_because is distinct from 'seal_broken' and not (merchant_id = any($7::text[]) or coalesce(method = any($8::smallint[]), false)
      or purpose = any($9::text[]) or $10::boolean)
      and ($13::timestamptz is null or coalesce(asked_at >= $13, false))
      and ($17::timestamptz is null or stage_since >= $17) as begins, row_number() over () as place
  from (
    select * from payout_jobs
    where rail = $1 and due_at <= $2 and stage <> 'awaiting_approval' and (not $11 or stage = 'queued') and (select mine from turn)
    order by due_at limit $12) as first),
claimed as (
  update payout_jobs as j set due_at = $3, fence = greatest(j.fence, (select least_fence from turn)) + 1,
    stage = case when d.begins then 'sending' else j.stage end,
    stage_since = case when d.begins then $2 else j.stage_since end,
    attempts = j.attempts + d.begins::int,
    asks = case when d.begins then 0 else j.asks end,
    note = case when d.begins then '' else j.note end,
    held_because = case when d.begins then null else j.held_because end
  from (select * from due where sign(length(merchant_id)) = 1 order by merchant_id collate "C", payout_id collate "C") as d
  where j.merchant_id = d.merchant_id and j.payout_id = d.payout_id
    and j.rail = $1 and j.due_at <= $2 and j.fence = d.fence and j.stage = d.stage
  returning j.merchant_id, j.payout_id, j.stage, j.stage_since, j.fence, j.attempts, j.asks, j.note, j.held_because, j.paid_by, j.asked_at,
    j.approve_by, d.begins, d.place),
read as materialized (
  select p.merchant_id, p.payout_id, p.transaction_id, p.purpose, p.method, p.currency, p.amount, p.amount_text,
  p.fee, p.rail, p.account_shown, p.fields, p.vault_token, p.content_hash, p.state, p.blocked_reason, p.accepted_at, p.finished_at, c.stage, c.stage_since, c.fence, c.attempts, c.asks, c.note, c.held_because, c.paid_by, c.asked_at, c.approve_by, c.begins, c.place, p.seal,
    exists (select from payout_history as h
      where h.merchant_id = p.merchant_id and h.payout_id = p.payout_id and h.to_state <> 'pending') as was_final,
    coalesce((select max(h.entry) from payout_history as h where h.merchant_id = p.merchant_id and h.payout_id = p.payout_id), 1) as entries,
    case when c.begins then coalesce(case when c.attempts > 1 then (
  select min(b.reference) from payout_attempts as b
  where b.merchant_id = p.merchant_id and b.payout_id = p.payout_id and b.rail = $1) end, 'P' || upper(encode(substring(
  sha256($6::bytea || sha256($5::bytea || convert_to($1 || '/' || p.merchant_id || '/' || p.payout_id, 'UTF8')))
  from 1 for 14), 'hex'))) else a.reference end as reference,
    case when c.begins then $4 else a.send_until end as send_until,
    v.master_key_id, v.wrapped_key, v.ciphertext
  from claimed as c
  join payouts as p on p.merchant_id = c.merchant_id and p.payout_id = c.payout_id
  left join payout_attempts as a
    on a.merchant_id = p.merchant_id and a.payout_id = p.payout_id and a.attempt = c.attempts
  left join vault_records as v on v.merchant_id = p.merchant_id and v.token = p.vault_token),
recorded as (
insert into payout_attempts (merchant_id, payout_id, attempt, rail, reference, started_at, send_until)
select merchant_id, payout_id, attempts, $1, reference, $2, send_until from read where begins),
listed as (
  insert into rail_references (rail, reference, merchant_id, payout_id) select $1, reference, merchant_id, payout_id from read where begins and $18
  on conflict do nothing)
select * from read order by place;

-- READ_FACTS of settle/settle-payouts.ts. Reads the facts from which the domain plans an outcome.
select p.merchant_id, p.payout_id, p.transaction_id, p.purpose, p.method, p.currency, p.amount, p.amount_text,
  p.fee, p.rail, p.account_shown, p.fields, p.vault_token, p.content_hash, p.state, p.blocked_reason, p.accepted_at, p.finished_at, j.fence, j.attempts, j.stage, j.paid_by, j.approve_by,
  coalesce((
    select jsonb_object_agg(a.kind, coalesce(a.rail, p.rail)) from payout_adjustments as a
    where $1::text[] is not null and a.merchant_id = p.merchant_id and a.payout_id = p.payout_id), '{}') as adjusted_by,
  case p.purpose when 'return' then not exists (
    select from incoming_transfers as t
    where $1::text[] is not null and t.merchant_id = p.merchant_id and t.state = 'held' and t.return_id = p.payout_id and not t.is_return_overtaken) else false end as is_overtaken,
  coalesce((select max(h.entry) from payout_history as h
    where $1::text[] is not null and h.merchant_id = p.merchant_id and h.payout_id = p.payout_id), 1) as entries
from unnest($1::text[], $2::text[]) as k(merchant_id, payout_id)
join payouts as p using (merchant_id, payout_id)
left join payout_jobs as j on j.merchant_id = p.merchant_id and j.payout_id = p.payout_id and $1::text[] is not null
where $1::text[] is not null;

-- WRITE_SETTLED of settle/write-settled.ts. Writes outcomes with their money, history, adjustments and callbacks.
with settled as (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::integer[], $7::text[], $8::text[], $9::text[], $10::timestamptz[], $11::text[], $12::timestamptz[], $13::smallint[], $14::timestamptz[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::text[], $25::boolean[]) as r(merchant_id, payout_id, currency, rail, attempts, claim, state, blocked_reason, final_rail, finished_at, vault_token, destroy_at, entry, at, event, from_state, to_state, actor, detail, adjustment, adjustment_detail, adjustment_rail, paid_by, note, awaiting) where sign(length(merchant_id)) = 1),
transfers as materialized (select * from unnest($26::text[], $27::text[], $28::text[], $29::smallint[], $30::text[], $31::text[], $32::text[], $33::text[], $34::bigint[], $35::text[], $36::timestamptz[]) as r(merchant_id, payout_id, journal_id, line, kind, currency, debit_account, credit_account, amount, note, posted_at)),
accounts as materialized (select * from unnest($47::text[], $48::text[], $49::text[]) as r(merchant_id, currency, account) where sign(length(merchant_id)) = 1),
opened as materialized (
  select a.merchant_id, a.currency, a.account from accounts as c
  join ledger_accounts as a on a.merchant_id = c.merchant_id and a.currency = c.currency and a.account = c.account
  where $1::text[] is not null),
missing as materialized (
  select merchant_id, currency from (
    select merchant_id, currency, account from accounts except select merchant_id, currency, account from opened) as m),
locked as materialized (
  select pg_advisory_xact_lock(lock)::text as held from
    (select distinct hashtextextended(merchant_id, 0) as lock from settled order by 1) as locks),
dequeued as (
  delete from payout_jobs as j using settled as s
  where s.state is not null and $1::text[] is not null and j.merchant_id = s.merchant_id and j.payout_id = s.payout_id and j.attempts = s.attempts and j.rail = s.rail
    and (s.claim is null or (j.fence = s.claim and j.paid_by is null)) and (j.stage = 'awaiting_approval') = s.awaiting
    and (select count(*) from locked) > 0
    and not exists (select from missing as m where m.merchant_id = s.merchant_id and m.currency = s.currency)
  returning s.*),
finished as (
  update payouts as p set state = d.state, blocked_reason = d.blocked_reason, rail = d.final_rail, finished_at = d.finished_at from dequeued as d
  where $1::text[] is not null and p.merchant_id = d.merchant_id and p.payout_id = d.payout_id and p.state = 'pending'
  returning d.*),
answered as (
  update payout_attempts as a set finished_at = d.at, outcome = d.event, detail = d.detail from dequeued as d
  where $1::text[] is not null and a.merchant_id = d.merchant_id and a.payout_id = d.payout_id and a.attempt = d.attempts
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
  where s.paid_by is not null and $1::text[] is not null and j.merchant_id = s.merchant_id and j.payout_id = s.payout_id),
posting as materialized (select t.* from transfers as t join entered using (merchant_id, payout_id)),
  closings as (
    select merchant_id, closing_until from ledger_closings where $1::text[] is not null),
  added_transfers as (
    insert into ledger_transfers
      (merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, note, posted_at)
    select p.merchant_id, p.journal_id, p.line, p.kind, p.currency, p.debit_account, p.credit_account, p.amount, p.note,
      greatest(p.posted_at, c.closing_until)
    from posting as p
    left join closings as c on c.merchant_id = p.merchant_id),
  moved_balances as (
    update ledger_accounts as a set balance = a.balance + change.amount
    from (
      select merchant_id, currency, account, sum(amount) as amount from (
      select merchant_id, currency, debit_account as account, -amount as amount from posting
      union all select merchant_id, currency, credit_account, amount from posting) as sides
      group by merchant_id, currency, account) as change
    where $1::text[] is not null and a.merchant_id = change.merchant_id and a.currency = change.currency
      and a.account = change.account),
new_callbacks as (
  select r.* from unnest($37::text[], $38::text[], $39::text[], $40::text[], $41::text[], $42::json[], $43::text[], $44::timestamptz[], $45::timestamptz[], $46::timestamptz[]) as r(payout_id, merchant_id, callback_id, subject, subject_id, payload, state, created_at, due_at, finished_at) join entered using (merchant_id, payout_id)),
  inserted as (
    insert into callbacks (merchant_id, callback_id, subject, subject_id, payload, state, created_at, due_at, finished_at)
    select merchant_id, callback_id, subject, subject_id, payload, state, created_at, due_at, finished_at from new_callbacks
    order by merchant_id, callback_id
    on conflict (merchant_id, callback_id) do nothing
    returning merchant_id, due_at),
  woken as (
    insert into callback_lanes (merchant_id, due_at)
    select merchant_id, min(due_at) from inserted where due_at is not null group by merchant_id order by merchant_id
    on conflict (merchant_id) do update set due_at = excluded.due_at where callback_lanes.due_at > excluded.due_at)
select merchant_id, payout_id from finished;

-- APPROVE of settle/write-settled.ts. Writes approvals of payouts.
with approved as (
  select * from json_to_recordset($2) as r(merchant_id text, payout_id text, entry smallint, at timestamptz, event text,
    from_state text, to_state text, actor text, detail text, awaiting boolean, person text, mailbox text) where sign(length(merchant_id)) = 1),
moved as (
  update payout_jobs as j set stage = 'queued', stage_since = a.at, due_at = a.at, approved_at = a.at, note = '', held_because = null, fence = j.fence + 1
  from approved as a
  where $1::text[] is not null and j.merchant_id = a.merchant_id and j.payout_id = a.payout_id
    and (j.stage = 'awaiting_approval') = a.awaiting
  returning a.*),
made as (
  select a.merchant_id, a.payout_id, m.people, m.mailbox as maker_mailbox, a.person, a.mailbox
  from moved as a join payout_makers as m on m.merchant_id = a.merchant_id and m.payout_id = a.payout_id
  where $1::text[] is not null),
checked as (
  insert into payout_approvals (merchant_id, payout_id, maker_people, maker_mailbox, person, mailbox)
  select merchant_id, payout_id, people, maker_mailbox, person, mailbox from made)
insert into payout_history (merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail)
select merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail from moved returning 1;
