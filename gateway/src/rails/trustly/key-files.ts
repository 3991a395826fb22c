/** The two keys between Trustly and us: the private one that signs for us, and the public one by which Trustly is known. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { invariant } from '../../foundation/invariant.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { TrustlyConfiguration } from './configuration.ts';

/** What Trustly's documents ask for. */
const BITS = 2_048;
const PRIVATE = 'private-key.pem';

export interface TrustlyKeys {
  /** Signs for us. */
  readonly ours: KeyObject;
  /** Proves what Trustly says. */
  readonly theirs: KeyObject;
}

/** Opens the keys at their first use and keeps them. A failure names the variable and no place, and is tried again. */
export function keepKeys(configuration: TrustlyConfiguration): () => Result<TrustlyKeys, string> {
  let kept: TrustlyKeys | undefined;
  return () => {
    if (kept) return ok(kept);
    const ours = attempt(() => openPrivateKey(configuration));
    if (!ours) return fail('our private key can’t be read: check TRUSTLY_PRIVATE_KEY_FILE');
    const theirs = attempt(() => openPublicKey(configuration));
    if (!theirs) return fail('Trustly’s public key can’t be read: check TRUSTLY_PUBLIC_KEY_FILE');
    kept = { ours, theirs };
    return ok(kept);
  };
}

function attempt(open: () => KeyObject): KeyObject | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

function openPrivateKey({ privateKeyFile, simulated }: TrustlyConfiguration): KeyObject {
  if (simulated && !existsSync(privateKeyFile)) makeKeyFiles(privateKeyFile);
  return asRsa(createPrivateKey(readFileSync(privateKeyFile)));
}

function openPublicKey({ publicKeyFile }: TrustlyConfiguration): KeyObject {
  return asRsa(createPublicKey(readFileSync(publicKeyFile)));
}

function asRsa(key: KeyObject): KeyObject {
  invariant(key.asymmetricKeyType === 'rsa', 'Trustly’s signatures are RSA');
  return key;
}

function makeKeyFiles(privateKeyFile: string): void {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: BITS });
  mkdirSync(path.dirname(privateKeyFile), { recursive: true });
  try {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(privateKeyFile, pem, { mode: 0o600, flag: 'wx' });
    writeFileSync(publicFileOf(privateKeyFile), createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));
  } catch (error) {
    // Another process was first: its key counts.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The public key beside the private one: what Trustly, or its simulator, has to be given. */
function publicFileOf(privateKeyFile: string): string {
  return privateKeyFile.endsWith(PRIVATE)
    ? `${privateKeyFile.slice(0, -PRIVATE.length)}public-key.pem`
    : `${privateKeyFile}.pub`;
}
