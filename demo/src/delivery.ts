/** A callback as the demo's merchant received it. */
import type { Fields } from './merchant-signatures.ts';

export interface Delivery {
  readonly fields: Fields;
  readonly webhookId: string;
  /** Names of invalid signatures; the merchant rejects such a callback. */
  readonly bad: readonly string[];
  /** Milliseconds UTC. */
  readonly receivedAt: number;
}
