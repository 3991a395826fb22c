/** Explains why a payout or callback waits. One shape serves the CLI and later screens. */
import type { Instant } from '../../foundation/clock.ts';

export interface Explanation<Reason extends string> {
  readonly reason: Reason;
  readonly waitsFor: string;
  readonly since: Instant;
  readonly next: string;
  /** Null: nothing happens until a person acts. */
  readonly nextAt: Instant | null;
  readonly merchantCan: string;
  /** The result of the last step; empty if there is nothing to say. */
  readonly note: string;
}
