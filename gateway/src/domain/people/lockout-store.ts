/** The port for failed attempts with secrets that users type. */
import type { Instant } from '../../foundation/clock.ts';

export interface LockoutStore {
  /**
   * Counts an attempt before its secret is compared, so that concurrent attempts count too. Returns false if this way to sign
   * in is locked. The attempt then does not count.
   */
  begin(
    subject: string,
    rules: { readonly at: Instant; readonly since: Instant; readonly closesUntil: Instant; readonly most: number },
  ): Promise<boolean>;
  succeeded(subject: string): Promise<void>;
  /** Deletes at most `limit` rows without an attempt since `before`. Returns how many. */
  forget(before: Instant, limit: number): Promise<number>;
}
