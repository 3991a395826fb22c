/** The earliest time at which a row of the gateway is due, so that a simulation can jump there. */
import type { Instant } from '../../src/foundation/clock.ts';
import type { Admin } from './restorable-database.ts';

const NEXT_DUE = `
  select extract(epoch from min(due)) * 1000 as due from (
    select min(due_at) as due from payout_jobs
    union all select min(approve_by) from payout_jobs where stage = 'awaiting_approval'
    union all select min(coalesce(lease_until, greatest(due_at, paused_until))) from callback_lanes
    union all select min(ask_at) from payment_attempts where ask_at is not null
    union all select min(closes_at) from deposits where finished_at is null
    union all select min(lease_until) from payout_batches where state in ('checking', 'submitted')
  ) as dues where due <> 'infinity'`;

/** Returns Infinity if no row is due. */
export async function readNextDue(admin: Admin): Promise<Instant> {
  const { rows } = await admin.query<{ due: string | null }>({ name: 'next-due', text: NEXT_DUE });
  const due = rows[0]?.due ?? null;
  return due === null ? Number.POSITIVE_INFINITY : Math.ceil(Number(due));
}
