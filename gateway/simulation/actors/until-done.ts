/** A person who repeats a command of the gateway that failed, until the gateway answers. */
import { SECOND_MS } from '../../src/foundation/clock.ts';
import type { World } from '../world.ts';

export interface PersonParts {
  readonly world: World;
  readonly violated: (what: string) => void;
}

const AGAIN_AFTER_MS = 20 * SECOND_MS;
/** For an hour: longer than a storm and than an absence of the database. */
const MOST_FAILURES = 180;

/** No outage is long enough for so many failures. */
export async function untilDone(parts: PersonParts, command: () => Promise<unknown>, failures = 0): Promise<void> {
  const { world, violated } = parts;
  await command().catch((error: unknown) => {
    if (failures >= MOST_FAILURES) return violated(`a command of the operator fails: ${String(error)}`);
    world.after(AGAIN_AFTER_MS, () => void untilDone(parts, command, failures + 1));
  });
}
