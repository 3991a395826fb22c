/** What the connector to Visa Direct needs to know. */
import type { Secret } from '../../foundation/secret.ts';

export interface VisaDirectConfiguration {
  /** `https://sandbox.api.visa.com`, in production `https://api.visa.com`. */
  readonly url: string;
  readonly userId: string;
  readonly password: Secret;
  /** PEM: the certificate that Visa gave this project, and its private key. */
  readonly certificateFile: string;
  readonly privateKeyFile: string;
  /** PEM: whom we believe to be Visa. Null: whoever the system's certificate authorities vouch for. */
  readonly caFile: string | null;
  /** Null: messages go as they are, which Visa allows in its sandbox alone. */
  readonly encryption: MessageEncryption | null;
  readonly programme: VisaDirectProgramme;
  /** Payouts under way at once, per process. */
  readonly concurrency: number;
  /** True: what answers is a simulator, and no real money moves. */
  readonly simulated: boolean;
}

/** The keys for whole messages, one pair for each direction. */
export interface MessageEncryption {
  /** By which Visa knows the pairs. */
  readonly keyId: string;
  /** PEM: Visa's public key, or its certificate. */
  readonly visaKeyFile: string;
  /** PEM: our private key. */
  readonly ownKeyFile: string;
}

/** What was agreed when the programme was enrolled, and stands in every transaction. */
export interface VisaDirectProgramme {
  /** 6 to 11 digits. */
  readonly acquiringBin: string;
  /** ISO 3166-1, three digits. */
  readonly acquirerCountry: string;
  /** Two letters, such as `FD` for the disbursement of funds. */
  readonly businessApplication: string;
  /** Four digits; null: fixed at the enrolment. */
  readonly merchantCategory: string | null;
  readonly cardAcceptorId: string;
  readonly terminalId: string;
  /** Three letters. */
  readonly cardAcceptorCountry: string;
  readonly sender: {
    readonly name: string;
    readonly address: string;
    readonly city: string;
    /** ISO 3166-1, three digits. */
    readonly country: string;
  };
}
