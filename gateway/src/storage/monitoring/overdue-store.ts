/**
 * Implements OverdueStore over PostgreSQL. It reads every attempt and job that has not ended, for an operator and a few times
 * an hour. Their number follows from the traffic and is large only during an incident.
 */

import type {
  OverdueCount,
  OverduePayment,
  OverduePayout,
  OverdueQuery,
  OverdueStore,
} from '../../domain/monitoring/overdue-store.ts';
import { DECIDES_WITHIN_MS, type RailDeadline } from '../../domain/payments/attempts/payment-deadline.ts';
import type { PayoutStage } from '../../domain/payouts/payout.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import type { AttemptRow } from '../deposits/attempt-rows.ts';

export function createOverdueStore(database: Database): OverdueStore {
  return {
    payments: (query) => overduePayments(database, query),
    payouts: (query) => overduePayouts(database, query),
    count: (now, rails) => countOverdue(database, now, rails),
  };
}

const WITHIN = `coalesce(r.within_ms, ${DECIDES_WITHIN_MS}) * interval '1 millisecond'`;

const PAYMENTS = `
select * from (
  select a.merchant_id, a.transaction_id, a.attempt, d.order_id, d.currency, d.amount, a.rail, a.reference,
    a.provider_reference, a.state, a.detail, a.started_at, greatest(d.closes_at, a.send_until) + ${WITHIN} as deadline
  from payment_attempts as a
  join deposits as d using (merchant_id, transaction_id)
  left join unnest($2::text[], $3::bigint[]) as r(named, within_ms) on r.named = a.rail
  where a.ask_at is not null) as unfinished
where deadline <= $1`;

const PENDING_PAYOUTS = `
select * from (
  select j.merchant_id, j.payout_id, p.currency, p.amount, j.rail, j.stage, j.note, j.attempts, p.accepted_at,
    coalesce(j.held_because = 'seal_broken', false) as is_seal_broken,
    coalesce(j.approved_at, p.accepted_at) + ${WITHIN} as deadline
  from payout_jobs as j
  join payouts as p using (merchant_id, payout_id)
  left join unnest($2::text[], $3::bigint[]) as r(named, within_ms) on r.named = j.rail
  where j.stage <> 'awaiting_approval') as pending`;

const LIST_PAYMENTS = `${PAYMENTS} order by deadline limit $4`;

const LIST_PAYOUTS = `
select o.*, t.reference from (${PENDING_PAYOUTS} where (deadline <= $1 or is_seal_broken) and ($5::text is null or merchant_id = $5) order by is_seal_broken desc, deadline limit $4) as o
left join payout_attempts as t
  on t.merchant_id = o.merchant_id and t.payout_id = o.payout_id and t.attempt = o.attempts
order by o.is_seal_broken desc, o.deadline`;

const COUNT_PAYMENTS = `
select rail, count(*)::int as count, min(deadline) as oldest from (${PAYMENTS}) as o group by rail order by rail`;
const COUNT_PAYOUTS = `
select rail, count(*)::int as count, min(deadline) as oldest from (${PENDING_PAYOUTS} where deadline <= $1) as o group by rail order by rail`;

function parametersOf(now: Instant, deadlines: readonly RailDeadline[]) {
  const [names, times] = [deadlines.map(({ rail }) => rail), deadlines.map((each) => each.decidesWithinMs)];
  return [timestamp(now), names, times];
}

type Same =
  | 'merchant_id'
  | 'transaction_id'
  | 'attempt'
  | 'rail'
  | 'reference'
  | 'provider_reference'
  | 'state'
  | 'detail';

interface PaymentRow extends Pick<AttemptRow, Same> {
  order_id: string;
  currency: Currency;
  amount: bigint;
  started_at: number;
  deadline: number;
}

async function overduePayments(
  database: Database,
  { now, deadlines, limit }: OverdueQuery,
): Promise<readonly OverduePayment[]> {
  const rows = await database.query<PaymentRow>(LIST_PAYMENTS, [...parametersOf(now, deadlines), limit]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    transactionId: Number(row.transaction_id),
    attempt: row.attempt,
    orderId: row.order_id,
    money: { currency: row.currency, minor: row.amount },
    rail: row.rail,
    reference: row.reference,
    providerReference: row.provider_reference,
    state: row.state,
    detail: row.detail,
    startedAt: row.started_at,
    deadline: row.deadline,
  }));
}

interface PendingRow {
  merchant_id: string;
  payout_id: string;
  currency: Currency;
  amount: bigint;
  rail: string;
  stage: PayoutStage;
  note: string;
  is_seal_broken: boolean;
  reference: string | null;
  accepted_at: number;
  deadline: number;
}

async function overduePayouts(
  database: Database,
  { now, deadlines, limit, merchantId = null }: OverdueQuery,
): Promise<readonly OverduePayout[]> {
  const rows = await database.query<PendingRow>(LIST_PAYOUTS, [...parametersOf(now, deadlines), limit, merchantId]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    payoutId: row.payout_id,
    money: { currency: row.currency, minor: row.amount },
    rail: row.rail,
    reference: row.reference,
    stage: row.stage,
    note: row.note,
    isSealBroken: row.is_seal_broken,
    acceptedAt: row.accepted_at,
    deadline: row.deadline,
  }));
}

async function countOverdue(
  database: Database,
  now: Instant,
  rails: Parameters<OverdueStore['count']>[1],
): Promise<readonly OverdueCount[]> {
  type Row = { rail: string; count: number; oldest: number };
  const payments = await database.query<Row>(COUNT_PAYMENTS, parametersOf(now, rails.payments));
  const payouts = await database.query<Row>(COUNT_PAYOUTS, parametersOf(now, rails.payouts));
  return [
    ...payments.map((row) => ({ what: 'payments' as const, ...countFrom(row) })),
    ...payouts.map((row) => ({ what: 'payouts' as const, ...countFrom(row) })),
  ];
}

function countFrom({ rail, count, oldest }: { rail: string; count: number; oldest: number }) {
  return { rail, count, oldestDeadline: oldest };
}
