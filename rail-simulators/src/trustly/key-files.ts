/** Trustly's own key, created at the first start as PEM files for both sides, and values derived from it. */
import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartupFault } from '../startup-fault.ts';

const BITS = 2_048;

/** Opens or creates the key. Always writes the public key, with which the client verifies Trustly. */
export function ownPrivateKey(privatePath: string, publicPath: string): KeyObject {
  try {
    if (!existsSync(privatePath)) make(privatePath);
    const key = createPrivateKey(readFileSync(privatePath));
    write(publicPath, createPublicKey(key).export({ type: 'spki', format: 'pem' }), 0o644);
    return key;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new StartupFault(`Trustly's key ${privatePath} cannot be opened or created: ${error.message}.`);
  }
}

function make(privatePath: string): void {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: BITS });
  write(privatePath, privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o600);
}

function write(path: string, pem: string | Buffer, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, pem, { mode });
}

/** Derives UUIDs from a name. Only the holder of the key can compute them. */
export function uuidsOf(privateKey: KeyObject): (name: string) => string {
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
  return (name) => {
    const hex = createHmac('sha256', secret).update(name).digest('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
  };
}
