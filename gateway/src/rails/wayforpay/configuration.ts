/** What the connector to WayForPay needs to know. */
import type { Secret } from '../../foundation/secret.ts';

export interface WayForPayConfiguration {
  /** `https://api.wayforpay.com`. */
  readonly url: string;
  readonly merchantAccount: string;
  /** Signs what we ask and what we answer; by it we know what WayForPay says. */
  readonly secretKey: Secret;
  /** Where WayForPay tells of a payout: it is named in each. */
  readonly serviceUrl: string;
  /** Payouts under way at once, per process. */
  readonly concurrency: number;
  /** True: what answers is a simulator, and no real money moves. */
  readonly simulated: boolean;
}

/** Who we are, and by what we know each other. */
export type WayForPayAccount = Pick<WayForPayConfiguration, 'merchantAccount' | 'secretKey'>;
