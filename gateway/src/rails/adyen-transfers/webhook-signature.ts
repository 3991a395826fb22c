/**
 * Verifies the signature of a balance platform's webhook: HMAC-SHA256 over the raw body under a hexadecimal key, as
 * base64, in a header.
 *
 * Confirmed by a test vector of Adyen's own library, which is this file's test. The header's name comes from several
 * public servers that receive such webhooks. No accessible document of Adyen mentions it.
 */
import { createHmac } from 'node:crypto';
import { equalInConstantTime, type Secret } from '../../foundation/secret.ts';

/** In Node's notation of header names. Adyen sends `HmacSignature`. */
export const SIGNATURE_HEADER = 'hmacsignature';

export function signatureOf(body: Buffer, key: Secret): string {
  return createHmac('sha256', Buffer.from(key.reveal(), 'hex')).update(body).digest('base64');
}

/** True if one of the keys signed these exact bytes. A key that is empty or not hexadecimal verifies nothing. */
export function isSigned(body: Buffer, signature: string, keys: readonly Secret[]): boolean {
  return keys.some((key) => isHexKey(key) && equalInConstantTime(signatureOf(body, key), signature));
}

function isHexKey(key: Secret): boolean {
  return /^(?:[0-9a-fA-F]{2}){16,}$/.test(key.reveal());
}
