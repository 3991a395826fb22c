/**
 * Counts payment attempts for the attempt limits. The commit that begins an attempt counts and writes it under the merchant's
 * lock.
 */
import type { AttemptKey } from '../../domain/payments/payment-attempt.ts';
import { type CountedTry, TRY_SUBJECTS, TRY_WINDOW_MS, type TrySubject } from '../../domain/payments/try-limits.ts';
import type { Instant } from '../../foundation/clock.ts';
import { type Queryable, timestamp } from '../core/database.ts';

/** One condition and one partial index per subject. `merchant`: every attempt on an unsigned form. */
const CONDITIONS: Readonly<Record<TrySubject, string>> = {
  target: 'target_hash = $2',
  address: 'address_hash = $2',
  merchant: 'not is_signed and $2::bytea is null',
};

/** Gives the subject that has reached its attempt limit, or undefined. The caller must hold the merchant's lock. */
export async function findTooManyTries(
  transaction: Queryable,
  merchantId: string,
  { hashes, isSigned, limits }: CountedTry,
  now: Instant,
): Promise<TrySubject | undefined> {
  const isCounted = { target: hashes.target !== null, address: hashes.address !== null, merchant: !isSigned };
  for (const subject of TRY_SUBJECTS) {
    if (!isCounted[subject] || limits[subject] === 0) continue;
    const hash = subject === 'merchant' ? null : hashes[subject];
    if (await hasTried(transaction, merchantId, subject, hash, limits[subject], now)) return subject;
  }
  return undefined;
}

/** Reads at most `limit` entries of the index, however many attempts there were. */
async function hasTried(
  transaction: Queryable,
  merchantId: string,
  subject: TrySubject,
  hash: Buffer | null,
  limit: number,
  now: Instant,
): Promise<boolean> {
  const rows = await transaction.prepared(
    `count-tries-by-${subject}`,
    `select from payment_tries where merchant_id = $1 and ${CONDITIONS[subject]} and tried_at > $3
     order by tried_at desc offset $4 limit 1`,
    [merchantId, hash, timestamp(now - TRY_WINDOW_MS), limit - 1],
  );
  return rows.length > 0;
}

export async function insertTry(
  transaction: Queryable,
  { merchantId, transactionId, attempt }: AttemptKey,
  { hashes, isSigned }: CountedTry,
  triedAt: Instant,
): Promise<void> {
  await transaction.prepared(
    'insert-try',
    `insert into payment_tries (merchant_id, transaction_id, attempt, target_hash, address_hash, is_signed, tried_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [merchantId, transactionId, attempt, hashes.target, hashes.address, isSigned, timestamp(triedAt)],
  );
}
