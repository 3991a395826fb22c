/** The key that signs what we ask of STP. It stays in its file; the public one beside it is what STP has to be given. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { readOwnKey } from '../own-key-file.ts';
import type { StpConfiguration } from './configuration.ts';

const BITS = 2_048;

/** Opens it at its first use and keeps it. */
export function keepPrivateKey(configuration: StpConfiguration): () => KeyObject {
  let opened: KeyObject | undefined;
  return () => {
    opened ??= readOwnKey(configuration, makeKey);
    return opened;
  };
}

/** The error's own text may name the file's place: it stays out of what is kept or logged. */
export function openKey(privateKey: () => KeyObject): Result<KeyObject, string> {
  try {
    return ok(privateKey());
  } catch {
    return fail('our private key can’t be read: check STP_PRIVATE_KEY_FILE');
  }
}

function makeKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: BITS }).privateKey;
}
