/**
 * Checks a rule of the ledger: a balance changes only under its merchant's lock (storage/ledger/ledger-posting.ts). A
 * violation has no effect while statements run one at a time, but causes deadlocks in production.
 */
import { lockKey } from '../../src/storage/core/advisory-locks.ts';
import type { Admin } from '../database/restorable-database.ts';
import type { Query } from './judge-payouts.ts';

const WATCH = `
create table unlocked_changes (merchant_id text, account text, statement text);
create function note_unlocked_changes() returns trigger language plpgsql security definer as $$
begin
  insert into unlocked_changes
  select distinct merchant_id, account, left(current_query(), 60) from changed
  where ${lockKey('merchant', 'merchant_id')} not in (
    select (classid::bigint << 32) | objid::bigint from pg_locks
    where locktype = 'advisory' and pid = pg_backend_pid() and granted);
  return null;
end $$;
create trigger note_unlocked_changes after update on ledger_accounts
  referencing new table as changed for each statement execute function note_unlocked_changes()`;

/** Call it before the first process starts. */
export async function watchBalanceLocks(admin: Admin): Promise<void> {
  await admin.query(WATCH);
}

interface UnlockedChange {
  readonly merchant_id: string;
  readonly account: string;
  readonly statement: string;
}

export async function judgeBalanceLocks(query: Query): Promise<string[]> {
  const changes = await query<UnlockedChange>('select distinct * from unlocked_changes order by 1, 2, 3 limit 3');
  return changes.map(
    ({ merchant_id, account, statement }) =>
      `the balance ${account} of ${merchant_id} changed without the merchant's lock: ${statement}`,
  );
}
