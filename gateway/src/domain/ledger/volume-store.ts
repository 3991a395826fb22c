/** The port for the volumes of closed hours. */

import type { Instant } from '../../foundation/clock.ts';
import type { Flow, Volume, VolumeQuery } from './volume.ts';

export interface VolumeStore {
  /** Returns at most `limit` rows, oldest first. */
  volumes(query: VolumeQuery, limit: number): Promise<readonly Volume[]>;
  /** Volumes before this instant are complete for all merchants, or for the given merchant. */
  closedUntil(merchantId: string | null): Promise<number>;
  /** Counts the results of a rail since `since` over all merchants, by bucket of their waits. Returns [] if there are none. */
  waits(flow: Flow, rail: string, since: Instant): Promise<readonly number[]>;
}
