/** The guard that stops the work of a process whose clock differs from the database's. */
import { readClockDifference } from '../../storage/core/connection/clock-difference.ts';
import { createClockGuard } from '../../worker/clock-guard.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { GatewayCore } from './gateway-core.ts';

export function guardClock(
  { database, clock, clockIsSteered, outside }: GatewayCore,
  { onProblem }: Hooks,
): () => Promise<boolean> {
  if (clockIsSteered) return async () => true;
  const clockDifference = () => readClockDifference(database, clock);
  return createClockGuard({ clock, steadyMs: outside.steadyMs, clockDifference, onProblem });
}
