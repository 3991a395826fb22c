/**
 * The operator declares that the database was restored from a backup. From then on the gateway is recovering, in every process
 * that starts. The gateway skips all numbers that the recovery window may have used.
 */

import { type Clock, DAY_MS, type Instant } from '../../foundation/clock.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type WordsRejection, wordsFault } from '../audit/act-words.ts';
import type { LineageStore } from './lineage-store.ts';
import { stillAsks } from './recovery.ts';
import type { NewRecovery, RecoveryStore, SkippedNumbers } from './recovery-store.ts';

interface BeginRecoveryParts {
  readonly store: Pick<RecoveryStore, 'latest' | 'examine' | 'skipNumbers' | 'begin'>;
  readonly lineages: LineageStore;
  readonly clock: Clock;
  /** False if the clocks of this machine and the database differ too much. Every later proof relies on the recorded start time. */
  readonly clockIsRight: () => Promise<boolean>;
}

export interface RestoreReport {
  readonly by: string;
  readonly reason: string;
  /** The start of the recovery window. If null, it is the latest heartbeat in the database. */
  readonly knownUntil: Instant | null;
  readonly skip: SkippedNumbers;
}

export type BeginRecoveryFailure =
  | WordsRejection
  /** PostgreSQL is still replaying its WAL, or is a standby. */
  | { readonly kind: 'database_replays' }
  | { readonly kind: 'clock_is_off' }
  | { readonly kind: 'known_until_in_future' };

/** A thousand blocks of a million, far more than any backup can lack. */
export const SKIPPED_NUMBERS: SkippedNumbers = { transactionIds: 1_024_000_000, addresses: 64_000 };

/** The recovery window if the database contains no heartbeat. */
const UNKNOWN_PERIOD_MS = 1 * DAY_MS;

export async function beginRecovery(
  { store, lineages, clock, clockIsRight }: BeginRecoveryParts,
  { by, reason, skip, knownUntil: said }: RestoreReport,
): Promise<Result<NewRecovery, BeginRecoveryFailure>> {
  const fault = wordsFault({ by, reason });
  if (fault) return fail(fault);
  const { isReplaying, knownUntil: found } = await store.examine();
  if (isReplaying) return fail({ kind: 'database_replays' });
  if (!(await clockIsRight())) return fail({ kind: 'clock_is_off' });
  const startedAt = clock.now();
  if (said !== null && said > startedAt) return fail({ kind: 'known_until_in_future' });
  const earlier = await store.latest();
  const knownUntil = Math.min(
    startedAt,
    said ?? found ?? startedAt - UNKNOWN_PERIOD_MS,
    // The recovery window of an unfinished recovery, or of one whose banks are still queried, stays in doubt.
    earlier && stillAsks(earlier, startedAt) ? earlier.knownUntil : startedAt,
  );
  // Skips first, so that after a crash in between the operator can repeat the command. Numbers are plentiful.
  await store.skipNumbers(skip);
  const recovery = { startedAt, knownUntil, startedBy: by, reason };
  await store.begin(recovery);
  // Begin the recovery before confirming the lineage, so that no worker finds a known lineage without a recovery.
  const { current, isKnown } = await lineages.read();
  if (current !== null && !isKnown) await lineages.confirm({ lineage: current, at: startedAt, by, reason });
  return ok(recovery);
}
