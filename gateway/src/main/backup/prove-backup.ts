/**
 * The proof of a backup. It reads the serving ledger, waits until the archive has the log up to there, and restores the newest
 * backup into a scratch server. It checks all invariants there, compares the balances, and records the result. It only reads
 * the serving database until it writes the record.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { BackupProof } from '../../domain/backup/backup-proof.ts';
import type { ProofOrder } from '../../domain/backup/backups.ts';
import { awaitArchive } from '../../storage/backup/await-archive.ts';
import type { BaseBackup } from '../../storage/backup/backup-folder.ts';
import { compareBalances, readLedgerPoint } from '../../storage/backup/compare-balances.ts';
import { createProofStore } from '../../storage/backup/proof-store.ts';
import { chooseBase, restoreFiles } from '../../storage/backup/restore-files.ts';
import {
  makeScratchFolder,
  readRecoveredUntil,
  type ScratchFolder,
  startScratchServer,
} from '../../storage/backup/scratch-server.ts';
import { type Database, openDatabase } from '../../storage/core/database.ts';
import { verifyInvariants } from '../../storage/invariants/verify-invariants.ts';
import { explainFailure } from '../explain-failure.ts';
import type { BackupParts, ServerToBackUp } from './backup-parts.ts';
import { findServerPrograms, scratchParent, serverAccount } from './server-programs.ts';

type Found = Pick<
  BackupProof,
  'recoveredUntil' | 'lostMs' | 'restoredInMs' | 'invariants' | 'broken' | 'accounts' | 'differing'
>;

const NOTHING_FOUND: Found = {
  recoveredUntil: null,
  lostMs: null,
  restoredInMs: null,
  invariants: 0,
  broken: [],
  accounts: 0,
  differing: [],
};

/** Rejects only if there is no backup at all. A failed restore is a recorded result. */
export async function proveBackup(
  parts: BackupParts,
  server: ServerToBackUp,
  serving: Database,
  order: ProofOrder,
): Promise<BackupProof> {
  const { clock, random } = parts;
  const startedAt = clock.now();
  const base = await chooseBase(order.folder, null);
  const account = await serverAccount();
  const scratch = await makeScratchFolder(order.scratch ?? (await scratchParent(account)), account);
  let found = NOTHING_FOUND;
  let failure: string | null = null;
  try {
    found = await restoreAndCheck(parts, { server, serving, order, base, scratch, account, startedAt });
  } catch (error) {
    failure = explainFailure(error) ?? (error as Error).message;
  } finally {
    await rm(scratch.folder, { recursive: true, force: true });
  }
  const proof: BackupProof = {
    proofId: random.uuid(),
    backup: base.name,
    backupTakenAt: base.takenAt,
    startedAt,
    ...found,
    finishedAt: clock.now(),
    failure,
  };
  await createProofStore(serving).record(proof);
  return proof;
}

interface Proving {
  readonly server: ServerToBackUp;
  readonly serving: Database;
  readonly order: ProofOrder;
  readonly base: BaseBackup;
  readonly scratch: ScratchFolder;
  readonly account: Awaited<ReturnType<typeof serverAccount>>;
  readonly startedAt: number;
}

async function restoreAndCheck({ clock, onProgress }: BackupParts, proving: Proving): Promise<Found> {
  const { server, serving, order, base, scratch, account, startedAt } = proving;
  const programs = await findServerPrograms(base, order.programs, scratch.folder);
  const point = await readLedgerPoint(serving, startedAt);
  const readAt = clock.now();
  const archivedInMs = await awaitArchive(serving, clock);
  if (archivedInMs === undefined)
    onProgress('The WAL archive ends before the beginning of the proof. Check "gateway backup follow"');
  onProgress(`Restoring the backup ${base.name}`);
  const restoringAt = clock.now();
  await restoreFiles({ folder: order.folder, target: join(scratch.folder, scratch.data), until: null, account });
  const login = loginOf(server.connection);
  const restored = await startScratchServer({ ...scratch, programs, account, login }, clock);
  const restoredInMs = clock.now() - restoringAt;
  try {
    const { connection } = restored;
    const recoveredUntil = (await readRecoveredUntil(connection)) ?? base.takenAt;
    const database = openDatabase(connection, { poolSize: 2 });
    try {
      onProgress('Checking its invariants, and comparing its balances');
      const reports = await verifyInvariants(database);
      const balances = await compareBalances(point, serving, database);
      return {
        recoveredUntil,
        restoredInMs,
        lostMs: archivedInMs ?? Math.max(0, readAt - recoveredUntil),
        invariants: reports.length,
        broken: reports.filter(({ holds }) => !holds).map(({ name }) => name),
        ...balances,
      };
    } finally {
      await database.close();
    }
  } finally {
    await restored.stop();
  }
}

/** The scratch server admits every login of the backup, and has the same databases. */
function loginOf(connection: pg.ClientConfig): pg.ClientConfig {
  const { user, database } = new pg.Client(connection);
  return { user, ...(database === undefined ? {} : { database }) };
}
