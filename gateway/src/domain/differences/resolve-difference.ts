/**
 * The operator's command that resolves a difference: it records the user and the finding. It must not move money;
 * `payout resolve` does.
 */
import type { Clock } from '../../foundation/clock.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type WordsRejection, wordsFault } from '../audit/act-words.ts';
import type { DifferenceKey } from './difference.ts';
import type { DifferenceStore } from './difference-store.ts';

type ResolveDifferenceFailure = 'no_open_difference' | WordsRejection;

interface ResolveDifferenceParts {
  readonly differences: Pick<DifferenceStore, 'resolve'>;
  readonly clock: Clock;
}

export async function resolveDifference(
  { differences, clock }: ResolveDifferenceParts,
  key: DifferenceKey,
  by: string,
  note: string,
): Promise<Result<'resolved', ResolveDifferenceFailure>> {
  const fault = wordsFault({ by, note });
  if (fault) return fail(fault);
  return (await differences.resolve(key, by, note, clock.now())) ? ok('resolved') : fail('no_open_difference');
}
