/** Implements PaymentStore over PostgreSQL. */
import type { Deposit } from '../../domain/deposits/deposit.ts';
import type { DepositPlan } from '../../domain/deposits/deposit-store.ts';
import type { AttemptKey, PaymentAttempt } from '../../domain/payments/attempts/payment-attempt.ts';
import type { DueAttempt, PaymentEnd, PaymentStore } from '../../domain/payments/payment-store.ts';
import type { Clock } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { createAcrossServers, ofReachable, runAt, type Servers, textsOf } from '../cluster/across-servers.ts';
import { lockKey } from '../core/advisory-locks.ts';
import { createDueRowCheck } from '../core/check-due-rows.ts';
import { FOR_CLUSTER } from '../core/cluster-text.ts';
import type { Database, Queryable } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { persist } from '../core/patient-reads.ts';
import { ATTEMPT_COLUMNS, type AttemptRow, attemptFromRow, readAttempts } from '../deposits/attempt-rows.ts';
import { openDepositBatch } from '../deposits/deposit-batch.ts';
import { DEPOSIT_COLUMNS, type DepositRow, depositFromRow } from '../deposits/deposit-rows.ts';
import { findDeposit } from '../deposits/deposit-store.ts';
import { findOrderHolder } from '../deposits/order-holder.ts';
import { beginAttempt } from './attempts/begin-attempt.ts';
import { commitAttempt } from './attempts/commit-attempt.ts';
import { destroySessions, findSession, openSession } from './sessions/form-sessions.ts';

export function createPaymentStore(database: Database, clock: Clock): PaymentStore {
  const dueRowCheck = createDueRowCheck();
  const acrossServers = createAcrossServers(database, clock);
  return {
    openSession: (session, tokenHash) => persist(clock, () => openSession(database, session, tokenHash)),
    findOrder: (order) => findOrderHolder(database, order),
    findSession: (tokenHash) => findSession(database, tokenHash),
    begin: (request) => persist(clock, () => beginAttempt(database, request)),
    settle: (settlement) => persist(clock, () => commitAttempt(database, settlement)),
    end: (end) => persist(clock, () => endPayment(database, end)),
    destroySessions: (retention) => destroySessions(database, retention),
    claimDue: (rail, now, leaseUntil, limit) =>
      dueRowCheck(
        rail,
        () => acrossServers((servers) => isDue(database, servers, [rail, timestamp(now)])),
        () =>
          acrossServers((servers) => claimDue(database, servers, [rail, timestamp(now), timestamp(leaseUntil), limit])),
      ),
    find: (key) => findAttempt(database, key),
    findDue: (key) => findDue(database, key),
    findByReference: (rail, reference) => findByReference(database, rail, reference),
  };
}

function endPayment<Refusal extends string>(
  database: Database,
  { plan: planOf, at, ...key }: PaymentEnd<Refusal>,
): Promise<DepositPlan | Refusal> {
  return database.transaction(async (transaction) => {
    const batch = await openDepositBatch(transaction, [{ ...key, currency: undefined }]);
    const locked = batch.locked(key);
    invariant(locked, 'the deposit of a payment does not exist');
    const plan = planOf({ deposit: locked.deposit, attempts: await readAttempts(transaction, key) });
    if (typeof plan === 'string') return plan;
    batch.add(locked, plan, at);
    await batch.write();
    return plan;
  });
}

const IS_DUE = textsOf(
  (servers) => `
select 1 from payment_attempts where rail = $1 and ask_at <= $2${ofReachable(servers, 'payment_attempts', '$3')} order by ask_at limit 1`,
);

/** Only one process at a time claims for a rail, as in claim-payouts.ts. */
const CLAIM_DUE = textsOf(
  (servers) => `
with turn as materialized (select pg_try_advisory_xact_lock(${lockKey('turn', "'ask/' || $1")}) as mine),
due as (
  select merchant_id, transaction_id, attempt from payment_attempts
  where rail = $1 and ask_at <= $2 and (select mine from turn)${ofReachable(servers, 'payment_attempts', '$5')} order by ask_at limit $4)
update payment_attempts as a set ask_at = $3 from due
where a.merchant_id = due.merchant_id and a.transaction_id = due.transaction_id and a.attempt = due.attempt
  and a.ask_at <= $2${ofReachable(servers, 'a', '$5')}
returning ${ATTEMPT_COLUMNS}`,
);

async function isDue(database: Database, servers: Servers, values: readonly unknown[]): Promise<boolean> {
  return (await runAt(database, servers, 'is-attempt-due', IS_DUE, values)).length > 0;
}

async function claimDue(database: Database, servers: Servers, values: readonly unknown[]): Promise<DueAttempt[]> {
  const claimed = await runAt<AttemptRow>(database, servers, 'claim-due-attempts', CLAIM_DUE, values);
  if (claimed.length === 0) return [];
  const deposits = await readDeposits(database, claimed);
  return claimed.map((row) => {
    const deposit = deposits.get(`${row.merchant_id}/${row.transaction_id}`);
    invariant(deposit, 'the deposit of an attempt does not exist');
    return { attempt: attemptFromRow(row), deposit };
  });
}

async function readDeposits(database: Database, attempts: readonly AttemptRow[]): Promise<Map<string, Deposit>> {
  const rows = await database.prepared<DepositRow>(
    'read-deposits-of-attempts',
    `select ${DEPOSIT_COLUMNS} from unnest($1::text[], $2::bigint[]) as k(merchant_id, transaction_id)
     join deposits as d using (merchant_id, transaction_id) where d.merchant_id = any($1::text[]) ${FOR_CLUSTER}`,
    [attempts.map((row) => row.merchant_id), attempts.map((row) => row.transaction_id)],
  );
  return new Map(rows.map((row) => [`${row.merchant_id}/${row.transaction_id}`, depositFromRow(row)]));
}

export async function findAttempt(queryable: Queryable, key: AttemptKey): Promise<PaymentAttempt | undefined> {
  const [row] = await queryable.prepared<AttemptRow>(
    'find-attempt',
    `select ${ATTEMPT_COLUMNS} from payment_attempts as a
     where a.merchant_id = $1 and a.transaction_id = $2 and a.attempt = $3`,
    [key.merchantId, key.transactionId, key.attempt],
  );
  return row && attemptFromRow(row);
}

async function findDue(database: Database, key: AttemptKey): Promise<DueAttempt | undefined> {
  const [attempt, deposit] = await Promise.all([findAttempt(database, key), findDeposit(database, key)]);
  return attempt && deposit && { attempt, deposit };
}

async function findByReference(database: Database, rail: string, reference: string): Promise<AttemptKey | undefined> {
  const [row] = await database.prepared<{ merchant_id: string; transaction_id: bigint; attempt: number }>(
    'find-attempt-by-reference',
    'select merchant_id, transaction_id, attempt from payment_references where rail = $1 and reference = $2',
    [rail, reference],
  );
  return row && { merchantId: row.merchant_id, transactionId: Number(row.transaction_id), attempt: row.attempt };
}
