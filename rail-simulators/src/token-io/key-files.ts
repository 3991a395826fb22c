/** Token.io's webhook key, derived from a seed, and values derived from the key. */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** The PKCS #8 prefix of an Ed25519 private key's 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** `seed` has 64 hex digits. */
export function webhookKey(seed: string): KeyObject {
  const der = Buffer.concat([PKCS8_HEAD, Buffer.from(seed, 'hex')]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** Returns the public key in the client's format: 32 bytes as base64url. */
export function publicText(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '';
}

/** Derives ids and sessions from a name. Only the holder of the key can compute them. */
export function namesOf(privateKey: KeyObject): (name: string) => string {
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
  return (name) => createHmac('sha256', secret).update(name).digest('hex').slice(0, 28);
}
