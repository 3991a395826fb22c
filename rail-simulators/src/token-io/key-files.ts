/** Token.io's webhook key, made of a seed, and the client's registered one: a PEM file that the client leaves. */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

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

/** The client's key, which may come or change while the simulator runs; undefined as long as the file holds none. */
export function publicKeyFile(path: string): () => KeyObject | undefined {
  return () => {
    try {
      const key = createPublicKey(readFileSync(path));
      return key.asymmetricKeyType === 'ed25519' ? key : undefined;
    } catch {
      return undefined;
    }
  };
}

/** Texts that follow from a name, and that only who has the key can tell: ids and sessions. */
export function namesOf(privateKey: KeyObject): (name: string) => string {
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
  return (name) => createHmac('sha256', secret).update(name).digest('hex').slice(0, 28);
}
