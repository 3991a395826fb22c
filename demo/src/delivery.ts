/** A callback as the demo's merchant received it. */
import type { Fields } from './merchant-signatures.ts';

export interface Delivery {
  readonly fields: Fields;
  readonly webhookId: string;
  /** The names of invalid signatures. If there are any, the merchant rejects the callback. */
  readonly bad: readonly string[];
  /** The time in milliseconds since the epoch. */
  readonly receivedAt: number;
}
