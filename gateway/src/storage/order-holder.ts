/** The deposit that has an order, and how it makes way for another one's. Under the merchant's lock. */
import type { Deposit } from '../domain/deposits/deposit.ts';
import { type OrderHolder, planDisplacement } from '../domain/payments/order-claim.ts';
import { mayBePaid } from '../domain/payments/payment-attempt.ts';
import type { Instant } from '../foundation/clock.ts';
import { invariant } from '../foundation/invariant.ts';
import type { Queryable } from './database.ts';
import { openDepositBatch } from './deposit-batch.ts';
import { DEPOSIT_COLUMNS, type DepositRow, depositFromRow } from './deposit-rows.ts';
import { readAttempts } from './payment-attempts.ts';

export async function findOrderHolder(
  transaction: Queryable,
  { merchantId, orderId }: Pick<Deposit, 'merchantId' | 'orderId'>,
): Promise<OrderHolder | null> {
  const [row] = await transaction.query<DepositRow & { is_signed: boolean; visitor_hash: Buffer | null }>(
    `select ${DEPOSIT_COLUMNS}, o.is_signed, o.visitor_hash from deposit_orders as o
     join deposits as d using (merchant_id, transaction_id) where o.merchant_id = $1 and o.order_id = $2`,
    [merchantId, orderId],
  );
  if (!row) return null;
  const deposit = depositFromRow(row);
  const attempts = await readAttempts(transaction, deposit);
  return {
    deposit,
    isSigned: row.is_signed,
    visitorHash: row.visitor_hash,
    isUnderWay: attempts.some(mayBePaid),
  };
}

/** Ends the deposit and lets go of its order; one that has ended lets go of it alone. */
export async function freeOrder(transaction: Queryable, { deposit }: OrderHolder, at: Instant): Promise<void> {
  const { merchantId, orderId, transactionId } = deposit;
  if (deposit.finishedAt === null) {
    const batch = await openDepositBatch(transaction, [{ merchantId, transactionId, currency: undefined }]);
    const standing = batch.standing({ merchantId, transactionId });
    invariant(standing, 'an order names a deposit that does not exist');
    batch.take(standing, planDisplacement(standing.deposit, at), at);
    await batch.write();
  }
  await transaction.query('delete from deposit_orders where merchant_id = $1 and order_id = $2', [merchantId, orderId]);
}
