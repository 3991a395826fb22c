/** Returns the time at which the sandbox world next has work. Reads entire tables, because worlds are small. */
import type { Instant } from '../../foundation/clock.ts';
import type { Queryable } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

const NEXT_DUE = `
select min(at) as next_due from (
  select due_at as at from payout_jobs
  union all select coalesce(lease_until, greatest(due_at, paused_until)) from callback_lanes
  union all select due_at from callbacks where state = 'due'
  union all select expires_at from deposits where state in ('created', 'pending')
  union all select closes_at from deposits where state in ('created', 'pending')
  union all select expires_at from form_sessions where transaction_id is null
  union all select look_at from receipt_emails
  union all select ask_at from payment_attempts where ask_at is not null
) as planned where at > $1 and at < 'infinity'`;

/** Returns null if nothing is planned after `now`. */
export async function readNextDue(database: Queryable, now: Instant): Promise<Instant | null> {
  const [row] = await database.query<{ next_due: number | null }>(NEXT_DUE, [timestamp(now)]);
  return row?.next_due ?? null;
}
