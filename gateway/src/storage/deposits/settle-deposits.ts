/** The commit that ends deposits without money. It plans under the merchants' locks and writes all plans together. */
import type { DepositSettlement, DepositSettlementOutcome } from '../../domain/deposits/deposit-store.ts';
import type { Database } from '../core/database.ts';
import { openDepositBatch } from './deposit-batch.ts';

/** Settles each of `settlements` in order and returns the outcomes in the same order. Safe to run again. */
export function settleDeposits(
  database: Database,
  settlements: readonly DepositSettlement[],
): Promise<DepositSettlementOutcome[]> {
  return database.transaction(async (transaction) => {
    const wanted = settlements.map((settlement) => ({ ...settlement, currency: undefined }));
    const batch = await openDepositBatch(transaction, wanted);
    const outcomes = settlements.map((settlement): DepositSettlementOutcome => {
      const locked = batch.locked(settlement);
      if (!locked) return { kind: 'not_found' };
      const { deposit } = locked;
      const balances = batch.book.balances(deposit.merchantId, deposit.money.currency);
      const plan = settlement.plan({ deposit, balances });
      if (!plan) return { kind: 'unchanged', deposit };
      batch.add(locked, plan, settlement.at);
      return { kind: 'settled', plan };
    });
    await batch.write();
    return outcomes;
  });
}
