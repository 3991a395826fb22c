/** Time in the walks: the test moves the clock of a payment forward instead of waiting. */
import type { WalkPayer } from './walk-payer.ts';

/** Expires the form, and its deposit and attempts if they exist. */
export async function letTimePass({ stage, merchant, order }: WalkPayer): Promise<void> {
  const { pool } = stage.gateway.database;
  const of = [merchant.id, order];
  await pool.query(
    `update form_sessions set expires_at = now() - interval '1 s' where merchant_id = $1 and order_id = $2`,
    of,
  );
  await pool.query(
    `update deposits set expires_at = now() - interval '2 s', closes_at = now() - interval '1 s'
     where merchant_id = $1 and order_id = $2`,
    of,
  );
  await pool.query(
    `update payment_attempts set ask_at = now() where ask_at is not null and (merchant_id, transaction_id) in
       (select merchant_id, transaction_id from deposits where merchant_id = $1 and order_id = $2)`,
    of,
  );
}

/** Sets the remaining time of a form without an attempt. */
export async function setTimeLeft({ stage, merchant, order }: WalkPayer, ms: number): Promise<void> {
  await stage.gateway.database.pool.query(
    `update form_sessions set expires_at = now() + $3 * interval '1 ms' where merchant_id = $1 and order_id = $2`,
    [merchant.id, order, ms],
  );
}
