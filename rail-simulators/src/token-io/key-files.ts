/** Token.io's webhook key, made of a seed, and what follows from it. */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** What PKCS #8 puts before the 32 bytes of an Ed25519 private key. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** `seed`: 64 hex digits. */
export function webhookKey(seed: string): KeyObject {
  const der = Buffer.concat([pkcs8Head, Buffer.from(seed, 'hex')]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** As the client has to be told it: 32 bytes, base64url. */
export function publicText(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '';
}

/** Texts that follow from a name, and that only who has the key can tell: ids and sessions. */
export function namesOf(privateKey: KeyObject): (name: string) => string {
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
  return (name) => createHmac('sha256', secret).update(name).digest('hex').slice(0, 28);
}
