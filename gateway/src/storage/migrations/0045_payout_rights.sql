-- The row of a payout holds its acceptance, which nobody changes, as in payout_history. The gateway writes the outcome alone.

revoke update on payouts from gateway_app;
grant update (rail, state, blocked_reason, finished_at) on payouts to gateway_app;
