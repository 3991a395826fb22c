/** An action inside one database transaction, which its caller commits or rolls back. */
import type { Endpoints } from '../../../../contract/endpoints.ts';
import type { ActStore } from '../../../domain/audit/act-store.ts';
import type { Balances, PostedTransfer } from '../../../domain/ledger/transfer.ts';
import type { ProposalStore } from '../../../domain/proposals/proposal-store.ts';
import type { Currency } from '../../../foundation/currency.ts';
import type { MerchantId } from '../../../foundation/identifiers.ts';
import type { HandlersOf } from '../handler.ts';

export interface ActTransaction {
  readonly handlers: HandlersOf<Endpoints>;
  readonly acts: ActStore;
  readonly proposals: ProposalStore;
  /** Returns the transfers that the transaction has posted. */
  posted(): Promise<readonly PostedTransfer[]>;
  balances(merchantId: MerchantId): Promise<ReadonlyMap<Currency, Balances>>;
}

/** Commits the changes of `work` if it returns `keep`, and rolls them back otherwise. */
export type RunInTransaction = <Value>(
  work: (act: ActTransaction) => Promise<{ readonly keep: boolean; readonly value: Value }>,
) => Promise<Value>;
