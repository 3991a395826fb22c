/** A user who repeats a failed command until the gateway responds. */
import { type Instant, SECOND_MS } from '../../src/foundation/clock.ts';
import type { World } from '../world/world.ts';

export interface PersonParts {
  readonly world: World;
  readonly violated: (what: string) => void;
}

const AGAIN_AFTER_MS = 20 * SECOND_MS;
/** An hour of attempts. No network fault burst or database outage lasts that long. */
const MOST_FAILURES = 180;

/** Repeats the command until it succeeds. More failures than an outage can cause are a violation. */
export function untilDone(parts: PersonParts, command: () => Promise<unknown>): Promise<void> {
  return repeat(parts, command, parts.world.now(), 0);
}

/** Drops a command that was issued before a restore, because it may have had effects outside the database. */
async function repeat(
  parts: PersonParts,
  command: () => Promise<unknown>,
  since: Instant,
  failures: number,
): Promise<void> {
  const { world, violated } = parts;
  await command().catch((error: unknown) => {
    if (world.restoredAt > since) return;
    if (failures >= MOST_FAILURES) return violated(`a command of the operator fails: ${String(error)}`);
    world.after(AGAIN_AFTER_MS, () => void repeat(parts, command, since, failures + 1));
  });
}
