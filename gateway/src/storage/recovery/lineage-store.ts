/** Implements LineageStore over PostgreSQL. Each process reads the lineage every second. */
import type { Lineage, LineageStore } from '../../domain/recovery/lineage-store.ts';
import { errorCode } from '../../foundation/error-code.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

/** The name of a file of the log begins with its timeline, in eight hexadecimal digits. */
const READ = `
with now as (
  select case when not pg_is_in_recovery()
    then system_identifier || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as lineage
  from pg_control_system())
select lineage as current, exists (select from database_lineages as known where known.lineage = now.lineage) as "isKnown",
  not exists (select from database_lineages) as "isFirst"
from now`;

const CONFIRM = `
insert into database_lineages (lineage, known_at, known_by, reason) values ($1, $2, $3, $4) on conflict do nothing`;

/** A managed PostgreSQL may lack the functions, or deny access to them. Then only the operator can notice a restore. */
const UNAVAILABLE: Lineage = { current: null, isKnown: true, isFirst: false };
const NO_SUCH_FUNCTION: readonly string[] = ['42501', '42883', '0A000'];

export function createLineageStore(database: Database): LineageStore {
  let isAvailable = true;
  return {
    async read() {
      if (!isAvailable) return UNAVAILABLE;
      try {
        const [row] = await database.prepared<Lineage>('read-lineage', READ, []);
        if (!row) return UNAVAILABLE;
        return { ...row, isKnown: row.isKnown || row.isFirst };
      } catch (error) {
        if (!NO_SUCH_FUNCTION.includes(errorCode(error) ?? '')) throw error;
        isAvailable = false;
        return UNAVAILABLE;
      }
    },
    async confirm({ lineage, at, by, reason }) {
      await database.query(CONFIRM, [lineage, timestamp(at), by, reason]);
    },
  };
}
