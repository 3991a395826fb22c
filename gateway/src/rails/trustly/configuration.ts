/** What the connector to Trustly needs to know. */
import type { Secret } from '../../foundation/secret.ts';

export interface TrustlyConfiguration {
  /** The one address of its JSON-RPC, path included: `https://api.trustly.com/1`, for tests `https://test.trustly.com/api/1`. */
  readonly url: string;
  readonly username: string;
  readonly password: Secret;
  /** PEM of the private key whose public one is registered with Trustly. Towards a simulator it is made where it is missing. */
  readonly privateKeyFile: string;
  /** PEM of Trustly's public key (it publishes one for test and one for live). A simulator writes its own there. */
  readonly publicKeyFile: string;
  /** Where Trustly tells of orders. It must hold no question mark, and Trustly takes only https. */
  readonly notificationUrl: string;
  /** True: what answers is a simulator, and no real money moves. */
  readonly simulated: boolean;
}
