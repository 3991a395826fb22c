/** The port for recording actions: their audit entries, and the responses that repeats get. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { AuditEntry, NewAuditEntry } from './audit-entry.ts';

/** The key that identifies a repeat: the same caller and idempotency key. */
export interface ActKey {
  readonly caller: string;
  readonly key: string;
}

interface ActBegin {
  readonly key: ActKey;
  /** The hash of the endpoint, its parameters and its body. */
  readonly requestHash: Buffer;
  readonly entry: NewAuditEntry;
  /** An action that began before this time without an outcome counts as dead, and a repeat performs it again. */
  readonly deadBefore: Instant;
}

export type Begun =
  | { readonly kind: 'begun' }
  /** The action has ended. `answer` is null if it contained a secret, which is never stored. */
  | { readonly kind: 'repeated'; readonly status: number; readonly answer: string | null }
  | { readonly kind: 'in_progress' }
  | { readonly kind: 'other_request' };

export interface ActEnd {
  readonly key: ActKey;
  readonly entry: NewAuditEntry;
  /**
   * Null means that the outcome is unknown, so a repeat performs the action again. `released` means that nothing happened, so
   * the same or a different request may use the key.
   */
  readonly answered: { readonly status: number; readonly answer: string | null } | 'released' | null;
}

export interface AuditQuery {
  readonly merchantId: MerchantId | null;
  readonly act: string | null;
  readonly object: string | null;
  /** The id of a user or a token. */
  readonly actor: string | null;
  readonly from: Instant | null;
  /** The exclusive end of the period. */
  readonly to: Instant | null;
  readonly limit: number;
  /** The position to continue from (exclusive). If null, the list begins with the newest entry. */
  readonly before: { readonly at: Instant; readonly merchantId: MerchantId; readonly number: number } | null;
}

/** The newest entry of a chain. */
type ChainHead = Pick<AuditEntry, 'merchantId' | 'number' | 'hash'>;

export interface ActStore {
  /** Writes the audit entry and the idempotency key in one transaction, unless the key already exists. */
  begin(begin: ActBegin): Promise<Begun>;
  /** Writes the entry and the response in one transaction. */
  end(end: ActEnd): Promise<void>;
  /** Writes one entry, for an event that no endpoint causes. */
  record(entry: NewAuditEntry): Promise<void>;
  /** Returns the newest entries first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /** Returns the names of all users who have ever joined the merchant's team. */
  joined(merchantId: MerchantId): Promise<readonly string[]>;
  /** Returns the head of each chain, by merchant. */
  heads(): Promise<readonly ChainHead[]>;
  /**
   * Deletes at most `limit` responses of actions that began before `begunBefore`. The audit entries stay. Returns the number
   * of deleted responses.
   */
  forgetAnswers(begunBefore: Instant, limit: number): Promise<number>;
}
