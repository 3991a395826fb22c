/** The port for the keys that sign statements. */
import type { Instant } from '../../foundation/clock.ts';
import type { SealedSecret } from '../vault/vault.ts';

export interface PublicStatementKey {
  readonly keyId: string;
  /** An Ed25519 key: 32 bytes in base64url. */
  readonly publicKey: string;
  readonly createdAt: Instant;
}

export interface StatementKeyStore {
  /** Returns the newest key first. */
  keys(): Promise<readonly PublicStatementKey[]>;
  sealed(keyId: string): Promise<SealedSecret | undefined>;
  /** Adds a key. `onlyFirst`: does nothing if there is one already. */
  add(key: PublicStatementKey, sealed: SealedSecret, onlyFirst: boolean): Promise<void>;
}
