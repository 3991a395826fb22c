/** What the connector to Mastercard Send needs to know. */
import type { Secret } from '../../foundation/secret.ts';

export interface MastercardSendConfiguration {
  /** Up to the version: `https://api.mastercard.com/send`, in the test facility `https://sandbox.api.mastercard.com/send`. */
  readonly url: string;
  /** `ptnr_…` */
  readonly partnerId: string;
  /** Of the project: its key and the key's number, joined by `!`. */
  readonly consumerKey: Secret;
  /** PEM: the RSA key that signs every request. */
  readonly privateKeyFile: string;
  readonly programme: MastercardSendProgramme;
  /** Payouts under way at once, per process. */
  readonly concurrency: number;
  /** True: what answers is a simulator, and no real money moves. */
  readonly simulated: boolean;
}

/** What was agreed when the programme was set up, and stands in every disbursement. */
export interface MastercardSendProgramme {
  /** Three letters, such as `BDB`. */
  readonly paymentType: string;
  /** Where the money comes from, as Mastercard writes accounts: `raw:…`. */
  readonly senderAccount: string;
  /** Three letters; null: there is only one. */
  readonly originCountry: string | null;
}
