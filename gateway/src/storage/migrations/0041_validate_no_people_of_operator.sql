-- Migration 0039 ended the rows that would break these checks.

alter table memberships validate constraint memberships_not_of_operator;
alter table api_tokens validate constraint api_tokens_not_of_operator;
alter table invitations validate constraint invitations_not_of_operator;
