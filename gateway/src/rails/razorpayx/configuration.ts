/** What the connector to RazorpayX needs to know. */
import type { Secret } from '../../foundation/secret.ts';

export interface RazorpayXConfiguration {
  /** With its version: `https://api.razorpay.com/v1`, for tests too. Whether money moves is up to the key. */
  readonly url: string;
  readonly keyId: string;
  readonly keySecret: Secret;
  /** The account that is paid from: a current account's number, or RazorpayX Lite's customer identifier. */
  readonly accountNumber: string;
  /** What we pay for: one of RazorpayX's words, or one made in its dashboard. */
  readonly purpose: string;
  /** A webhook is proved by any of them: while one is replaced, what is told again still bears the old one's signature. */
  readonly webhookSecrets: readonly Secret[];
  /** Payouts under way at once, per process. */
  readonly concurrency: number;
  /** True: what answers is a simulator, and no real money moves. */
  readonly simulated: boolean;
}
