/** What the connector to DT One needs to know. */
import type { Secret } from '../../foundation/secret.ts';

/** By operator: a ranged product of DT One's, whose amounts are named in the recipient's currency. */
export interface OperatorProduct {
  readonly operatorId: string;
  readonly productId: string;
}

export interface DtOneConfiguration {
  /** With its version: `https://dvs-api.dtone.com/v1`, for tests `https://preprod-dvs-api.dtone.com/v1`. */
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: Secret;
  readonly products: readonly OperatorProduct[];
  /** Where DT One tells us; it is told with each transaction. */
  readonly callbackUrl: string;
  /** By which DT One proves itself there, as its shop is told. */
  readonly callbackUsername: string;
  readonly callbackPassword: Secret;
  /** Payouts under way at once, per process. */
  readonly concurrency: number;
  /** True: what answers is a simulator, and no real money moves. */
  readonly simulated: boolean;
}
