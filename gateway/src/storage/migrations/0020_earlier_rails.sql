-- A payout may go from rail to rail, so what a bank says later is kept with whose bank it was.
alter table payout_adjustments add column rail text;
comment on column payout_adjustments.rail is 'Whose bank it was; null: a person''s word, or from before it was kept.';
alter table payout_jobs add column paid_by text;
comment on column payout_jobs.paid_by is 'A rail that was proved not to have the payout, and says that it paid it: nobody sends it any more. Null: none does.';
