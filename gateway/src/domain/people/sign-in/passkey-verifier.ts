/** The port for WebAuthn. Each function returns undefined for a response that is not valid for this site. */
import type { Passkey } from '../person.ts';

export interface PasskeyVerifier {
  /** Checks the response of a device that created a passkey. */
  register(response: unknown, challenge: Buffer): Promise<Passkey | undefined>;
  /** Returns the passkey's id in a response whose signature was not checked yet. */
  readCredentialId(response: unknown): string | undefined;
  /** Checks a signature. The caller compares the counter. */
  verify(response: unknown, challenge: Buffer, passkey: Passkey): Promise<VerifiedAssertion | undefined>;
}

export interface VerifiedAssertion {
  readonly counter: number;
  /** The user handle that the device sent. Null if it sent none. */
  readonly userHandle: string | null;
  /** The bytes that the device signed, in base64url, so that others can verify them again. */
  readonly evidence: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
  };
}
