/**
 * Reads the deposit that holds an order, and displaces that deposit for a new request. A caller who decides on the order
 * must hold the merchant's lock.
 */
import type { Deposit, RecordedTransfer } from '../../domain/deposits/deposit.ts';
import type { CreditedTransfer, Displacement, PlanDisplacement } from '../../domain/deposits/deposit-store.ts';
import { stateAfter } from '../../domain/deposits/deposit-transitions.ts';
import { TRANSFER_TRANSITIONS } from '../../domain/deposits/transfer-transitions.ts';
import { mayBePaid } from '../../domain/payments/attempts/payment-attempt.ts';
import type { OrderHolder } from '../../domain/payments/payment-store.ts';
import type { Instant } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { Queryable } from '../core/database.ts';
import { readAttempts } from './attempt-rows.ts';
import { openDepositBatch } from './deposit-batch.ts';
import {
  DEPOSIT_COLUMNS,
  type DepositRow,
  depositFromRow,
  type IncomingTransferRow,
  TRANSFER_IN_COLUMNS,
  transferFromRow,
} from './deposit-rows.ts';
import { readReceiptRow } from './receipt-balances.ts';

export async function findOrderHolder(
  queryable: Queryable,
  { merchantId, orderId }: Pick<Deposit, 'merchantId' | 'orderId'>,
): Promise<OrderHolder | null> {
  const [row] = await queryable.query<DepositRow & { is_signed: boolean; visitor_hash: Buffer | null }>(
    `select ${DEPOSIT_COLUMNS}, o.is_signed, o.visitor_hash from deposit_orders as o
     join deposits as d using (merchant_id, transaction_id) where o.merchant_id = $1 and o.order_id = $2`,
    [merchantId, orderId],
  );
  if (!row) return null;
  const deposit = depositFromRow(row);
  const busy = (await readAttempts(queryable, deposit)).filter(mayBePaid);
  return {
    deposit,
    isSigned: row.is_signed,
    visitorHash: row.visitor_hash,
    busySince: busy.at(-1)?.startedAt ?? null,
  };
}

/** The request that takes over the order. */
interface Successor {
  readonly deposit: Pick<Deposit, 'transactionId'>;
  readonly displace: PlanDisplacement;
}

/** Takes the order from its deposit. An open or paid deposit is displaced. A failed one only loses the order (null). */
export async function freeOrder(
  transaction: Queryable,
  { deposit }: OrderHolder,
  successor: Successor,
  at: Instant,
): Promise<Displacement | null> {
  const { merchantId, orderId } = deposit;
  const makesWay = stateAfter(deposit, 'displaced') !== undefined;
  invariant(makesWay || deposit.state === 'fail', 'order holder is not displaceable');
  const displaced = makesWay ? await displace(transaction, deposit, successor, at) : null;
  await transaction.query('delete from deposit_orders where merchant_id = $1 and order_id = $2', [merchantId, orderId]);
  return displaced;
}

async function displace(
  transaction: Queryable,
  { merchantId, transactionId }: Deposit,
  { deposit: { transactionId: by }, displace: planOf }: Successor,
  at: Instant,
): Promise<Displacement> {
  const batch = await openDepositBatch(transaction, [{ merchantId, transactionId, currency: undefined }]);
  const locked = batch.locked({ merchantId, transactionId });
  invariant(locked, 'order holder is not displaceable');
  const { deposit } = locked;
  const balances = batch.book.balances(merchantId, deposit.money.currency);
  const credited = deposit.state === 'success' ? await readCredited(transaction, deposit) : [];
  batch.add(locked, planOf({ deposit, balances, credited }), at);
  await transaction.query('update deposits set displaced_by = $3 where merchant_id = $1 and transaction_id = $2', [
    merchantId,
    transactionId,
    by,
  ]);
  for (const { transfer } of credited) await holdAgain(transaction, transfer);
  await batch.write();
  return { merchantId, transactionId, held: credited.map(({ transfer }) => transfer) };
}

/**
 * Reads the transfers that a provider's report credited, with their fees. A transfer that the operator credited stays
 * credited, because a user decided that. A payment that was partly refunded or charged back also stays credited, because only
 * entire transfers are held.
 */
async function readCredited(
  transaction: Queryable,
  { merchantId, transactionId }: Deposit,
): Promise<CreditedTransfer[]> {
  const rows = await transaction.query<IncomingTransferRow & { fee_taken: bigint }>(
    `select ${TRANSFER_IN_COLUMNS}, (
       select coalesce(sum(l.amount), 0)::bigint from ledger_transfers as l
       where l.merchant_id = t.merchant_id and l.journal_id = 'transfer/' || t.rail || '/' || t.transfer_key || '/credit'
         and l.kind = 'deposit_fee') as fee_taken
     from transfers_in as t
     join payment_attempts as a on a.merchant_id = t.merchant_id and a.transaction_id = t.transaction_id
       and a.rail = t.rail and a.reference = t.pay_to
     where t.merchant_id = $1 and t.transaction_id = $2 and t.state = 'credited' and t.resolved_at is null
     order by t.recorded_at, t.rail, t.transfer_key`,
    [merchantId, transactionId],
  );
  const credited = rows.map((row) => ({ transfer: transferFromRow(row), fee: row.fee_taken }));
  const isWhole = await Promise.all(credited.map(({ transfer }) => isUntouched(transaction, transfer)));
  return credited.filter((_, index) => isWhole[index]);
}

async function isUntouched(transaction: Queryable, transfer: RecordedTransfer): Promise<boolean> {
  const [receipt] = await readReceiptRow(transaction, transfer.merchantId, transfer);
  return receipt?.taken_back === 0n && receipt.refunded === 0n;
}

async function holdAgain(
  transaction: Queryable,
  { merchantId, rail, transferKey, state }: CreditedTransfer['transfer'],
): Promise<void> {
  await transaction.query(
    `update incoming_transfers set state = $4, mismatch = 'displaced'
     where merchant_id = $1 and rail = $2 and transfer_key = $3`,
    [merchantId, rail, transferKey, TRANSFER_TRANSITIONS[state].displaced],
  );
}
