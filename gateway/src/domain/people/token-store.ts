/** The port for storing API tokens. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { ApiToken, NewToken, StoredToken } from './tokens/api-token.ts';

export interface TokenStore {
  add(token: NewToken): Promise<void>;
  find(tokenId: string): Promise<StoredToken | undefined>;
  /** Newest first, at most a thousand. If `merchantId` is null, the tokens of the operator and of all merchants. */
  list(merchantId: MerchantId | null): Promise<readonly ApiToken[]>;
  /** Returns the names of all tokens that the merchant has ever had. */
  names(merchantId: MerchantId): Promise<readonly string[]>;
  /** Revokes the token and the tokens that it created. Has no effect on a token that was already revoked. */
  revoke(tokenId: string, at: Instant): Promise<void>;
  markUsed(tokenId: string, at: Instant): Promise<void>;
}
