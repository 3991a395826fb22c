/** What the connector to Adyen's Transfers API needs to know. */
import type { Secret } from '../../foundation/secret.ts';

export interface AdyenTransfersConfiguration {
  /** With the version, for example `https://balanceplatform-api-test.adyen.com/btl/v4`. */
  readonly url: string;
  /** Where balance accounts are, for example `https://balanceplatform-api-test.adyen.com/bcl/v2`. Null: nobody asks. */
  readonly balancesUrl: string | null;
  /** Of the balance platform: not the one that payments are taken with. */
  readonly apiKey: Secret;
  /** `BA…`: where the money for payouts lies. */
  readonly balanceAccount: string;
  /** Hexadecimal keys of the transfer webhook: while one is replaced, the old and the new. */
  readonly hmacKeys: readonly Secret[];
  /** Payouts under way at once, per process. */
  readonly concurrency: number;
  /** True: what answers is a simulator, and no real money moves. */
  readonly simulated: boolean;
}
