/** Runs every statement about backup proofs. */

import { createProofStore } from '../../src/storage/backup/proof-store.ts';
import type { Database } from '../../src/storage/core/database.ts';

export async function exerciseProofs(database: Database, at: number): Promise<void> {
  const proofs = createProofStore(database);
  await proofs.record({
    proofId: 'p1',
    backup: 'b1',
    backupTakenAt: at,
    startedAt: at,
    finishedAt: at,
    recoveredUntil: at,
    lostMs: 1,
    restoredInMs: 1,
    invariants: 1,
    broken: [],
    accounts: 1,
    differing: [],
    failure: null,
  });
  await proofs.list(1);
}
