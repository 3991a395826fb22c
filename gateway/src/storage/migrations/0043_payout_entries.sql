-- The row of a payout holds the first entry of its history: an entry of its own cost each payout a row and two index entries.

alter table payouts add column accepted_by text, add column accepted_why text, add column written_by xid8;
alter table payouts alter column written_by set default pg_current_xact_id();
comment on column payouts.accepted_by is 'The user or program that created the payout. Null: the merchant.';
comment on column payouts.accepted_why is 'Why the payout goes to its first rail, as JSON of codes with their values. Null: an earlier version wrote the entry to payout_history.';
comment on column payouts.written_by is 'The database transaction that accepted the payout, as in payout_history.';
comment on table payout_history is 'Append-only. Every transition after the acceptance, and every action of an operator.';

create view payout_entries as
select merchant_id, payout_id, 1::smallint as entry, accepted_at as at, 'accepted' as event, null::text as from_state,
  'pending' as to_state, coalesce(accepted_by, 'merchant') as actor, accepted_why as detail, written_by
from payouts where accepted_why is not null
union all
select merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail, written_by from payout_history;
comment on view payout_entries is 'The whole history of each payout: its acceptance, from the row in payouts, and its rows in payout_history.';
grant select on payout_entries to gateway_app;
