/** Implements ProofStore over PostgreSQL. */
import type { BackupProof } from '../../domain/backup/backup-proof.ts';
import type { ProofStore } from '../../domain/backup/proof-store.ts';
import type { Database } from '../core/database.ts';
import { timestamp, timestampOrNull } from '../core/parameters.ts';

const RECORD = `
insert into backup_proofs (proof_id, backup, backup_taken_at, started_at, recovered_until, lost_ms, restored_in_ms,
  finished_at, invariants, broken, accounts, differing, failure)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

const LIST = `
select proof_id as "proofId", backup, backup_taken_at as "backupTakenAt", started_at as "startedAt",
  recovered_until as "recoveredUntil", lost_ms::float8 as "lostMs", restored_in_ms::float8 as "restoredInMs",
  finished_at as "finishedAt", invariants, broken, accounts, differing, failure
from backup_proofs order by started_at desc limit $1`;

export function createProofStore(database: Pick<Database, 'query'>): ProofStore {
  return {
    async record(proof) {
      const { proofId, backup, backupTakenAt, startedAt, recoveredUntil, lostMs, restoredInMs, finishedAt } = proof;
      const times = [timestamp(backupTakenAt), timestamp(startedAt), timestampOrNull(recoveredUntil)];
      const found = [proof.invariants, proof.broken, proof.accounts, proof.differing, proof.failure];
      await database.query(RECORD, [proofId, backup, ...times, lostMs, restoredInMs, timestamp(finishedAt), ...found]);
    },
    list: (limit) => database.query<BackupProof>(LIST, [limit]),
  };
}
