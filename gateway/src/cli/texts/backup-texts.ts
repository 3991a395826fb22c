/** Backups and their proofs as text. */
import { type BackupProof, isProven } from '../../domain/backup/backup-proof.ts';
import type { BackupList } from '../../domain/backup/backups.ts';
import { SECOND_MS } from '../../foundation/clock.ts';
import { formatTable, humanTime, jsonTime, tick } from '../command-output.ts';

const MEGABYTE = 1_000_000;

export function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

function seconds(ms: number | null): string {
  return ms === null ? '–' : `${(ms / SECOND_MS).toFixed(1)} s`;
}

export function listText({ backups, log }: BackupList): string {
  const rows = backups.map(({ name, takenAt, bytes, postgresVersion }) => [
    name,
    humanTime(takenAt),
    megabytes(bytes),
    String(postgresVersion),
  ]);
  const archive =
    log.changedAt === null
      ? 'The WAL is not archived. Run "gateway backup follow".'
      : `Archived WAL: ${log.segments} segments, ${megabytes(log.bytes)}, last written at ${humanTime(log.changedAt)}.`;
  return `${formatTable(['BACKUP', 'TAKEN', 'SIZE', 'POSTGRESQL'], rows, 'No base backup was taken.')}\n${archive}`;
}

export function proofText(proof: BackupProof): string {
  const { backup, failure, lostMs, restoredInMs, invariants, broken, accounts, differing } = proof;
  if (failure !== null) return `✗ The backup ${backup} cannot be restored: ${failure}`;
  return [
    `${tick(isProven(proof))} The backup ${backup} was restored in ${seconds(restoredInMs)} and lost ${seconds(lostMs)}.`,
    `${tick(broken.length === 0)} ${invariants} invariants checked${listed(broken)}`,
    `${tick(differing.length === 0)} ${accounts} balances compared with the serving database${listed(differing)}`,
  ].join('\n');
}

function listed(faults: readonly string[]): string {
  return faults.length === 0 ? '.' : `:${faults.map((fault) => `\n    ${fault}`).join('')}`;
}

export function proofTable(proofs: readonly BackupProof[]): string {
  const rows = proofs.map((proof) => [
    humanTime(proof.startedAt),
    proof.backup,
    isProven(proof) ? 'proven' : 'failed',
    seconds(proof.lostMs),
    seconds(proof.restoredInMs),
    proof.failure ?? [...proof.broken, ...proof.differing].join(', '),
  ]);
  return formatTable(['STARTED', 'BACKUP', 'RESULT', 'LOST', 'RESTORED IN', 'FAULTS'], rows, 'No backup was proven.');
}

export function proofJson(proof: BackupProof) {
  return {
    ...proof,
    proven: isProven(proof),
    backupTakenAt: jsonTime(proof.backupTakenAt),
    startedAt: jsonTime(proof.startedAt),
    recoveredUntil: jsonTime(proof.recoveredUntil),
    finishedAt: jsonTime(proof.finishedAt),
  };
}
