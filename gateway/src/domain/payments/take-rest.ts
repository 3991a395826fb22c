/**
 * What a provider took back of a payment may find nothing to be taken from: a refund was under way, or the money was held.
 * Once there is something (the refund failed, the money was credited), it is taken here. Safe to run at any time.
 */
import type { Clock } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { AdjustmentComposer } from '../deposits/deposit-callbacks.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { AdjustmentKey, AdjustmentStore } from './adjustment-store.ts';
import { planRest } from './plan-adjustment.ts';

export interface TakeRestParts {
  readonly store: Pick<AdjustmentStore, 'findShort' | 'postRest'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly compose: AdjustmentComposer;
  readonly clock: Clock;
  /** Told after each commit in which money moved. */
  readonly onTaken: (about: AdjustmentKey) => void;
}

const AT_ONCE = 100;

export async function takeRest(parts: TakeRestParts, signal: AbortSignal): Promise<void> {
  for (const key of await parts.store.findShort(AT_ONCE)) {
    if (signal.aborted) return;
    const found = await parts.merchants.find(key.merchantId);
    invariant(found, 'an adjustment of a merchant that does not exist');
    const { merchant } = found;
    const at = parts.clock.now();
    const planning = { merchant, compose: parts.compose, at, actor: 'gateway' };
    if (await parts.store.postRest({ ...key, at, plan: (facts) => planRest(facts, planning) })) parts.onTaken(key);
  }
}
