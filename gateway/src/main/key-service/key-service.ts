/** The port of a key service: it opens values that were sealed under a key which never leaves the service. */
import type { Secret } from '../../foundation/secret.ts';

export interface KeyService {
  /** Rejects with KeyServiceError. */
  open(sealed: string): Promise<Secret>;
}

/** An error that an operator must fix. The message is one sentence. */
export class KeyServiceError extends Error {
  override readonly name = 'KeyServiceError';
}
