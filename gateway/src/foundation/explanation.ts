/** Why a payment or a callback waits. The contract has the messages of each reason. */
import type { Instant } from './clock.ts';

export interface Explanation<Reason extends string, Facts> {
  readonly reason: Reason;
  /** The facts that the messages mention. */
  readonly facts: Facts;
  readonly since: Instant;
  /** When the gateway acts next. Null if nothing happens until a user acts. */
  readonly nextAt: Instant | null;
  /** The result of the last step. Empty if there is nothing to say. */
  readonly note: string;
}
