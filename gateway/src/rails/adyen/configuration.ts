/** What the connector to Adyen needs to know. */
import type { Secret } from '../../foundation/secret.ts';

export interface AdyenConfiguration {
  /**
   * With the version, for example `https://checkout-test.adyen.com/v72`; live, the address with the account's own prefix.
   * Always the same one: another region of Adyen's does not know the idempotency keys of this one.
   */
  readonly url: string;
  readonly apiKey: Secret;
  readonly merchantAccount: string;
  /** Hexadecimal keys of the standard webhook: while one is replaced, the old and the new. */
  readonly hmacKeys: readonly Secret[];
  /** True: what answers is a simulator, and merchants in test may be paid through it. */
  readonly simulated: boolean;
}
