/** The key that signs what we ask of STP. It stays in its file; the public one beside it is what STP has to be given. */
import type { KeyObject } from 'node:crypto';
import type { Result } from '../../foundation/result.ts';
import { keepOwnKey } from '../kit/own-key-file.ts';
import type { StpConfiguration } from './configuration.ts';

export function keepPrivateKey(configuration: StpConfiguration): () => Result<KeyObject, string> {
  return keepOwnKey(configuration, 'rsa', 'STP_PRIVATE_KEY_FILE');
}
