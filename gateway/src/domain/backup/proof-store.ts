/** The port for the proofs of backups. */
import type { BackupProof } from './backup-proof.ts';

export interface ProofStore {
  record(proof: BackupProof): Promise<void>;
  /** Returns the newest proofs first. */
  list(limit: number): Promise<readonly BackupProof[]>;
}
