/** Differences that a payout of ours explains by now: its merchant repeated it, and its bank said how it had ended. */
import type { Clock } from '../../foundation/clock.ts';
import { BY_ITSELF } from '../operator-words.ts';
import type { ReconciliationStore } from '../payouts/reconciliation-store.ts';
import type { RecoveryStore } from './recovery-store.ts';

export interface AccountForStrangersParts {
  readonly reconciliations: Pick<ReconciliationStore, 'differences' | 'findKnown' | 'resolve'>;
  readonly recoveries: Pick<RecoveryStore, 'account'>;
  readonly clock: Clock;
}

export async function accountForStrangers({
  reconciliations,
  recoveries,
  clock,
}: AccountForStrangersParts): Promise<void> {
  const open = await reconciliations.differences({ rail: null, day: null, openOnly: true });
  const missing = open.filter(({ kind }) => kind === 'missing_here');
  for (const [rail, differences] of Map.groupBy(missing, (difference) => difference.rail)) {
    const known = await reconciliations.findKnown(
      rail,
      differences.map(({ subject }) => subject),
    );
    const ended = new Map(known.filter(({ payout }) => payout.state !== 'pending').map((one) => [one.reference, one]));
    for (const difference of differences) {
      const found = ended.get(difference.subject)?.payout;
      if (!found) continue;
      const words = `it is ${found.merchantId}/${found.payoutId}, which ended as ${found.state}`;
      await reconciliations.resolve(difference, BY_ITSELF, words, clock.now());
    }
    await recoveries.account(rail, [...ended.keys()]);
  }
}
