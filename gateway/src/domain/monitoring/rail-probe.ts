/** The port for proving a rail's credentials. A rail without one has no read that its provider answers to clients only. */
import type { Deadline } from '../../foundation/deadline.ts';
import type { PayoutOrder } from '../payouts/payout-rail.ts';

export interface RailProbe {
  readonly rail: string;
  /** Null: the provider answered; otherwise the reason. `unsent` makes a payout of a method that was never sent. Never throws. */
  read(unsent: (method: number) => PayoutOrder, deadline: Deadline): Promise<string | null>;
}
