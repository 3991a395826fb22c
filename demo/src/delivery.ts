/** A callback as the demo's merchant received it. */
import type { Fields } from './merchant-signatures.ts';

export interface Delivery {
  readonly fields: Fields;
  readonly webhookId: string;
  /** Names of signatures that do not hold; such a callback is refused. */
  readonly bad: readonly string[];
  /** Milliseconds UTC. */
  readonly receivedAt: number;
}
