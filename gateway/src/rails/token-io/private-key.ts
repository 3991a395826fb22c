/** The key that signs for us towards Token.io: a PEM file, opened at its first use and kept. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { readOwnKey } from '../own-key-file.ts';
import type { TokenIoConfiguration } from './configuration.ts';

/** A failure names the variable and no place, and is tried again. */
export function keepPrivateKey(configuration: TokenIoConfiguration): () => Result<KeyObject, string> {
  let kept: KeyObject | undefined;
  return () => {
    kept ??= open(configuration);
    return kept ? ok(kept) : fail('our private key can’t be read: check TOKEN_IO_PRIVATE_KEY_FILE');
  };
}

function open(configuration: TokenIoConfiguration): KeyObject | undefined {
  try {
    const key = readOwnKey(configuration, () => generateKeyPairSync('ed25519').privateKey);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}
