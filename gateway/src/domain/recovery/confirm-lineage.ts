/**
 * The operator states that the database lost no commit although its lineage is new: after a planned failover, a move to
 * another server or an upgrade of PostgreSQL while no worker ran. Workers then send payouts immediately.
 */
import type { Clock } from '../../foundation/clock.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type WordsRejection, wordsFault } from '../audit/act-words.ts';
import type { LineageStore } from './lineage-store.ts';

interface ConfirmLineageParts {
  readonly lineages: LineageStore;
  readonly clock: Clock;
}

export async function confirmLineage(
  { lineages, clock }: ConfirmLineageParts,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<Result<'confirmed' | 'known_already', WordsRejection>> {
  const fault = wordsFault({ by, reason });
  if (fault) return fail(fault);
  const { current, isKnown } = await lineages.read();
  if (current === null || isKnown) return ok('known_already');
  await lineages.confirm({ lineage: current, at: clock.now(), by, reason });
  return ok('confirmed');
}
