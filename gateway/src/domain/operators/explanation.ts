/** Why something waits, for whoever asks: one shape for payouts and callbacks, for the CLI and for later screens. */
import type { Instant } from '../../foundation/clock.ts';

export interface Explanation<Reason extends string> {
  readonly reason: Reason;
  readonly waitsFor: string;
  readonly since: Instant;
  readonly next: string;
  /** Null: not before somebody acts. */
  readonly nextAt: Instant | null;
  readonly merchantCan: string;
  /** What the last step met; empty when nothing is worth saying. */
  readonly note: string;
}
