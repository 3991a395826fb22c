/** Opens the two keys of the connection to Trustly: our private key, which signs, and Trustly's public key, which verifies. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { keepOwnKey } from '../kit/own-key-file.ts';
import type { TrustlyConfiguration } from './configuration.ts';

export interface TrustlyKeys {
  /** Signs our calls and responses. */
  readonly ours: KeyObject;
  /** Verifies Trustly's responses and notifications. */
  readonly theirs: KeyObject;
}

/** Opens the keys at their first use and caches them. A failure names the variable, and the next call retries. */
export function keepKeys(configuration: TrustlyConfiguration): () => Result<TrustlyKeys, string> {
  const ownKey = keepOwnKey(configuration, 'rsa', 'TRUSTLY_PRIVATE_KEY_FILE');
  let theirs: KeyObject | undefined;
  return () => {
    const ours = ownKey();
    if (!ours.ok) return ours;
    theirs ??= openPublicKey(configuration);
    return theirs
      ? ok({ ours: ours.value, theirs })
      : fail('Trustly’s public key cannot be read: check TRUSTLY_PUBLIC_KEY_FILE');
  };
}

/** Trustly signs with RSA. */
function openPublicKey({ publicKeyFile }: TrustlyConfiguration): KeyObject | undefined {
  try {
    const key = createPublicKey(readFileSync(publicKeyFile));
    return key.asymmetricKeyType === 'rsa' ? key : undefined;
  } catch {
    return undefined;
  }
}
