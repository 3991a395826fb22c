/** The commit that accepts a refund of a receipt that was credited to the deposit, under the merchant's lock. */
import type { Deposit, DepositKey } from '../../../domain/deposits/deposit.ts';
import type {
  RefundableReceipt,
  RefundFacts,
  RefundRejection,
  RefundRequest,
} from '../../../domain/payments/adjustments/adjustment-store.ts';
import type { Payout } from '../../../domain/payouts/payout.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import type { Database, Queryable } from '../../core/database.ts';
import { readAttempts } from '../../deposits/attempt-rows.ts';
import { openDepositBatch } from '../../deposits/deposit-batch.ts';
import { leftOf, type ReceiptRow, readCreditedReceipts, readReceipts } from '../../deposits/receipt-balances.ts';
import { acceptWithin } from '../../payouts/accept/accept-carefully.ts';
import { readPayouts } from '../../payouts/payout-rows.ts';
import { findAttempt } from '../payment-store.ts';

export function acceptRefund(
  database: Database,
  { merchantId, transactionId, act, plan: planOf }: RefundRequest,
): Promise<Result<Payout, RefundRejection>> {
  return database.transaction(async (transaction) => {
    const batch = await openDepositBatch(transaction, [{ merchantId, transactionId, currency: undefined }]);
    const locked = batch.locked({ merchantId, transactionId });
    if (!locked) return fail({ kind: 'deposit_not_found' });
    const ordered = act === null ? undefined : await findOrdered(transaction, merchantId, act);
    if (ordered) return ok(ordered);
    const { deposit } = locked;
    const balances = batch.book.balances(merchantId, deposit.money.currency);
    const planned = planOf({ balances, ...(await readRefundFacts(transaction, deposit)) });
    if (!planned.ok) return planned;
    const { attempt, transferKey, payout, reason, note } = planned.value;
    await acceptWithin(transaction, payout, batch.book);
    await transaction.query(
      `insert into deposit_refunds (merchant_id, payout_id, transaction_id, attempt, transfer_key, reason, act)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [merchantId, payout.payout.payoutId, transactionId, attempt, transferKey, reason, act],
    );
    batch.add(locked, { change: null, journals: [], history: unchanging(deposit, note), callbacks: [] }, note.at);
    await batch.write();
    return ok(payout.payout);
  });
}

export async function readRefundFacts(queryable: Queryable, deposit: Deposit): Promise<Omit<RefundFacts, 'balances'>> {
  const receipts = await readRefundable(queryable, deposit);
  return { deposit, receipts, movedTo: receipts.length === 0 ? await findMovedTo(queryable, deposit) : null };
}

/** The action may be the repeat of one whose process died after its commit. */
async function findOrdered(transaction: Queryable, merchantId: string, act: string): Promise<Payout | undefined> {
  const [row] = await transaction.query<{ payout_id: string }>(
    'select payout_id from deposit_refunds where merchant_id = $1 and act = $2',
    [merchantId, act],
  );
  const [payout] = row ? await readPayouts(transaction, [{ merchantId, payoutId: row.payout_id }]) : [];
  return payout;
}

async function readRefundable(transaction: Queryable, deposit: DepositKey): Promise<RefundableReceipt[]> {
  const { merchantId, transactionId } = deposit;
  const rows = await readCreditedReceipts(transaction, deposit);
  // A receipt keeps the refunds that were ordered before the operator moved it here from another order of the merchant.
  const ordered = await transaction.query<{ attempt: number; transfer_key: string | null }>(
    `select attempt, transfer_key from deposit_refunds
     where merchant_id = $1 and (transfer_key = any($3::text[]) or (transaction_id = $2 and transfer_key is null))`,
    [merchantId, transactionId, rows.map((row) => row.transfer_key)],
  );
  const receipts: RefundableReceipt[] = [];
  for (const row of rows) {
    const { rail, transfer_key: transferKey } = row;
    const attempt = await findPayment(transaction, row);
    const isOfIt = (refund: (typeof ordered)[number]) =>
      refund.transfer_key === null ? refund.attempt === attempt?.attempt : refund.transfer_key === transferKey;
    receipts.push({ rail, transferKey, attempt, left: leftOf(row), refunds: ordered.filter(isOfIt).length });
  }
  return receipts;
}

/** Finds the payment that brought a receipt. It may belong to another deposit and another merchant. */
async function findPayment(
  transaction: Queryable,
  { rail, pay_to }: ReceiptRow,
): Promise<RefundableReceipt['attempt']> {
  const [row] = await transaction.query<{ merchant_id: string; transaction_id: bigint; attempt: number }>(
    'select merchant_id, transaction_id, attempt from payment_references where rail = $1 and reference = $2',
    [rail, pay_to],
  );
  if (!row) return null;
  const key = { merchantId: row.merchant_id, transactionId: Number(row.transaction_id), attempt: row.attempt };
  return (await findAttempt(transaction, key)) ?? null;
}

/** Finds the order to which the money of a deposit's own payments was credited. */
async function findMovedTo(transaction: Queryable, deposit: Deposit): Promise<RefundFacts['movedTo']> {
  for (const attempt of await readAttempts(transaction, deposit)) {
    for (const row of await readReceipts(transaction, attempt)) {
      if (row.status !== 'credited') continue;
      const [holder] = await transaction.query<{ order_id: string }>(
        'select order_id from deposits as d where d.merchant_id = $1 and d.transaction_id = $2',
        [row.merchant_id, row.transaction_id],
      );
      if (holder) return { merchantId: row.merchant_id, orderId: holder.order_id };
    }
  }
  return null;
}

function unchanging<Note>({ state }: Deposit, note: Note) {
  return { ...note, fromState: state, toState: state };
}
