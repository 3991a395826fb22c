/** The note of a held payout, for the operator's page, the attempt and the alert. */
import type { Instant } from '../../foundation/clock.ts';
import type { Pause } from '../routing/pause-store.ts';
import type { HoldReason } from './hold-reasons.ts';

export interface HeldPayout {
  readonly rail: string;
  readonly seal?: Buffer | null;
  readonly pause: Pause | undefined;
  readonly closedUntil: Instant | undefined;
}

export const HOLD_NOTES: Readonly<Record<HoldReason, (held: HeldPayout) => string>> = {
  query_would_send: ({ rail }) => `a query to ${rail} would send it: release it, or complete its rail`,
  recovering: () => 'no bank has received it; it is sent once the recovery of its rail is completed',
  seal_broken: ({ seal }) => (seal === null ? 'its row has no seal' : 'its row differs from the accepted payout'),
  paused: ({ pause }) => `${pause?.scope} ${pause?.target} is paused`,
  rail_down: () => 'the bank keeps failing',
  closed: ({ closedUntil }) => `closed until ${new Date(closedUntil ?? 0).toISOString()}`,
};
