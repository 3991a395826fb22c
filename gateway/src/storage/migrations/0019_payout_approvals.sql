-- Approvals of payouts, so that constraints of the database compare maker and checker.

alter table payout_makers add constraint payout_makers_as_approvals_name_them unique (merchant_id, payout_id, people, mailbox);

create table payout_approvals (
  merchant_id text not null,
  payout_id text not null,
  maker_people text[] not null,
  maker_mailbox text not null,
  person text not null,
  mailbox text not null,
  primary key (merchant_id, payout_id),
  foreign key (merchant_id, payout_id, maker_people, maker_mailbox)
    references payout_makers (merchant_id, payout_id, people, mailbox),
  constraint payout_maker_is_not_checker check (
    person <> all (maker_people) and (mailbox = '' or mailbox <> maker_mailbox))
);
comment on table payout_approvals is 'Append-only. The approval of each payout that waited for one.';
comment on column payout_approvals.maker_people is 'Copied from payout_makers. Empty: the merchant''s server signed the payout, or the maker is unknown.';
comment on column payout_approvals.person is 'The user who approved it. Empty: somebody with a shell on the server.';
comment on column payout_approvals.mailbox is 'The email address of that user, without the parts that mail servers ignore. Empty: unknown.';
grant select, insert on payout_approvals to gateway_app;
