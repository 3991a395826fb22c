/** The port for storing API tokens. */
import type { Instant } from '../../foundation/clock.ts';
import type { StoredToken } from './api-token.ts';

export interface TokenStore {
  add(token: StoredToken): Promise<void>;
  find(tokenId: string): Promise<StoredToken | undefined>;
  /** Newest first, at most a thousand. */
  list(): Promise<readonly StoredToken[]>;
  /** Does nothing to a token that was revoked before. */
  revoke(tokenId: string, at: Instant): Promise<void>;
  markUsed(tokenId: string, at: Instant): Promise<void>;
}
