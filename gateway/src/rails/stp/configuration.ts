/** What the connector to STP needs to know. */

export interface StpConfiguration {
  /** Where the queries are answered, for example `https://efws-dev.stpmex.com`. */
  readonly url: string;
  /** Where the orders are registered: in production another host than that of the queries. */
  readonly ordersUrl: string;
  /** The name under which STP knows us. */
  readonly empresa: string;
  /** What all our CLABEs begin with: 6 to 14 digits. */
  readonly clabePrefix: string;
  /** Whom a payer sees as the recipient. */
  readonly beneficiary: string;
  /** PEM of the private key whose public one is registered with STP. Towards a simulator it is made where it is missing. */
  readonly privateKeyFile: string;
  /** Centavos. What an abono above it tells is recorded only when STP, asked, says the same; zero: every one is asked about. */
  readonly confirmAbove: bigint;
  /** Addresses and networks (CIDR) that STP's notifications come from: nothing else vouches for them. */
  readonly allowList: readonly string[];
  /** Payouts under way at once, per process. */
  readonly concurrency: number;
  /** True: what answers is a simulator, and merchants in test may be paid through it. */
  readonly simulated: boolean;
}
