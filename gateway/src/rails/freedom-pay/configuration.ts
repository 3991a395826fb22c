/** What the connector to Freedom Pay needs to know. */
import type { Secret } from '../../foundation/secret.ts';

export interface FreedomPayConfiguration {
  /** `https://api.freedompay.kz`, for tests `https://test-api.freedompay.kz`. */
  readonly url: string;
  /** The number under which Freedom Pay knows us. */
  readonly merchantId: string;
  /** Signs payouts, questions about them and what Freedom Pay says of them; another one than that of payments. */
  readonly payoutSecret: Secret;
  /** Where Freedom Pay tells of payouts. Its last segment is under the signature. */
  readonly notificationUrl: string;
  /** Payouts under way at once, per process. */
  readonly concurrency: number;
  /** True: what answers is a simulator, and no real money moves. */
  readonly simulated: boolean;
}
