/**
 * Collects the uncovered part of a refund or chargeback once the money may be available again, for example after a failed
 * refund or return. It may run at any time, even concurrently.
 */
import type { Clock } from '../../../foundation/clock.ts';
import type { AdjustmentComposer } from '../../deposits/deposit-callbacks.ts';
import type { MerchantDirectory } from '../../merchants/merchant-directory.ts';
import type { AdjustmentKey, AdjustmentStore } from './adjustment-store.ts';
import { atMoneyHolders } from './money-holders.ts';
import { planRest } from './plan-adjustment.ts';

interface CollectExcessParts {
  readonly store: Pick<AdjustmentStore, 'findPlaces' | 'findShort' | 'postRest'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly compose: AdjustmentComposer;
  readonly clock: Clock;
  /** Called after each commit that moved money. */
  readonly onCovered: (about: AdjustmentKey) => void;
}

const AT_ONCE = 100;

/** Reads every short adjustment page by page, so that one that must wait does not delay the others. */
export async function collectExcess(parts: CollectExcessParts, signal: AbortSignal): Promise<void> {
  let after: AdjustmentKey | null = null;
  do {
    const page: readonly AdjustmentKey[] = await parts.store.findShort(after, AT_ONCE);
    for (const key of page) {
      if (signal.aborted) return;
      await collectOne(parts, key);
    }
    after = page.length === AT_ONCE ? (page.at(-1) ?? null) : null;
  } while (after !== null);
}

async function collectOne(
  { store, merchants, compose, clock, onCovered }: CollectExcessParts,
  key: AdjustmentKey,
): Promise<void> {
  const at = clock.now();
  const outcome = await atMoneyHolders({ store, merchants }, key, (places, known) =>
    store.postRest({
      ...key,
      at,
      places,
      plan: (facts) => planRest(facts, { merchants: known, compose, at, actor: 'gateway' }),
    }),
  );
  if (outcome.kind === 'covered') onCovered(key);
}
