/** What the connector to Token.io needs to know. */

export interface TokenIoConfiguration {
  /** `https://api.token.io`; Token.io's own sandbox is `https://api.sandbox.token.io`. */
  readonly url: string;
  /** Ours at Token.io: `m:…`. It stands in whatever Token.io tells of our payments. */
  readonly memberId: string;
  /** What Token.io calls our public key. */
  readonly keyId: string;
  /** PEM of the Ed25519 key whose public one is registered with Token.io. Towards a simulator it is made where it is missing. */
  readonly privateKeyFile: string;
  /** The Ed25519 key by which Token.io's webhooks are known: its 32 bytes as base64url, as the dashboard shows it. */
  readonly webhookPublicKey: string;
  /** The account at Token.io that payers pay to: `pa:…`. Only for such an account does Token.io say that money has come. */
  readonly settlementAccount: string;
  /** The same account as banks and payers know it. */
  readonly creditor: { readonly iban: string; readonly name: string };
  /** By which kind of transfer payers pay and are refunded; banks without it are not listed. */
  readonly localInstrument: 'SEPA' | 'SEPA_INSTANT';
  /** The sub-TPP on whose behalf we ask; empty for a member with a licence of its own. */
  readonly onBehalfOf: string;
  /** True: what answers is a simulator, and no real money moves. */
  readonly simulated: boolean;
}
