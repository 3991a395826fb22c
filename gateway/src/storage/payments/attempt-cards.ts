/**
 * Stores the cards of card attempts. The commit that begins an attempt writes its card under the merchant's lock. The commit
 * that ends the attempt deletes it from the vault.
 */
import type { AttemptCard } from '../../domain/payments/attempt-card.ts';
import type { AttemptKey } from '../../domain/payments/payment-attempt.ts';
import type { Instant } from '../../foundation/clock.ts';
import { type Queryable, timestamp } from '../core/database.ts';

export async function insertCard(
  transaction: Queryable,
  { merchantId, transactionId, attempt }: AttemptKey,
  { mask, vaultRecord, destroyAt }: AttemptCard,
  sealedAt: Instant,
): Promise<void> {
  const { token, sealed } = vaultRecord;
  await transaction.prepared(
    'insert-attempt-card',
    `with sealed as (
       insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at, destroy_at)
       values ($1, $5, $6, $7, $8, $9, $10))
     insert into payment_cards (merchant_id, transaction_id, attempt, mask, vault_token) values ($1, $2, $3, $4, $5)`,
    [
      merchantId,
      transactionId,
      attempt,
      mask,
      token,
      sealed.masterKeyId,
      sealed.wrappedKey,
      sealed.ciphertext,
      timestamp(sealedAt),
      timestamp(destroyAt),
    ],
  );
}

/** Deletes the card and keeps its mask. Does nothing if the attempt has no card, or its card is already deleted. */
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
