/**
 * The cards of card attempts: counted and written in the commit that begins the attempt, under the merchant's lock, and
 * taken out of the vault in the one that ends it.
 */
import type { AttemptCard } from '../domain/payments/attempt-card.ts';
import type { AttemptKey } from '../domain/payments/payment-attempt.ts';
import { TRY_SUBJECTS, TRY_WINDOW_MS, type TrySubject } from '../domain/payments/try-limits.ts';
import type { Instant } from '../foundation/clock.ts';
import { type Queryable, timestamp } from './database.ts';

const HASH_COLUMNS: Readonly<Record<TrySubject, string>> = { card: 'fingerprint', address: 'address_hash' };

/** Of whom there were as many tries as there may be, or undefined. Right only while the merchant's lock is held. */
export async function findTooManyTries(
  transaction: Queryable,
  merchantId: string,
  { hashes, limits }: AttemptCard,
  now: Instant,
): Promise<TrySubject | undefined> {
  for (const subject of TRY_SUBJECTS) {
    const [hash, limit] = [hashes[subject], limits[subject]];
    if (hash !== null && limit > 0 && (await hasTried(transaction, merchantId, subject, hash, limit, now)))
      return subject;
  }
  return undefined;
}

/** Reads no more of the index than `limit` entries, however many tries there were. */
async function hasTried(
  transaction: Queryable,
  merchantId: string,
  subject: TrySubject,
  hash: Buffer,
  limit: number,
  now: Instant,
): Promise<boolean> {
  const rows = await transaction.prepared(
    `count-tries-of-${subject}`,
    `select from payment_cards where merchant_id = $1 and ${HASH_COLUMNS[subject]} = $2 and tried_at > $3
     order by tried_at desc offset $4 limit 1`,
    [merchantId, hash, timestamp(now - TRY_WINDOW_MS), limit - 1],
  );
  return rows.length > 0;
}

export async function insertCard(
  transaction: Queryable,
  { merchantId, transactionId, attempt }: AttemptKey,
  { mask, hashes, vaultRecord, destroyAt }: AttemptCard,
  triedAt: Instant,
): Promise<void> {
  const { token, sealed } = vaultRecord;
  await transaction.prepared(
    'insert-attempt-card',
    `with sealed as (
       insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at, destroy_at)
       values ($1, $6, $8, $9, $10, $7, $11))
     insert into payment_cards (merchant_id, transaction_id, attempt, mask, fingerprint, address_hash, vault_token, tried_at)
     values ($1, $2, $3, $4, $5, $12, $6, $7)`,
    [
      merchantId,
      transactionId,
      attempt,
      mask,
      hashes.card,
      token,
      timestamp(triedAt),
      sealed.masterKeyId,
      sealed.wrappedKey,
      sealed.ciphertext,
      timestamp(destroyAt),
      hashes.address,
    ],
  );
}

/** The mask and the hashes stay. Nothing happens to an attempt without a card, or whose card is gone already. */
export async function destroyCard(
  transaction: Queryable,
  { merchantId, transactionId, attempt }: AttemptKey,
): Promise<void> {
  await transaction.prepared(
    'destroy-attempt-card',
    `delete from vault_records as v using payment_cards as c
     where c.merchant_id = $1 and c.transaction_id = $2 and c.attempt = $3
       and v.merchant_id = c.merchant_id and v.token = c.vault_token`,
    [merchantId, transactionId, attempt],
  );
}
