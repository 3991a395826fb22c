/** The key that signs our requests to STP. It must stay in its file. The public key in the same folder is for STP. */
import type { KeyObject } from 'node:crypto';
import type { Result } from '../../foundation/result.ts';
import { keepOwnKey } from '../kit/own-key-file.ts';
import type { StpConfiguration } from './configuration.ts';

export function keepPrivateKey(configuration: StpConfiguration): () => Result<KeyObject, string> {
  return keepOwnKey(configuration, 'rsa', 'STP_PRIVATE_KEY_FILE');
}
