/** The doctor's check of the backups: the proof of the newest backup, and how much data a loss of the server would lose. */
import type { Finding } from '../../cli/command-host.ts';
import { proofFault } from '../../domain/backup/backup-proof.ts';
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';
import { createProofStore } from '../../storage/backup/proof-store.ts';
import type { Database } from '../../storage/core/database.ts';
import type { Config } from '../config/config.ts';
import { bad, good, noted } from './doctor-finding.ts';

const NAME = 'Backups';

/** Examines the backups. A development installation needs none. */
export async function examineBackups(database: Database, config: Config, clock: Clock): Promise<Finding[]> {
  const [proof] = await createProofStore(database).list(1);
  if (!proof)
    return config.environment === 'production'
      ? [noted(NAME, 'no backup was ever proven', 'Run "gateway backup prove" every night')]
      : [];
  const fault = proofFault(proof, clock.now());
  if (fault !== undefined)
    return [bad(NAME, fault, 'Run "gateway backup proofs", and follow the runbook "A backup is not proven"')];
  const seconds = (ms: number | null) => ((ms ?? 0) / SECOND_MS).toFixed(1);
  const at = new Date(proof.startedAt).toISOString();
  return [good(NAME, `proven at ${at}: ${seconds(proof.lostMs)} s lost, restored in ${seconds(proof.restoredInMs)} s`)];
}
