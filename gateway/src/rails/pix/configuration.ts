/** What the connector to the bank that receives Pix for us needs to know. */
import type { Secret } from '../../foundation/secret.ts';

export interface PixConfiguration {
  /** Where the bank's API Pix is, up to its major version: `https://pix.example.com/api/v2`. */
  readonly url: string;
  /** Where access tokens are given out. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Our key in the directory of Pix keys; its account receives the money. */
  readonly chave: string;
  /** Our city, shown beside the merchant's name where the bank leaves the writing of the BR Code to us. */
  readonly city: string;
  /** PEM: the certificate that the bank knows us by, and its private key. */
  readonly certificateFile: string;
  readonly privateKeyFile: string;
  /** PEM: whom we believe to be the bank. Null: whoever the system's certificate authorities vouch for. */
  readonly caFile: string | null;
  /** Where the bank is to call us; it appends `/pix`. */
  readonly webhookUrl: string;
  readonly webhook: WebhookTrust;
  /** True: what answers is a simulator, and merchants in test may be paid through it. */
  readonly simulated: boolean;
}

/** Who is believed to be the bank when it calls us; either is enough, and one of them has to be there. */
export interface WebhookTrust {
  /** SHA-256 of certificates, lower-case hex: those that the bank's callbacks come with, where a proxy tells us of them. */
  readonly certificateFingerprints: readonly string[];
  /** Addresses and networks (CIDR) that its callbacks come from. */
  readonly allowList: readonly string[];
}
