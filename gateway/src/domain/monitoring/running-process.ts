/** The running processes of the gateway, each with its configured rails. */
import { type Instant, SECOND_MS } from '../../foundation/clock.ts';
import type { PayoutPurpose } from '../methods/payout-purpose.ts';

export interface RailSummary {
  readonly name: string;
  readonly methods: readonly number[];
  /** The purposes of its payouts: merchants' payouts, returns or refunds. */
  readonly purposes: readonly PayoutPurpose[];
  readonly simulated: boolean;
  /** True if the gateway accepts the bank's notifications for this rail. */
  readonly notifies: boolean;
}

export interface RunningProcess {
  readonly processId: string;
  /** The process's role: all, api, worker or manage. */
  readonly role: string;
  readonly version: string;
  readonly host: string;
  /** Every rail whose variables the process has, including those for payments only. */
  readonly rails: readonly string[];
  readonly sendingRails: readonly RailSummary[];
  readonly since: Instant;
  readonly seenAt: Instant;
}

/** How often a process writes its row, and how long the row is valid. */
export const PROCESS_SEEN_EVERY_MS = 10 * SECOND_MS;
export const PROCESS_COUNTS_FOR_MS = 3 * PROCESS_SEEN_EVERY_MS;

/** Returns the distinct rails of all processes. */
export function railsOf(processes: readonly Pick<RunningProcess, 'sendingRails'>[]): readonly RailSummary[] {
  return [...new Map(processes.flatMap(({ sendingRails }) => sendingRails).map((rail) => [rail.name, rail])).values()];
}
