/** Stores form sessions: the links of merchants that payers opened. */
import type { PaymentType } from '../../../domain/methods/payment-type.ts';
import type { FormSession, Language } from '../../../domain/payments/form-session.ts';
import type { SessionRecord, SessionRetention } from '../../../domain/payments/payment-store.ts';
import type { Currency } from '../../../foundation/currency.ts';
import { ofReachable, sweep, textsOf } from '../../cluster/across-servers.ts';
import { FOR_CLUSTER, merchantsOf, STEP_BY_STEP } from '../../core/cluster-text.ts';
import type { Database } from '../../core/database.ts';
import { timestamp } from '../../core/parameters.ts';
import { readRecordedAttempts } from '../../deposits/attempt-rows.ts';
import { findDeposit } from '../../deposits/deposit-store.ts';

/** Safe to run again: the session's random id identifies it. */
export async function openSession(database: Database, session: FormSession, tokenHash: Buffer): Promise<void> {
  await database.prepared(
    'open-form-session',
    `${STEP_BY_STEP} with opened as (
       insert into form_sessions (merchant_id, session_id, order_id, currency, amount, amount_text, is_signed,
         visitor_hash, language, payment_type, parameters, created_at, expires_at, token_hash, transaction_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict (merchant_id, session_id) do nothing)
     insert into form_tokens (token_hash, merchant_id, session_id) values ($14, $1, $2) on conflict (token_hash) do nothing`,
    [
      session.merchantId,
      session.sessionId,
      session.orderId,
      session.money.currency,
      session.money.minor,
      session.amountText,
      session.isSigned,
      session.visitorHash,
      session.language,
      session.paymentType,
      JSON.stringify(session.parameters),
      timestamp(session.createdAt),
      timestamp(session.expiresAt),
      tokenHash,
      session.transactionId,
    ],
  );
}

const DESTROY = textsOf(
  (servers) => `${STEP_BY_STEP} with due as (
       (select merchant_id, session_id, token_hash from form_sessions
        where transaction_id is null and expires_at < $1${ofReachable(servers, 'form_sessions', '$4')} order by expires_at limit $3)
       union all
       (select merchant_id, session_id, token_hash from form_sessions
        where transaction_id is not null and expires_at < $2${ofReachable(servers, 'form_sessions', '$4')} order by expires_at limit $3)),
     unlisted as (delete from form_tokens as t using due where t.token_hash = due.token_hash)
     delete from form_sessions as s using due
     where s.merchant_id = ${merchantsOf('due')} ${FOR_CLUSTER} and s.merchant_id = due.merchant_id and s.session_id = due.session_id
     returning s.session_id`,
);

export async function destroySessions(
  database: Database,
  { unusedSince, usedSince, limit }: SessionRetention,
): Promise<number> {
  const values = [timestamp(unusedSince), timestamp(usedSince), limit];
  const destroyed = await sweep(database, DESTROY, values, 'destroy-form-sessions');
  return destroyed.length;
}

export async function findSession(database: Database, tokenHash: Buffer): Promise<SessionRecord | undefined> {
  const [row] = await database.prepared<SessionRow>(
    'find-form-session',
    `${STEP_BY_STEP} with listed as materialized (select merchant_id, session_id from form_tokens where token_hash = $1)
     select ${SESSION_COLUMNS} from listed join form_sessions as s using (merchant_id, session_id)
     where s.merchant_id = ${merchantsOf('listed')} ${FOR_CLUSTER}`,
    [tokenHash],
  );
  if (!row) return undefined;
  const session = sessionFromRow(row);
  const { merchantId, transactionId } = session;
  if (transactionId === null) return { session, deposit: null, attempts: [] };
  const key = { merchantId, transactionId };
  const [deposit, attempts] = await Promise.all([findDeposit(database, key), readRecordedAttempts(database, key)]);
  return { session, deposit: deposit ?? null, attempts };
}

const SESSION_COLUMNS = `s.merchant_id, s.session_id, s.order_id, s.currency, s.amount, s.amount_text, s.is_signed, s.visitor_hash,
  s.language, s.payment_type, s.parameters, s.transaction_id, s.created_at, s.expires_at`;

interface SessionRow {
  merchant_id: string;
  session_id: string;
  order_id: string;
  currency: Currency;
  amount: bigint;
  amount_text: string;
  is_signed: boolean;
  visitor_hash: Buffer | null;
  language: Language;
  payment_type: PaymentType | null;
  parameters: Record<string, string>;
  transaction_id: bigint | null;
  created_at: number;
  expires_at: number;
}

function sessionFromRow(row: SessionRow): FormSession {
  return {
    merchantId: row.merchant_id,
    sessionId: row.session_id,
    orderId: row.order_id,
    money: { currency: row.currency, minor: row.amount },
    amountText: row.amount_text,
    isSigned: row.is_signed,
    visitorHash: row.visitor_hash,
    language: row.language,
    paymentType: row.payment_type,
    parameters: row.parameters,
    transactionId: row.transaction_id === null ? null : Number(row.transaction_id),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
