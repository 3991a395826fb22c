/**
 * What a provider took back of a payment may find nothing to be taken from: a refund or a return was under way. Once there is
 * something, it is taken here. Safe to run at any time.
 */
import type { Clock } from '../../foundation/clock.ts';
import type { AdjustmentComposer } from '../deposits/deposit-callbacks.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { AdjustmentKey, AdjustmentStore } from './adjustment-store.ts';
import { atItsPlaces } from './at-its-places.ts';
import { planRest } from './plan-adjustment.ts';

export interface TakeRestParts {
  readonly store: Pick<AdjustmentStore, 'findPlaces' | 'findShort' | 'postRest'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly compose: AdjustmentComposer;
  readonly clock: Clock;
  /** Told after each commit in which money moved. */
  readonly onTaken: (about: AdjustmentKey) => void;
}

const AT_ONCE = 100;

/** What can't be taken yet stands in nobody's way: all that is short is looked at, page by page. */
export async function takeRest(parts: TakeRestParts, signal: AbortSignal): Promise<void> {
  let after: AdjustmentKey | null = null;
  do {
    const page: readonly AdjustmentKey[] = await parts.store.findShort(after, AT_ONCE);
    for (const key of page) {
      if (signal.aborted) return;
      await takeOne(parts, key);
    }
    after = page.length === AT_ONCE ? (page.at(-1) ?? null) : null;
  } while (after !== null);
}

async function takeOne(
  { store, merchants, compose, clock, onTaken }: TakeRestParts,
  key: AdjustmentKey,
): Promise<void> {
  const at = clock.now();
  const outcome = await atItsPlaces({ store, merchants }, key, (places, known) =>
    store.postRest({
      ...key,
      at,
      places,
      plan: (facts) => planRest(facts, { merchants: known, compose, at, actor: 'gateway' }),
    }),
  );
  if (outcome.kind === 'taken') onTaken(key);
}
