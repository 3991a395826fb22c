/**
 * Finds payouts that a provider listed while the database did not contain them: a restore lost them, and their merchants
 * repeat them. No rail sends such a payout. The rail whose provider listed it queries that provider (decision 55).
 */
import type { ClaimedPayout } from '../../domain/payouts/payout-job-store.ts';
import type { RailReference } from '../../domain/recovery/recovery-store.ts';
import type { RailLoopParts } from './loop-parts.ts';

type FindHoldersParts = Pick<RailLoopParts, 'mayBeListedAt' | 'referenceOf' | 'unaccounted'>;

/** Maps each payout that a provider listed to that provider's rail. All other payouts are absent. */
export async function findHolders(
  { mayBeListedAt, referenceOf, unaccounted }: FindHoldersParts,
  claims: readonly ClaimedPayout[],
): Promise<ReadonlyMap<ClaimedPayout, string>> {
  if (claims.length === 0) return new Map();
  const candidatesOf = (claim: ClaimedPayout) => {
    const { payout, reference: own } = claim;
    if (own === null) return [];
    return mayBeListedAt(payout).map(({ name: rail }) => {
      const reference = rail === payout.rail ? own : referenceOf({ ...payout, rail });
      return { claim, rail, reference };
    });
  };
  const listed = new Set((await unaccounted(() => claims.flatMap(candidatesOf))).map(textOf));
  const candidates = listed.size === 0 ? [] : claims.flatMap(candidatesOf);
  return new Map(candidates.filter((each) => listed.has(textOf(each))).map(({ claim, rail }) => [claim, rail]));
}

/** The name of a rail contains no space. */
function textOf({ rail, reference }: RailReference): string {
  return `${rail} ${reference}`;
}
