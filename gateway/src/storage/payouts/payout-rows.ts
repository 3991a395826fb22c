/** Maps payouts and their keys between rows and types. */
import type { BlockedReason, Payout } from '../../domain/payouts/payout.ts';
import type { NewPayout } from '../../domain/payouts/payout-store.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { FOR_CLUSTER } from '../core/cluster-text.ts';
import type { Queryable } from '../core/database.ts';
import { inLockOrder, LOCK_ORDER } from '../core/lock-order.ts';
import { byteaText, timestamp } from '../core/parameters.ts';

export interface PayoutKeyRow {
  merchant_id: string;
  payout_id: string;
}

export function keyFromRow({ merchant_id, payout_id }: PayoutKeyRow): PayoutKey {
  return { merchantId: merchant_id, payoutId: payout_id };
}

/** Returns a payout's key as one text, for maps and sets. No merchant id contains a slash. */
export function keyText({ merchantId, payoutId }: PayoutKey): string {
  return `${merchantId}/${payoutId}`;
}

/** Locks the jobs for a transaction that changes several payouts by several statements. Citus locks merchant by merchant. */
export async function lockJobs(transaction: Queryable, items: readonly { payout: PayoutKey }[]): Promise<void> {
  const keys = inLockOrder(items, ({ payout }) => payout).map(({ payout }) => payout);
  const merchants = Map.groupBy(keys, ({ merchantId }) => merchantId);
  for (const [merchantId, ofMerchant] of merchants)
    await transaction.prepared('lock-jobs', LOCK_JOBS, [merchantId, ofMerchant.map(({ payoutId }) => payoutId)]);
}

const LOCK_JOBS = `
select 1 from payout_jobs where merchant_id = $1 and payout_id = any($2::text[]) order by ${LOCK_ORDER} for update`;

export const PAYOUT_COLUMNS = `p.merchant_id, p.payout_id, p.transaction_id, p.purpose, p.method, p.currency, p.amount, p.amount_text,
  p.fee, p.rail, p.account_shown, p.fields, p.vault_token, p.content_hash, p.state, p.blocked_reason, p.accepted_at, p.finished_at`;

/** The adjustments of payout `p` in the form of AdjustedBy. Rows older than the rail column belong to the payout's own rail. */
export const ADJUSTED_BY = `coalesce((
    select jsonb_object_agg(a.kind, coalesce(a.rail, p.rail)) from payout_adjustments as a
    where a.merchant_id = p.merchant_id and a.payout_id = p.payout_id), '{}') as adjusted_by`;

/** The same for payouts of the merchants $1. A cluster queries only the servers of the merchants in a parameter. */
export const ADJUSTED_BY_OF_NAMED = `coalesce((
    select jsonb_object_agg(a.kind, coalesce(a.rail, p.rail)) from payout_adjustments as a
    where a.merchant_id = any($1::text[]) ${FOR_CLUSTER} and a.merchant_id = p.merchant_id and a.payout_id = p.payout_id), '{}') as adjusted_by`;

export interface PayoutRow extends PayoutKeyRow, Pick<Payout, 'purpose' | 'method' | 'fee' | 'rail' | 'state'> {
  transaction_id: bigint;
  currency: Currency;
  amount: bigint;
  amount_text: string;
  account_shown: string;
  fields: Record<string, string>;
  vault_token: string | null;
  content_hash: Buffer;
  blocked_reason: BlockedReason | null;
  accepted_at: number;
  finished_at: number | null;
}

export function payoutFromRow(row: PayoutRow): Payout {
  return {
    merchantId: row.merchant_id,
    payoutId: row.payout_id,
    transactionId: Number(row.transaction_id),
    purpose: row.purpose,
    method: row.method,
    money: { currency: row.currency, minor: row.amount },
    amountText: row.amount_text,
    fee: row.fee,
    rail: row.rail,
    beneficiary: { accountShown: row.account_shown, fields: row.fields, vaultToken: row.vault_token },
    contentHash: row.content_hash,
    state: row.state,
    blockedReason: row.blocked_reason,
    acceptedAt: row.accepted_at,
    finishedAt: row.finished_at,
  };
}

/** Returns the JSON row of a payout and its vault record that the accepting statement reads. */
export function newPayoutRow({
  payout,
  vaultRecord,
  seal,
  why,
  approval,
  maker,
  by,
}: NewPayout): Record<string, unknown> {
  return {
    merchant_id: payout.merchantId,
    payout_id: payout.payoutId,
    transaction_id: payout.transactionId,
    purpose: payout.purpose,
    method: payout.method,
    currency: payout.money.currency,
    amount: payout.money.minor.toString(),
    amount_text: payout.amountText,
    fee: payout.fee.toString(),
    rail: payout.rail,
    account_shown: payout.beneficiary.accountShown,
    fields: payout.beneficiary.fields,
    vault_token: payout.beneficiary.vaultToken,
    content_hash: byteaText(payout.contentHash),
    seal: byteaText(seal),
    accepted_at: timestamp(payout.acceptedAt),
    master_key_id: vaultRecord?.sealed.masterKeyId,
    wrapped_key: vaultRecord ? byteaText(vaultRecord.sealed.wrappedKey) : null,
    ciphertext: vaultRecord ? byteaText(vaultRecord.sealed.ciphertext) : null,
    why: JSON.stringify(why),
    ...(maker && {
      maker_kind: maker.actor.kind,
      maker_id: maker.actor.id,
      maker_name: maker.actor.name,
      maker_people: maker.people,
      maker_mailbox: maker.mailbox,
    }),
    ...(by !== undefined && { maker_name: by }),
    ...(approval && { approve_by: timestamp(approval.by), approval_why: JSON.stringify([approval.why]) }),
  };
}

export async function readPayouts(queryable: Queryable, keys: readonly PayoutKey[]): Promise<Payout[]> {
  const rows = await queryable.prepared<PayoutRow>(
    'read-payouts',
    `select ${PAYOUT_COLUMNS} from unnest($1::text[], $2::text[]) as k(merchant_id, payout_id)
     join payouts as p using (merchant_id, payout_id) where p.merchant_id = any($1::text[]) ${FOR_CLUSTER}`,
    [keys.map(({ merchantId }) => merchantId), keys.map(({ payoutId }) => payoutId)],
  );
  return rows.map(payoutFromRow);
}

/**
 * Part of a statement: the number of the next entry in the history of payout $1, $2. The acceptance is entry 1 and has no row.
 */
export const NEXT_ENTRY = `
next as (
  select coalesce(max(entry), 1) + 1 as entry from payout_history where merchant_id = $1 and payout_id = $2)`;
