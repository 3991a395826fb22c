/** Shortens a failing plan while it still fails: fewer episodes, then fewer operations, then fewer payments. */
import type { Operation, Plan } from './plan.ts';

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
    const withOperations = (operations: readonly Operation[]) => ({
      ...best,
      episodes: best.episodes.map((episode, place) => (place === index ? { ...episode, operations } : episode)),
    });
    const operationsNow = () => best.episodes[index]?.operations ?? [];
    await removeParts(operationsNow, (operations) => tryOne(withOperations(operations)));
    for (const place of operationsNow().keys())
      for (let operations = halved(operationsNow(), place); operations && (await tryOne(withOperations(operations))); )
        operations = halved(operationsNow(), place);
  }
  return best;
}

/** Removes halves, then quarters and so on, as long as the remaining plan still fails. */
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

/** Returns undefined if the operation has no count to halve. */
function halved(operations: readonly Operation[], place: number): readonly Operation[] | undefined {
  const operation = operations[place];
  if (!operation || !('count' in operation) || operation.count <= 1) return undefined;
  return operations.with(place, { ...operation, count: Math.ceil(operation.count / 2) });
}
