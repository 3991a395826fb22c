/** The port for failed attempts with secrets that users type. */
import type { Instant } from '../../foundation/clock.ts';

export interface LockoutStore {
  /**
   * Counts an attempt before its secret is compared, so that simultaneous attempts also count. Returns false if the way is
   * closed. The attempt then does not count.
   */
  begin(
    subject: string,
    rules: { readonly at: Instant; readonly since: Instant; readonly closesUntil: Instant; readonly most: number },
  ): Promise<boolean>;
  succeeded(subject: string): Promise<void>;
  /** Deletes rows without an attempt since; at most `limit`. Returns how many. */
  forget(before: Instant, limit: number): Promise<number>;
}
