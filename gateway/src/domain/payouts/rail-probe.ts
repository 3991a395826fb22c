/** The port for testing a rail's credentials. A rail lacks it if its provider has no read that only clients may use. */
import type { Deadline } from '../../foundation/deadline.ts';
import type { PayoutOrder } from './payout-rail.ts';

export interface RailProbe {
  readonly rail: string;
  /** Resolves to null if the provider responded, otherwise to the reason. Never throws. `unsent` makes an unsent payout. */
  read(unsent: (method: number) => PayoutOrder, deadline: Deadline): Promise<string | null>;
}
