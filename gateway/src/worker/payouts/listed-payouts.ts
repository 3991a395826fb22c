/**
 * Finds payouts that a provider listed while the database did not know them: a restore forgot them, and their merchants repeat
 * them. No rail sends such a payout. The rail whose provider listed it asks that provider (decision record 55). Nothing here
 * changes a payout.
 */
import type { Payout } from '../../domain/payouts/payout.ts';
import type { ClaimedPayout } from '../../domain/payouts/payout-job-store.ts';
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import type { RailReference } from '../../domain/recovery/recovery-store.ts';
import type { SendPayoutJobParts } from './send-payout-job.ts';

export interface ListedPayoutsParts extends Pick<SendPayoutJobParts, 'referenceOf'> {
  /** The rails whose providers may list the payout. The merchant may repeat it with another method, so any rail may. */
  readonly mayBeListedAt: (payout: Payout) => readonly Pick<PayoutRail, 'name'>[];
  /** The subset of these references that a provider listed while no payout had them. */
  readonly unaccounted: (references: readonly RailReference[]) => Promise<readonly RailReference[]>;
}

/** Maps each payout that a provider listed to that provider's rail. All other payouts are absent. */
export async function findHolders(
  { mayBeListedAt, referenceOf, unaccounted }: ListedPayoutsParts,
  claims: readonly ClaimedPayout[],
): Promise<ReadonlyMap<ClaimedPayout, string>> {
  const candidates = claims.flatMap((claim) => {
    const { payout, reference: own } = claim;
    if (own === null) return [];
    return mayBeListedAt(payout).map(({ name: rail }) => {
      const reference = rail === payout.rail ? own : referenceOf({ ...payout, rail });
      return { claim, rail, reference };
    });
  });
  if (candidates.length === 0) return new Map();
  const listed = new Set((await unaccounted(candidates)).map(textOf));
  return new Map(candidates.filter((each) => listed.has(textOf(each))).map(({ claim, rail }) => [claim, rail]));
}

/** The name of a rail contains no space. */
function textOf({ rail, reference }: RailReference): string {
  return `${rail} ${reference}`;
}
