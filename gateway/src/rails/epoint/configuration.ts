/** What the connector to Epoint needs to know. */
import type { Secret } from '../../foundation/secret.ts';

export interface EpointConfiguration {
  /** Up to its version: `https://epoint.az/api/1`. */
  readonly url: string;
  /** `i000000001`: the name under which Epoint knows us. */
  readonly publicKey: string;
  /** Never travels: signs both ways. */
  readonly privateKey: Secret;
  /** Which card is registered under which card_id (registered-cards.ts). */
  readonly cardsFile: string;
  /** Payouts under way at once, per process. */
  readonly concurrency: number;
  /** True: what answers is a simulator, and no real money moves. */
  readonly simulated: boolean;
}

/** By what Epoint and we know each other. */
export type EpointAccount = Pick<EpointConfiguration, 'publicKey' | 'privateKey'>;
