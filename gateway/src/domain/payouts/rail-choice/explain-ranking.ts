/** Why a payout uses its rail, for its history: the first rail and the reason, the next rails, and the excluded rails. */
import type { Route } from '../../routing/route-store.ts';
import type { HistoryReason, RailObstacle } from '../history-reason.ts';

/** Why a rail is held back. */
export type HeldBack = 'paused' | 'closed';

interface Circumstances {
  readonly hasRoutes: boolean;
  readonly ordered: readonly Route[];
  readonly heldBack: (rail: string) => HeldBack | undefined;
}

export function explainRanking(
  ranked: readonly Route[],
  obstacles: readonly RailObstacle[],
  { hasRoutes, ordered, heldBack }: Circumstances,
): readonly HistoryReason[] {
  const [first, ...rest] = ranked;
  if (!first) return [['no_rail'], ...obstacles];
  const passed = ordered.slice(0, ordered.indexOf(first)).flatMap(({ rail }): HistoryReason[] => {
    const held = heldBack(rail);
    return held === undefined ? [] : [[held, rail]];
  });
  const others: HistoryReason[] = rest.length > 0 ? [['others', ...rest.map(({ rail }) => rail)]] : [];
  return [reasonFor(first, ranked, hasRoutes), ...passed, ...others, ...obstacles];
}

function reasonFor({ rail, rank, weight }: Route, ranked: readonly Route[], hasRoutes: boolean): HistoryReason {
  if (ranked.length === 1) return [hasRoutes ? 'only_route' : 'only_rail', rail];
  if (!hasRoutes) return ['first_rail', rail];
  const beside = ranked.filter((route) => route.rank === rank);
  if (beside.length === 1) return ['first_rank', rail];
  return weight === null ? ['cheapest', rail] : ['drawn', rail, String(weight), String(totalWeight(beside))];
}

export function totalWeight(routes: readonly Route[]): number {
  return routes.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
}
