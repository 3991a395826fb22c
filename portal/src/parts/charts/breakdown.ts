/** Volumes by rail or method for charts: the largest groups by name, and the others together. */
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';

export type Split = 'rail' | 'method';

export interface Group {
  /** Null for the group "Other". */
  readonly key: string | null;
  readonly volumes: readonly Volume[];
}

/** More colours than this are hard to distinguish. */
const MOST = 5;

/** Returns the groups, those with the most payments first. */
export function groupsOf(volumes: readonly Volume[], split: Split): readonly Group[] {
  const groups = [...Map.groupBy(volumes, (volume) => volume[split])]
    .map(([key, its]) => ({ key, volumes: its, payments: its.reduce((sum, { payments }) => sum + payments, 0) }))
    .sort((one, other) => other.payments - one.payments || one.key.localeCompare(other.key));
  const named = groups.slice(0, groups.length > MOST + 1 ? MOST : MOST + 1);
  const rest = groups.slice(named.length).flatMap((group) => group.volumes);
  const others = rest.length > 0 ? [{ key: null, volumes: rest }] : [];
  return [...named.map(({ key, volumes: its }) => ({ key, volumes: its })), ...others];
}

export interface Share {
  /** A time. Infinity means above the last bucket. */
  readonly withinMs: number;
  readonly payments: number;
}

/** Returns the results by bucket of their wait, without empty buckets. */
export function sharesOf(volumes: readonly Volume[], bucketsMs: readonly number[]): readonly Share[] {
  return [...bucketsMs, Number.POSITIVE_INFINITY]
    .map((withinMs, index) => ({
      withinMs,
      payments: volumes.reduce((sum, { waits }) => sum + (waits[index] ?? 0), 0),
    }))
    .filter(({ payments }) => payments > 0);
}

/** Returns the end of the bucket within which that fraction of the results arrived, or null without results. */
export function endedWithin(shares: readonly Share[], part: number): number | null {
  const wanted = part * shares.reduce((sum, { payments }) => sum + payments, 0);
  let ended = 0;
  for (const { withinMs, payments } of shares) {
    ended += payments;
    if (ended >= wanted) return withinMs;
  }
  return null;
}
