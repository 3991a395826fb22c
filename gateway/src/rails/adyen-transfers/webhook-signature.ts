/**
 * The signature of a balance platform's webhook: HMAC-SHA256 over the raw body, under a key that is given in hexadecimal,
 * as base64, in a header.
 *
 * Confirmed by a test vector of Adyen's own library, which is this file's test. The header's name is seen in several public
 * servers that take such webhooks, and in no document of Adyen's that could be read.
 */
import { createHmac } from 'node:crypto';
import { equalInConstantTime, type Secret } from '../../foundation/secret.ts';

/** As Node writes a header's name; Adyen sends `HmacSignature`. */
export const SIGNATURE_HEADER = 'hmacsignature';

export function signatureOf(body: Buffer, key: Secret): string {
  return createHmac('sha256', Buffer.from(key.reveal(), 'hex')).update(body).digest('base64');
}

/** Whether one of the keys signed these very bytes. A key that is empty or no hexadecimal verifies nothing. */
export function isSigned(body: Buffer, signature: string, keys: readonly Secret[]): boolean {
  return keys.some((key) => isHexKey(key) && equalInConstantTime(signatureOf(body, key), signature));
}

function isHexKey(key: Secret): boolean {
  return /^(?:[0-9a-fA-F]{2}){16,}$/.test(key.reveal());
}
