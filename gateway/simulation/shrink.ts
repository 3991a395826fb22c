/** Makes a failing plan shorter while it still fails: fewer episodes, then fewer acts, then fewer payments. */
import type { Act, Plan } from './plan.ts';

interface ShrinkLimits {
  readonly trials: number;
  readonly onShorter: (plan: Plan) => void;
}

type Fails = (plan: Plan) => Promise<boolean>;

export async function shrinkPlan(plan: Plan, fails: Fails, { trials, onShorter }: ShrinkLimits): Promise<Plan> {
  let best = plan;
  let left = trials;
  async function tryOne(shorter: Plan): Promise<boolean> {
    if (left <= 0) return false;
    left -= 1;
    if (!(await fails(shorter))) return false;
    best = shorter;
    onShorter(shorter);
    return true;
  }
  const last = best.episodes.at(-1);
  if (last) await tryOne({ ...best, episodes: [last] });
  await removeParts(
    () => best.episodes,
    (episodes) => tryOne({ ...best, episodes }),
  );
  for (const index of best.episodes.keys()) {
    const withActs = (acts: readonly Act[]) => ({
      ...best,
      episodes: best.episodes.map((episode, place) => (place === index ? { ...episode, acts } : episode)),
    });
    const actsNow = () => best.episodes[index]?.acts ?? [];
    await removeParts(actsNow, (acts) => tryOne(withActs(acts)));
    for (const place of actsNow().keys())
      for (let acts = halved(actsNow(), place); acts && (await tryOne(withActs(acts))); )
        acts = halved(actsNow(), place);
  }
  return best;
}

/** Removes halves, then quarters, and so on, as long as the rest still fails. */
async function removeParts<Part>(
  partsNow: () => readonly Part[],
  keepOnly: (parts: readonly Part[]) => Promise<boolean>,
): Promise<void> {
  for (let size = Math.ceil(partsNow().length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let first = 0; first < partsNow().length; ) {
      const parts = partsNow();
      const rest = [...parts.slice(0, first), ...parts.slice(first + size)];
      if (rest.length === 0 || !(await keepOnly(rest))) first += size;
    }
}

/** Undefined: the act has no count that can be halved. */
function halved(acts: readonly Act[], place: number): readonly Act[] | undefined {
  const act = acts[place];
  if (!act || !('count' in act) || act.count <= 1) return undefined;
  return acts.with(place, { ...act, count: Math.ceil(act.count / 2) });
}
