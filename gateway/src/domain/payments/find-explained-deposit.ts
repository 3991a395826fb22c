/** Finds the deposit of an order with the reason why it is pending. */
import type { Clock } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { DepositStore } from '../deposits/deposit-store.ts';
import { deadlinesOf } from './attempts/payment-deadline.ts';
import type { DepositRecordStore } from './deposit-record-store.ts';
import { type ExplainedDeposit, explainDeposit } from './explain-deposit.ts';
import type { PaymentRail } from './payment-rail.ts';

interface FindExplainedDepositParts {
  readonly deposits: Pick<DepositStore, 'findByOrder'>;
  readonly depositRecords: Pick<DepositRecordStore, 'record'>;
  readonly rails: readonly PaymentRail[];
  readonly clock: Clock;
}

export async function findExplainedDeposit(
  { deposits, depositRecords, rails, clock }: FindExplainedDepositParts,
  merchantId: MerchantId,
  orderId: string,
): Promise<ExplainedDeposit | undefined> {
  const key = await deposits.findByOrder(merchantId, orderId);
  const record = key && (await depositRecords.record(key));
  return record && { ...record, pending: explainDeposit(record, clock.now(), deadlinesOf(rails)) ?? null };
}
