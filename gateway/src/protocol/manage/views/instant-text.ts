/** Instants as the management API writes them. */
import type { Instant } from '../../../foundation/clock.ts';

/** Formats an instant in ISO 8601, UTC. */
export function instantText(instant: Instant): string {
  return new Date(instant).toISOString();
}

export function instantTextOrNull(instant: Instant | null): string | null {
  return instant === null ? null : instantText(instant);
}
