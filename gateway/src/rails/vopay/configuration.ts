/** What the connector to VoPay needs to know. */
import type { Secret } from '../../foundation/secret.ts';

export interface VoPayConfiguration {
  /** Up to its version: `https://earthnode.vopay.com/api/v2`, for tests `https://earthnode-dev.vopay.com/api/v2`. */
  readonly url: string;
  readonly accountId: string;
  /** Travels with every request. */
  readonly key: Secret;
  /** Never travels: signs requests and proves webhooks. */
  readonly sharedSecret: Secret;
  /** Payouts under way at once, per process. */
  readonly concurrency: number;
  /** True: what answers is a simulator, and no real money moves. */
  readonly simulated: boolean;
}
