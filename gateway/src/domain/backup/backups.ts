/** The port of the commands about backups. main/ implements it over PostgreSQL's own protocol and programs. */
import type { Instant } from '../../foundation/clock.ts';
import type { BackupProof } from './backup-proof.ts';

interface BackupSummary {
  readonly name: string;
  readonly takenAt: Instant;
  /** Uncompressed. */
  readonly bytes: number;
  readonly postgresVersion: number;
}

interface TakenBackup extends BackupSummary {
  /** The names of the older base backups that were deleted. */
  readonly deleted: readonly string[];
}

export interface BackupList {
  /** Lists the oldest backup first. */
  readonly backups: readonly BackupSummary[];
  readonly log: {
    readonly segments: number;
    readonly bytes: number;
    /** When the WAL archive last grew. Null if there is no archive. */
    readonly changedAt: Instant | null;
  };
}

export interface ProofOrder {
  readonly folder: string;
  /** The folder with PostgreSQL's programs. If null, the gateway searches the default folders and its embedded PostgreSQL. */
  readonly programs: string | null;
  /** A folder with space for the entire database. If null, the gateway uses the system's folder for temporary files. */
  readonly scratch: string | null;
}

export interface Restore {
  readonly folder: string;
  /** The data directory to create. If null, the gateway creates the embedded PostgreSQL's. */
  readonly target: string | null;
  /** If null, PostgreSQL replays the entire archive. */
  readonly until: Instant | null;
}

export interface RestoredBackup {
  readonly backup: string;
  readonly target: string;
  /** Null means that PostgreSQL replays the WAL when it starts there. */
  readonly recoveredUntil: Instant | null;
}

/** Every method rejects with one sentence if the operator can fix the error. */
export interface Backups {
  /** Keeps the newest `keep` base backups, and the WAL since the oldest of them. */
  take(folder: string, keep: number | null): Promise<TakenBackup>;
  /** Archives WAL until the signal aborts. */
  follow(folder: string, signal: AbortSignal): Promise<void>;
  list(folder: string): Promise<BackupList>;
  /** Restores the newest backup into a scratch server, checks it, and records the result in the serving database. */
  prove(order: ProofOrder): Promise<BackupProof>;
  /** Returns the recorded proofs, newest first. */
  proofs(limit: number): Promise<readonly BackupProof[]>;
  restore(order: Restore): Promise<RestoredBackup>;
}
