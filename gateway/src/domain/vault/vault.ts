/**
 * The vault's contract. It seals secrets under the master key, returns tokens for them, masks card numbers for display,
 * and compares by keyed hash. No other part of the gateway holds a card number longer than a request or a send.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Secret } from '../../foundation/secret.ts';

/** A secret under a separate data key, which is wrapped under a master key. Both use AES-256-GCM. */
export interface SealedSecret {
  readonly masterKeyId: string;
  /** nonce ‖ ciphertext ‖ tag of the 32-byte data key, under the master key. */
  readonly wrappedKey: Buffer;
  /** The secret encrypted under the data key, as nonce ‖ ciphertext ‖ tag. */
  readonly ciphertext: Buffer;
}

/** A record of the vault: the secret fields of one payout, sealed together. */
export interface VaultRecord {
  readonly merchantId: MerchantId;
  readonly token: string;
  readonly sealed: SealedSecret;
}

/** Secret strings by their API names (`account`, `customs_card`, `exp_date`). */
export type SecretFields = Readonly<Record<string, Secret>>;

export interface Vault {
  /**
   * Seals `fields` under a new data key and a new token, both bound to the merchant. A record moved to another merchant does
   * not open. `at` is the time of the payment, by which tokens sort.
   */
  sealFields(merchantId: MerchantId, at: Instant, fields: SecretFields): VaultRecord;
  openFields(record: VaultRecord): SecretFields;
  /** Seals one secret. `boundTo` names its place (a merchant's key id), and only the same name opens it. */
  seal(secret: Secret, boundTo: string): SealedSecret;
  open(sealed: SealedSecret, boundTo: string): Secret;
  /**
   * Returns the secret under the current master key, with the same ciphertext, or undefined if it already is under that key.
   */
  rewrap(sealed: SealedSecret, boundTo: string): SealedSecret | undefined;
  /** Keyed hash (HMAC-SHA256, 32 bytes), unchanged by a rotation of the master key. */
  fingerprint(secret: Secret): Buffer;
}

/** Returns the displayable mask of a card number: first six and last four digits. */
export function maskCard(number: Secret): string {
  const digits = number.reveal();
  return `${digits.slice(0, 6)}${'*'.repeat(Math.max(0, digits.length - 10))}${digits.slice(-4)}`;
}
