/** Resolves differences that a payout of ours now explains: a repeated payout whose final state its bank reported. */
import type { Clock } from '../../foundation/clock.ts';
import { BY_ITSELF } from '../audit/act-words.ts';
import type { DifferenceStore } from '../differences/difference-store.ts';
import type { RecoveryStore } from '../recovery/recovery-store.ts';
import type { ReconciliationStore } from './reconciliation-store.ts';

interface ResolveUnmatchedParts {
  readonly reconciliations: Pick<ReconciliationStore, 'findKnown'>;
  readonly differences: Pick<DifferenceStore, 'list' | 'resolve'>;
  readonly recoveries: Pick<RecoveryStore, 'account'>;
  readonly clock: Clock;
}

export async function resolveUnmatched({
  reconciliations,
  differences: store,
  recoveries,
  clock,
}: ResolveUnmatchedParts): Promise<void> {
  const missing = await store.list({ rail: null, day: null, kind: 'missing_here', openOnly: true });
  for (const [rail, differences] of Map.groupBy(missing, (difference) => difference.rail)) {
    const subjects = differences.map(({ subject }) => subject);
    const known = await reconciliations.findKnown(rail, subjects);
    const ended = new Map(known.filter(({ payout }) => payout.state !== 'pending').map((one) => [one.reference, one]));
    for (const difference of differences) {
      const found = ended.get(difference.subject)?.payout;
      if (!found) continue;
      const words = `it is ${found.merchantId}/${found.payoutId}, whose final state is ${found.state}`;
      await store.resolve(difference, BY_ITSELF, words, clock.now());
    }
    await recoveries.account(rail, [...ended.keys()]);
  }
}
