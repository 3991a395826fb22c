/** What the connector to the stand-in bank needs to know. A production gateway refuses to start with one. */
import type { Secret } from '../../foundation/secret.ts';

export interface StandInBankConfiguration {
  /** Where the bank listens, for example `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Authorizes our requests, and signs the bank's notifications. */
  readonly secret: Secret;
}
