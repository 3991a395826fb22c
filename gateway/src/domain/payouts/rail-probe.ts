/** The port for proving a rail's credentials. A rail without one has no read that its provider serves to clients only. */
import type { Deadline } from '../../foundation/deadline.ts';
import type { PayoutOrder } from './payout-rail.ts';

export interface RailProbe {
  readonly rail: string;
  /**
   * Resolves to null if the provider responded, otherwise to the reason. Never throws. `unsent` makes a payout that was never
   * sent.
   */
  read(unsent: (method: number) => PayoutOrder, deadline: Deadline): Promise<string | null>;
}
