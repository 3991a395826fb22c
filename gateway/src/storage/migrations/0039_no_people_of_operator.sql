-- Earlier versions accepted users and tokens of the built-in merchant. They could decide on the proposals of the
-- operator, without a role there.

delete from memberships where merchant_id = 'operator';
update api_tokens set revoked_at = now() where merchant_id = 'operator' and revoked_at is null;
update invitations set revoked_at = now() where merchant_id = 'operator' and accepted_at is null and revoked_at is null;

alter table memberships add constraint memberships_not_of_operator check (merchant_id <> 'operator') not valid;
alter table api_tokens add constraint api_tokens_not_of_operator
  check (merchant_id <> 'operator' or revoked_at is not null) not valid;
alter table invitations add constraint invitations_not_of_operator
  check (merchant_id <> 'operator' or accepted_at is not null or revoked_at is not null) not valid;
