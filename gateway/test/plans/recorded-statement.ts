/** One statement as storage sent it. */
import { join } from 'node:path';

export const STORAGE = join(import.meta.dirname, '../../src/storage');

export interface RecordedStatement {
  readonly text: string;
  /** The text with its marks, of which a cluster makes its own form. */
  readonly forCluster: string;
  readonly values: readonly unknown[];
  /** True if it is planned once per connection, perhaps with a generic plan. */
  readonly isPrepared: boolean;
  /** The line of storage that sends it, such as `payout-store.ts:57`. */
  readonly site: string;
}
