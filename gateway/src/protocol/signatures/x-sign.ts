/**
 * The `X-Sign` header: HMAC-SHA256 over the bytes of the whole body (decisions, Signatures). It is the base64 of the
 * *hexadecimal text*, while the MD5 `sign` is the base64 of raw bytes. It must work on bytes only, never on parsed
 * data.
 */
import { createHmac } from 'node:crypto';
import { equalInConstantTime, type Secret } from '../../foundation/secret.ts';

/** Always 88 characters. */
export function xSign(rawBody: Buffer, key: Secret): string {
  const hex = createHmac('sha256', key.reveal()).update(rawBody).digest('hex');
  return Buffer.from(hex, 'latin1').toString('base64');
}

/** Compares in constant time. Returns false for an empty key. */
export function verifyXSign(rawBody: Buffer, key: Secret, sign: string): boolean {
  const matches = equalInConstantTime(xSign(rawBody, key), sign);
  return matches && !key.isEmpty;
}
