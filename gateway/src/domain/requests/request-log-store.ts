/** The port of the request log. The lists read it through ListStore. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { SealedSecret } from '../vault/vault.ts';
import type { RequestKey, RequestOutcome, RequestRecord } from './logged-request.ts';

export interface NewRecord {
  readonly record: RequestRecord;
  /** The exact bytes under `record.vaultToken`. Null if the vault does not store them. */
  readonly sealed: SealedSecret | null;
  /** The time when the vault destroys the exact bytes. */
  readonly destroyAt: Instant;
}

export interface RequestLogStore {
  append(records: readonly NewRecord[]): Promise<void>;
  find(key: RequestKey): Promise<RequestRecord | undefined>;
  /** Deletes all but the newest `kept` requests of a merchant with that outcome. */
  trim(merchantId: MerchantId, outcome: RequestOutcome, kept: number): Promise<void>;
  /** Deletes at most `limit` requests that were received before `before`. Returns how many. */
  forget(before: Instant, limit: number): Promise<number>;
}
