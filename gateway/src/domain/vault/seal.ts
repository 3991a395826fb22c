/**
 * AES-256-GCM over one buffer: nonce ‖ ciphertext ‖ tag, with associated data that names the place. This file must not
 * know the meaning of the data.
 */
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OPTIONS = { authTagLength: TAG_BYTES };

/** The key is a KeyObject, because Node would convert plain bytes on every call, at ten times the cost. */
export function encrypt(key: KeyObject, nonce: Buffer, plain: Buffer, associated: Buffer): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce, OPTIONS);
  cipher.setAAD(associated);
  const body = cipher.update(plain);
  cipher.final();
  return Buffer.concat([nonce, body, cipher.getAuthTag()]);
}

/** Undefined if the key, the associated data or any byte differs from the sealed one. */
export function decrypt(key: KeyObject, sealed: Buffer, associated: Buffer): Buffer | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), OPTIONS);
  decipher.setAAD(associated);
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const plain = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return plain;
}
