/**
 * Releases a payout on the operator's statement that no bank has it, for banks that cannot prove this. The payout's
 * next rail sends it.
 */
import type { Clock } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type WordsRefusal, wordsFault } from '../operators/operator-words.ts';
import type { RecoveryStore } from './recovery-store.ts';

export type ReleaseFailure = WordsRefusal | { readonly kind: 'nothing_to_release' };

export type ReleasePayout = (
  key: PayoutKey,
  words: { readonly by: string; readonly evidence: string },
) => Promise<Result<'released', ReleaseFailure>>;

export function createReleasePayout(store: Pick<RecoveryStore, 'release'>, clock: Clock): ReleasePayout {
  return async (key, words) => {
    const fault = wordsFault(words);
    if (fault) return fail(fault);
    const { by, evidence } = words;
    const isReleased = await store.release(key, `${by}: ${evidence}`, clock.now());
    return isReleased ? ok('released') : fail({ kind: 'nothing_to_release' });
  };
}
