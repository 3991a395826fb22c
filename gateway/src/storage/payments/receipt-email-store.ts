/** Implements ReceiptEmailStore over PostgreSQL. */
import type { DepositKey } from '../../domain/deposits/deposit.ts';
import type { Language } from '../../domain/payments/form-session.ts';
import type { DueReceipt, ReceiptAddress, ReceiptEmailStore } from '../../domain/payments/receipt-email-store.ts';
import type { Instant } from '../../foundation/clock.ts';
import { ofReachable, sweep, textsOf } from '../cluster/across-servers.ts';
import type { Database, Queryable } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { readRecordedAttempts } from '../deposits/attempt-rows.ts';
import { findDeposit } from '../deposits/deposit-store.ts';

export function createReceiptEmailStore(database: Database): ReceiptEmailStore {
  return {
    due: (now, limit) => findDue(database, now, limit),
    async read(key) {
      const [deposit, attempts] = await Promise.all([findDeposit(database, key), readRecordedAttempts(database, key)]);
      return deposit && { deposit, attempts };
    },
    async postpone({ merchantId, transactionId }, until) {
      await database.prepared(
        'postpone-receipt',
        'update receipt_emails set look_at = $3 where merchant_id = $1 and transaction_id = $2',
        [merchantId, transactionId, timestamp(until)],
      );
    },
    async take({ merchantId, transactionId }) {
      const taken = await database.prepared(
        'take-receipt',
        'delete from receipt_emails where merchant_id = $1 and transaction_id = $2 returning 1',
        [merchantId, transactionId],
      );
      return taken.length > 0;
    },
    putBack: (receipt, lookAt) => keepReceiptAddress(database, receipt, receipt, lookAt, receipt.tries),
  };
}

interface ReceiptRow {
  merchant_id: string;
  transaction_id: bigint;
  email: string;
  language: Language;
  time_zone: string;
  is_signed: boolean;
  tries: number;
}

const DUE = textsOf(
  (servers) => `select merchant_id, transaction_id, email, language, time_zone, is_signed, tries from receipt_emails
     where look_at <= $1${ofReachable(servers, 'receipt_emails', '$3')} order by look_at limit $2`,
);

async function findDue(database: Database, now: Instant, limit: number): Promise<DueReceipt[]> {
  const rows = await sweep<ReceiptRow>(database, DUE, [timestamp(now), limit], 'due-receipts');
  return rows.map(({ email, language, tries, ...row }) => ({
    merchantId: row.merchant_id,
    transactionId: Number(row.transaction_id),
    email,
    language,
    timeZone: row.time_zone,
    isSigned: row.is_signed,
    tries,
  }));
}

/** The address of the payer's last attempt counts. */
export async function keepReceiptAddress(
  queryable: Queryable,
  { merchantId, transactionId }: DepositKey,
  { email, language, timeZone, isSigned }: ReceiptAddress,
  lookAt: Instant,
  tries = 0,
): Promise<void> {
  await queryable.prepared(
    'keep-receipt-address',
    `insert into receipt_emails (merchant_id, transaction_id, email, language, is_signed, look_at, tries, time_zone)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (merchant_id, transaction_id)
     do update set email = excluded.email, language = excluded.language, look_at = excluded.look_at,
       time_zone = excluded.time_zone`,
    [merchantId, transactionId, email, language, isSigned, timestamp(lookAt), tries, timeZone],
  );
}
