/** The port for the content of statements, and for the keys that sign them. */
import type { Instant } from '../../foundation/clock.ts';
import type { SealedSecret } from '../vault/vault.ts';
import type { StatementOrder, StatementPosting } from './statement.ts';

export interface PostingPlace {
  readonly postedAt: Instant;
  readonly journalId: string;
  readonly line: number;
}

export interface StatementStore {
  /** The ends of the closed hours within the period in which the merchant's money changed, in order. */
  activeHours(order: StatementOrder): Promise<readonly Instant[]>;
  /** At most `limit` postings of the merchant and currency in the period, after `after`, in the order of the ledger. */
  postings(order: StatementOrder, after: PostingPlace | null, limit: number): Promise<readonly StatementPosting[]>;
}

export interface PublicStatementKey {
  readonly keyId: string;
  /** Ed25519, 32 bytes in base64url. */
  readonly publicKey: string;
  readonly createdAt: Instant;
}

export interface StatementKeyStore {
  /** Newest first. */
  keys(): Promise<readonly PublicStatementKey[]>;
  sealed(keyId: string): Promise<SealedSecret | undefined>;
  /** Adds a key. `onlyFirst`: does nothing if there is one already. */
  add(key: PublicStatementKey, sealed: SealedSecret, onlyFirst: boolean): Promise<void>;
}
