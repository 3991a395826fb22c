/** The two keys between Trustly and us: the private one that signs for us, and the public one by which Trustly is known. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { keepOwnKey } from '../kit/own-key-file.ts';
import type { TrustlyConfiguration } from './configuration.ts';

export interface TrustlyKeys {
  /** Signs for us. */
  readonly ours: KeyObject;
  /** Proves what Trustly says. */
  readonly theirs: KeyObject;
}

/** Opens the keys at their first use and keeps them. A failure names the variable and no place, and is tried again. */
export function keepKeys(configuration: TrustlyConfiguration): () => Result<TrustlyKeys, string> {
  const ownKey = keepOwnKey(configuration, 'rsa', 'TRUSTLY_PRIVATE_KEY_FILE');
  let theirs: KeyObject | undefined;
  return () => {
    const ours = ownKey();
    if (!ours.ok) return ours;
    theirs ??= openPublicKey(configuration);
    return theirs
      ? ok({ ours: ours.value, theirs })
      : fail('Trustly’s public key can’t be read: check TRUSTLY_PUBLIC_KEY_FILE');
  };
}

/** Trustly's signatures are RSA. */
function openPublicKey({ publicKeyFile }: TrustlyConfiguration): KeyObject | undefined {
  try {
    const key = createPublicKey(readFileSync(publicKeyFile));
    return key.asymmetricKeyType === 'rsa' ? key : undefined;
  } catch {
    return undefined;
  }
}
