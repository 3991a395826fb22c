/**
 * The proof of a backup: the gateway restores it into a scratch server, checks the books there, and compares them with the
 * serving database.
 */
import { DAY_MS, type Instant } from '../../foundation/clock.ts';

export interface BackupProof {
  readonly proofId: string;
  /** The name of the base backup. */
  readonly backup: string;
  readonly backupTakenAt: Instant;
  readonly startedAt: Instant;
  /** The time of the newest restored transaction. Null if the restore failed. */
  readonly recoveredUntil: Instant | null;
  /** The recovery point: how much data would have been lost if the server had failed at the start of the proof. */
  readonly lostMs: number | null;
  /** The recovery time: until the restored server accepted connections. */
  readonly restoredInMs: number | null;
  readonly finishedAt: Instant;
  readonly invariants: number;
  readonly broken: readonly string[];
  readonly accounts: number;
  /** The first lost or changed transfers, and the first accounts whose balances differ from the serving database. */
  readonly differing: readonly string[];
  /** The reason why the proof did not complete. Null if it did, whatever its result. */
  readonly failure: string | null;
}

export function isProven({ failure, broken, differing }: BackupProof): boolean {
  return failure === null && broken.length === 0 && differing.length === 0;
}

/** A nightly proof may take some hours, and may fail once. */
export const PROOF_COUNTS_FOR_MS = 2 * DAY_MS;

/** Returns the reason why the newest proof is insufficient, or undefined if it is sufficient. */
export function proofFault(proof: BackupProof, now: Instant): string | undefined {
  const at = new Date(proof.startedAt).toISOString();
  if (proof.failure !== null) return `the backup ${proof.backup} could not be restored at ${at}`;
  if (!isProven(proof)) return `the books of the backup ${proof.backup} did not balance at ${at}`;
  return now - proof.startedAt > PROOF_COUNTS_FOR_MS ? `the newest proof is from ${at}` : undefined;
}
