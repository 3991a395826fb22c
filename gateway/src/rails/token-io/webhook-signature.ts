/**
 * Authenticates Token.io's webhooks: an Ed25519 signature over the bytes of the body, in base64url, in the header
 * `token-signature`. Pure.
 *
 * Confirmed by Token.io's documents: the headers `token-signature` and `token-event`. Confirmed by a public collection
 * of webhook verifiers with tests: the algorithm, that the signature covers only the raw body and not `token-event`,
 * base64url without padding, and that the dashboard shows the public key as 32 bytes in base64url. Not confirmed by
 * Token.io itself, whose documents omit the procedure: whether the key is the member's own or shared by all members. A
 * caller must therefore compare the member named in the body.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';

export const SIGNATURE_HEADER = 'token-signature';

const ED25519_BASE64URL = /^[A-Za-z0-9_-]{43}$/;
const SIGNATURE_BYTES = 64;

/** Returns undefined if the string is not such a key. */
export function readPublicKey(base64url: string): KeyObject | undefined {
  if (!ED25519_BASE64URL.test(base64url)) return undefined;
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: base64url }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

export function isSignedBody(body: Buffer, signature: string | undefined, key: KeyObject): boolean {
  if (signature === undefined || !/^[A-Za-z0-9_-]+={0,2}$/.test(signature)) return false;
  const bytes = Buffer.from(signature, 'base64url');
  return bytes.length === SIGNATURE_BYTES && verify(null, body, key, bytes);
}
