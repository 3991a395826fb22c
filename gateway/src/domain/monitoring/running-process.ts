/** The processes of the gateway that run now, each with the rails that it is configured for. */
import { type Instant, SECOND_MS } from '../../foundation/clock.ts';
import type { PayoutPurpose } from '../methods/payout-purpose.ts';

export interface RailSummary {
  readonly name: string;
  readonly methods: readonly number[];
  /** The purposes of its payouts: merchants' payouts, returns or refunds. */
  readonly purposes: readonly PayoutPurpose[];
  readonly simulated: boolean;
  /** True when the gateway accepts the bank's notifications for this rail. */
  readonly notifies: boolean;
}

export interface RunningProcess {
  readonly processId: string;
  /** all, api, worker or manage. */
  readonly role: string;
  readonly version: string;
  readonly host: string;
  /** Every rail whose variables the process has, also those of payments only. */
  readonly rails: readonly string[];
  readonly sendingRails: readonly RailSummary[];
  readonly since: Instant;
  readonly seenAt: Instant;
}

export interface ProcessStore {
  /** Writes the row of the process, and deletes the rows of those that were last seen before. */
  report(process: RunningProcess, deadBefore: Instant, masterKeyIds: readonly string[] | null): Promise<void>;
  /** Names those seen since then that started without that master key and cannot find it in a file. */
  withoutMasterKey(masterKeyId: string, seenSince: Instant): Promise<readonly string[]>;
  end(processId: string): Promise<void>;
  /** The processes seen since then, oldest first. */
  running(seenSince: Instant): Promise<readonly RunningProcess[]>;
}

/** How often a process writes its row, and how long the row counts. */
export const PROCESS_SEEN_EVERY_MS = 10 * SECOND_MS;
export const PROCESS_COUNTS_FOR_MS = 3 * PROCESS_SEEN_EVERY_MS;

/** The rails of all processes, each name once. */
export function railsOf(processes: readonly Pick<RunningProcess, 'sendingRails'>[]): readonly RailSummary[] {
  return [...new Map(processes.flatMap(({ sendingRails }) => sendingRails).map((rail) => [rail.name, rail])).values()];
}
