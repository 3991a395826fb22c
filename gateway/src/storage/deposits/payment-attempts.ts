/** Reads the attempts of a deposit, within a transaction or without one. */
import type { DepositKey } from '../../domain/deposits/deposit.ts';
import type { PaymentAttempt, RecordedAttempt } from '../../domain/payments/payment-attempt.ts';
import type { Queryable } from '../core/database.ts';
import { ATTEMPT_COLUMNS, type AttemptRow, attemptFromRow } from './payment-rows.ts';

/** Gives the oldest first. */
export async function readAttempts(
  queryable: Queryable,
  { merchantId, transactionId }: DepositKey,
): Promise<PaymentAttempt[]> {
  const rows = await queryable.query<AttemptRow>(
    `select ${ATTEMPT_COLUMNS} from payment_attempts as a
     where a.merchant_id = $1 and a.transaction_id = $2 order by a.attempt`,
    [merchantId, transactionId],
  );
  return rows.map(attemptFromRow);
}

/** Gives the same attempts with the card data that may be shown. */
export async function readRecordedAttempts(
  queryable: Queryable,
  { merchantId, transactionId }: DepositKey,
): Promise<RecordedAttempt[]> {
  const rows = await queryable.query<AttemptRow & { mask: string | null }>(
    `select ${ATTEMPT_COLUMNS}, c.mask from payment_attempts as a
     left join payment_cards as c using (merchant_id, transaction_id, attempt)
     where a.merchant_id = $1 and a.transaction_id = $2 order by a.attempt`,
    [merchantId, transactionId],
  );
  return rows.map((row) => ({ ...attemptFromRow(row), ...(row.mask === null ? {} : { cardMask: row.mask }) }));
}
