/** The rows that accepting writes, by the columns of the arrays that bring them, and the inserts that read such rows. */
import type { MerchantId } from '../../foundation/identifiers.ts';
import { TRANSFER_TYPES } from '../ledger/ledger-posting.ts';

/** The rows of one batch, as elements of arrays. */
export interface AcceptedRows {
  readonly merchants: readonly MerchantId[];
  readonly payouts: readonly (readonly string[])[];
  readonly transfers: readonly (readonly string[])[];
  /** One for each account that changes. */
  readonly changes: readonly (readonly string[])[];
}

export const PAYOUT = {
  merchant_id: 'text',
  payout_id: 'text',
  transaction_id: 'bigint',
  method: 'smallint',
  currency: 'text',
  amount: 'bigint',
  amount_text: 'text',
  fee: 'bigint',
  rail: 'text',
  account_shown: 'text',
  fields: 'jsonb',
  vault_token: 'text',
  content_hash: 'bytea',
  seal: 'bytea',
  accepted_at: 'timestamptz',
  master_key_id: 'text',
  wrapped_key: 'bytea',
  ciphertext: 'bytea',
  why: 'text',
};
/** Every payout of the batch is inserted, so no transfer is tied to one, and none has a note. */
const { payout_id: _payoutId, note: _note, ...transfer } = TRANSFER_TYPES;
export const TRANSFER = transfer;
export const CHANGE = { merchant_id: 'text', currency: 'text', account: 'text', amount: 'bigint' };

export const INSERT_PAYOUTS = `
insert into payouts (merchant_id, payout_id, transaction_id, purpose, method, currency, amount, amount_text, fee, rail,
  account_shown, fields, vault_token, content_hash, seal, state, accepted_at, accepted_why)
select merchant_id, payout_id, transaction_id, 'payout', method, currency, amount, amount_text, fee, rail,
  account_shown, fields, vault_token, content_hash, seal, 'pending', accepted_at, why from`;
export const INSERT_SEALED = `
insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at)
select merchant_id, vault_token, master_key_id, wrapped_key, ciphertext, accepted_at from`;
export const INSERT_JOBS = `
insert into payout_jobs (merchant_id, payout_id, rail, purpose, method, stage, stage_since, due_at)
select merchant_id, payout_id, rail, 'payout', method, 'queued', accepted_at, accepted_at from`;
