/** The key that signs for us towards Mastercard: a PEM file, opened at its first use and kept. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { readOwnKey } from '../own-key-file.ts';
import type { MastercardSendConfiguration } from './configuration.ts';

const BITS = 2_048;

/** A failure names the variable and no place, and is tried again. */
export function keepPrivateKey(configuration: MastercardSendConfiguration): () => Result<KeyObject, string> {
  let kept: KeyObject | undefined;
  return () => {
    kept ??= open(configuration);
    return kept ? ok(kept) : fail('our private key can’t be read: check MASTERCARD_SEND_PRIVATE_KEY_FILE');
  };
}

function open(configuration: MastercardSendConfiguration): KeyObject | undefined {
  try {
    const key = readOwnKey(configuration, () => generateKeyPairSync('rsa', { modulusLength: BITS }).privateKey);
    return key.asymmetricKeyType === 'rsa' ? key : undefined;
  } catch {
    return undefined;
  }
}
