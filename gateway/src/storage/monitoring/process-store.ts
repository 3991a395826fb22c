/** Implements ProcessStore over PostgreSQL. */

import type { ProcessStore } from '../../domain/monitoring/process-store.ts';
import type { RunningProcess } from '../../domain/monitoring/running-process.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

const REPORT = `
with dead as (delete from processes where seen_at < $9 and process_id <> $1)
insert into processes (process_id, role, version, host, rails, sending_rails, started_at, seen_at, master_key_ids)
values ($1, $2, $3, $4, $5, $6, $7, $8, $10)
on conflict (process_id) do update set seen_at = excluded.seen_at`;

const RUNNING = `
select process_id as "processId", role, version, host, rails, sending_rails as "sendingRails",
  started_at as since, seen_at as "seenAt"
from processes where seen_at >= $1 order by started_at, process_id`;

const WITHOUT_KEY = `
select role || ' on ' || host as name from processes
where seen_at >= $2 and not ($1 = any(master_key_ids)) order by started_at, process_id`;

export function createProcessStore(database: Database): ProcessStore {
  return {
    async report({ processId, role, version, host, rails, sendingRails, since, seenAt }, deadBefore, masterKeyIds) {
      const times = [timestamp(since), timestamp(seenAt), timestamp(deadBefore)];
      const values = [processId, role, version, host, rails, JSON.stringify(sendingRails), ...times, masterKeyIds];
      await database.query(REPORT, values);
    },
    async end(processId) {
      await database.query('delete from processes where process_id = $1', [processId]);
    },
    async withoutMasterKey(masterKeyId, seenSince) {
      const rows = await database.query<{ name: string }>(WITHOUT_KEY, [masterKeyId, timestamp(seenSince)]);
      return rows.map(({ name }) => name);
    },
    running: (seenSince) => database.query<RunningProcess>(RUNNING, [timestamp(seenSince)]),
  };
}
