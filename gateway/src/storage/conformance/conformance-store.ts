/** Implements ConformanceStore over PostgreSQL. */
import type { ConformanceRun } from '../../domain/conformance/conformance-run.ts';
import type { ConformanceStore } from '../../domain/conformance/conformance-store.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

const RECORD = `
insert into conformance_runs (merchant_id, recorded_at, address, passed, examined, is_passed, findings)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (merchant_id) do update set recorded_at = excluded.recorded_at, address = excluded.address,
  passed = excluded.passed, examined = excluded.examined, is_passed = excluded.is_passed, findings = excluded.findings`;

const FIND = `
select recorded_at as "recordedAt", address, passed, examined, is_passed as "isPassed", findings
from conformance_runs where merchant_id = $1`;

export function createConformanceStore(database: Pick<Database, 'query'>): ConformanceStore {
  return {
    async record(merchantId, { recordedAt, address, passed, examined, isPassed, findings }) {
      const values = [address, passed, examined, isPassed, JSON.stringify(findings)];
      await database.query(RECORD, [merchantId, timestamp(recordedAt), ...values]);
    },
    find: async (merchantId) => (await database.query<ConformanceRun>(FIND, [merchantId]))[0],
  };
}
