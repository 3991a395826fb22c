-- A difference that no list showed says so in a column: a list that does not have it proves nothing about it.

alter table differences add column source text check (source in ('notified', 'asked'));
comment on column differences.source is 'notified, asked: a notification, or the answer to a question about a named payout; no later list resolves it. Null: a list, or a report of another kind.';

update differences set source = case when starts_with(theirs, 'notified: ') then 'notified' else 'asked' end
where kind = 'missing_here' and (starts_with(theirs, 'notified: ') or starts_with(theirs, 'asked: '));
