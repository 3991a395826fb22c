/** The two keys between Trustly and us: the private one that signs for us, and the public one by which Trustly is known. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { invariant } from '../../foundation/invariant.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { readOwnKey } from '../own-key-file.ts';
import type { TrustlyConfiguration } from './configuration.ts';

/** What Trustly's documents ask for. */
const BITS = 2_048;

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

function openPrivateKey(configuration: TrustlyConfiguration): KeyObject {
  return asRsa(readOwnKey(configuration, makeKey));
}

function makeKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: BITS }).privateKey;
}

function openPublicKey({ publicKeyFile }: TrustlyConfiguration): KeyObject {
  return asRsa(createPublicKey(readFileSync(publicKeyFile)));
}

function asRsa(key: KeyObject): KeyObject {
  invariant(key.asymmetricKeyType === 'rsa', 'Trustly’s signatures are RSA');
  return key;
}
