/**
 * Takes what a provider took back of a payment and found no money left for, such as while a refund or a return was in flight.
 * Runs once the money may be there again. Safe to run at any time.
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

/** Reads every short adjustment, page by page, so that one which can't be taken yet does not hold up the others. */
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
