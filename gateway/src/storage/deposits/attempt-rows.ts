/**
 * Reads the payment attempts of a deposit, inside or outside a transaction, and maps them between rows and types. It is not in
 * storage/payments, because order-holder.ts needs it and this folder must not import storage/payments.
 */
import type { DepositKey } from '../../domain/deposits/deposit.ts';
import type { PaymentType } from '../../domain/methods/payment-type.ts';
import type { PaymentAttempt, RecordedAttempt } from '../../domain/payments/attempts/payment-attempt.ts';
import type { Wallet } from '../../domain/payments/wallet.ts';
import type { Queryable } from '../core/database.ts';

/** Returns the oldest first. */
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

/** Returns the same attempts with the parts of the card data that a user may see. */
export async function readRecordedAttempts(
  queryable: Queryable,
  { merchantId, transactionId }: DepositKey,
): Promise<RecordedAttempt[]> {
  const rows = await queryable.query<AttemptRow & { mask: string | null; wallet: Wallet | null }>(
    `select ${ATTEMPT_COLUMNS}, c.mask, w.wallet from payment_attempts as a
     left join payment_cards as c using (merchant_id, transaction_id, attempt)
     left join payment_wallets as w using (merchant_id, transaction_id, attempt)
     where a.merchant_id = $1 and a.transaction_id = $2 order by a.attempt`,
    [merchantId, transactionId],
  );
  return rows.map((row) => ({
    ...attemptFromRow(row),
    ...(row.mask === null ? {} : { cardMask: row.mask }),
    ...(row.wallet === null ? {} : { wallet: row.wallet }),
  }));
}

export const ATTEMPT_COLUMNS = `a.merchant_id, a.transaction_id, a.attempt, a.rail, a.payment_type, a.reference,
  a.provider_reference, a.kept, a.receipts, a.state, a.step, a.is_authorised, a.refusal, a.can_retry, a.detail, a.started_at,
  a.send_until, a.ask_at, a.asks, a.open_returns, a.finished_at`;

type Same = 'attempt' | 'rail' | 'reference' | 'kept' | 'receipts' | 'state' | 'step' | 'refusal' | 'detail' | 'asks';

export interface AttemptRow extends Pick<PaymentAttempt, Same> {
  merchant_id: string;
  transaction_id: bigint;
  payment_type: PaymentType;
  provider_reference: string;
  is_authorised: boolean;
  can_retry: boolean;
  started_at: number;
  send_until: number;
  ask_at: number | null;
  open_returns: number;
  finished_at: number | null;
}

export function attemptFromRow(row: AttemptRow): PaymentAttempt {
  return {
    merchantId: row.merchant_id,
    transactionId: Number(row.transaction_id),
    attempt: row.attempt,
    rail: row.rail,
    paymentType: row.payment_type,
    reference: row.reference,
    providerReference: row.provider_reference,
    kept: row.kept,
    receipts: row.receipts,
    state: row.state,
    step: row.step,
    isAuthorised: row.is_authorised,
    refusal: row.refusal,
    canRetry: row.can_retry,
    detail: row.detail,
    startedAt: row.started_at,
    sendUntil: row.send_until,
    askAt: row.ask_at,
    asks: row.asks,
    openReturns: row.open_returns,
    finishedAt: row.finished_at,
  };
}
