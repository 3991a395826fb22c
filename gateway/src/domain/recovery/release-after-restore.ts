/**
 * Releases a payout on the operator's statement that no bank has it, for banks that cannot prove this. The gateway queries
 * each bank once more, and releases nothing that a bank has. The payout's next rail sends it. The directory gets the reference
 * that it would have at each rail: a bank that has it after all then contradicts the release, in a notification or on a list.
 */

import type { Clock } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type WordsRejection, wordsFault } from '../audit/act-words.ts';
import type { RecoveryStore, ReleaseWords } from './recovery-store.ts';

export type ReleaseFailure =
  | WordsRejection
  | { readonly kind: 'nothing_to_release' }
  | { readonly kind: 'bank_has_it'; readonly rail: string };

interface ReleasePayoutParts {
  readonly store: Pick<RecoveryStore, 'release'>;
  readonly rails: readonly { readonly name: string }[];
  readonly referenceOf: (payout: PayoutKey & { readonly rail: string }) => string;
  /** Queries the banks. Returns a rail whose bank reports that it has the payout. A bank without a response proves nothing. */
  readonly holderOf: (payout: PayoutKey) => Promise<string | undefined>;
  readonly clock: Clock;
}

export async function releaseAfterRestore(
  { store, rails, referenceOf, holderOf, clock }: ReleasePayoutParts,
  key: PayoutKey,
  words: ReleaseWords,
): Promise<Result<'released', ReleaseFailure>> {
  const fault = wordsFault(words);
  if (fault) return fail(fault);
  const holder = await holderOf(key);
  if (holder !== undefined) return fail({ kind: 'bank_has_it', rail: holder });
  const references = rails.map(({ name: rail }) => ({ rail, reference: referenceOf({ ...key, rail }) }));
  const isReleased = await store.release(key, references, words, clock.now());
  return isReleased ? ok('released') : fail({ kind: 'nothing_to_release' });
}
