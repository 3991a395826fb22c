/**
 * Destroys vault records. Every deletion of a card number, and of the rest of a record, is in this file: when an attempt, a
 * transfer, a batch's row or a logged request no longer needs it, or when its retention ends (SECURITY.md).
 */
import type { AttemptKey } from '../../domain/payments/attempts/payment-attempt.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { ofReachable, sweep, textsOf } from '../cluster/across-servers.ts';
import { FOR_CLUSTER, merchantsOf, STEP_BY_STEP } from '../core/cluster-text.ts';
import type { Database, Queryable } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

/**
 * The end of a subquery that names vault records. The rotation of the master key and every destruction of several records lock
 * them in this order, so they cannot deadlock. The conditions are true for every token. The planner estimates that they leave one
 * row, so it looks up the records one after another.
 */
export const IN_LOCK_ORDER = `where sign(length(token)) = 1 and sign(ascii(token)) = 1
  order by merchant_id collate "C", token collate "C"`;

/** Part of a statement: destroys the records of merchant $1 that the column vault_token of `rows` contains. */
export function destroyRecordsOf(rows: string): string {
  return `delete from vault_records as v using (
    select * from (select $1::text as merchant_id, vault_token as token from ${rows}) as named ${IN_LOCK_ORDER}) as named
    where v.merchant_id = $1 and v.token = named.token`;
}

export async function destroyRecord(transaction: Queryable, merchantId: MerchantId, token: string): Promise<void> {
  await transaction.query('delete from vault_records where merchant_id = $1 and token = $2', [merchantId, token]);
}

/** Makes the vault destroy the record at this time. */
export async function expireRecord(
  transaction: Queryable,
  merchantId: MerchantId,
  token: string,
  at: Instant,
): Promise<void> {
  await transaction.query('update vault_records set destroy_at = $3 where merchant_id = $1 and token = $2', [
    merchantId,
    token,
    timestamp(at),
  ]);
}

/** Destroys the card and keeps its mask. Does nothing if the attempt has no card, or its card is already destroyed. */
export async function destroyAttemptCard(
  transaction: Queryable,
  { merchantId, transactionId, attempt }: AttemptKey,
): Promise<void> {
  await transaction.prepared(
    'destroy-attempt-card',
    `delete from vault_records as v using payment_cards as c
     where c.merchant_id = $1 and c.transaction_id = $2 and c.attempt = $3
       and v.merchant_id = c.merchant_id and v.token = c.vault_token`,
    [merchantId, transactionId, attempt],
  );
}

/** Destroys up to `limit` records whose retention has expired. Returns how many it destroyed. */
export async function destroyDue(database: Database, now: Instant, limit: number): Promise<number> {
  const ownTime = await sweep(database, DESTROY_DUE, [timestamp(now), limit]);
  if (ownTime.length === limit) return limit;
  const ofPayouts = await sweep(database, DESTROY_EXPIRED, [timestamp(now), limit - ownTime.length]);
  return ownTime.length + ofPayouts.length;
}

/** Records with their own time: cards of attempts and of returns, rows of batches, logged requests. */
const DESTROY_DUE = textsOf(
  (servers) => `${STEP_BY_STEP}
with due as materialized (
  select merchant_id, token from vault_records where destroy_at <= $1${ofReachable(servers, 'vault_records', '$3')} order by destroy_at limit $2)
delete from vault_records as v using (select * from due ${IN_LOCK_ORDER}) as d
where v.merchant_id = ${merchantsOf('due')} ${FOR_CLUSTER} and v.destroy_at <= $1 and v.merchant_id = d.merchant_id and v.token = d.token
returning 1`,
);

/** Finds payouts' records by merchant. An index by time would cost every payout an entry, for an hourly search. */
const DESTROY_EXPIRED = textsOf(
  (servers) => `${STEP_BY_STEP}
with due as materialized (
  select e.merchant_id, e.destroy_at, e.token from merchants as m
  cross join lateral (
    select * from vault_expiries as x where x.merchant_id = m.merchant_id and x.destroy_at <= $1${ofReachable(servers, 'x', '$3')} order by x.destroy_at limit $2) as e
  ${ofReachable(servers, 'm', '$3').replace(' and', 'where')} limit $2),
expired as (
  delete from vault_expiries as x using due as d
  where x.merchant_id = ${merchantsOf('due')} ${FOR_CLUSTER} and x.merchant_id = d.merchant_id and x.destroy_at = d.destroy_at and x.token = d.token
  returning x.merchant_id, x.token),
destroyed as (
  delete from vault_records as v using (select * from expired ${IN_LOCK_ORDER}) as e
  where v.merchant_id = ${merchantsOf('expired')} ${FOR_CLUSTER} and v.merchant_id = e.merchant_id and v.token = e.token)
select from expired`,
);
