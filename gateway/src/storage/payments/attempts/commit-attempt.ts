/** Commits what the plans of an attempt decide, with their effects on the deposit. */
import type { AttemptKey } from '../../../domain/payments/attempts/payment-attempt.ts';
import type { AttemptChange } from '../../../domain/payments/attempts/plan-attempt.ts';
import type { AttemptOutcome, AttemptSettlement } from '../../../domain/payments/payment-store.ts';
import type { Database, Queryable } from '../../core/database.ts';
import { timestampOrNull } from '../../core/parameters.ts';
import { readAttempts } from '../../deposits/attempt-rows.ts';
import { openDepositBatch, recordTransfers } from '../../deposits/deposit-batch.ts';
import { newTransferRow } from '../../deposits/deposit-rows.ts';
import { destroyAttemptCard } from '../../vault/destroy-records.ts';

/** Records the received money like a transfer, in the commit that ends the attempt. */
export function commitAttempt(
  database: Database,
  { plans, at, ...key }: AttemptSettlement,
): Promise<readonly AttemptOutcome[]> {
  return database.transaction(async (transaction) => {
    const batch = await openDepositBatch(transaction, [{ ...key, currency: undefined }]);
    const attempts = await readAttempts(transaction, key);
    const found = attempts.find((each) => each.attempt === key.attempt);
    const locked = batch.locked(key);
    if (!found || !locked) return plans.map(() => ({ kind: 'not_found' }));
    const others = attempts.filter((each) => each !== found);
    let attempt = found;
    const outcomes = plans.map((planOf): AttemptOutcome => {
      const { deposit } = locked;
      const balances = batch.book.balances(deposit.merchantId, deposit.money.currency);
      const plan = planOf({ deposit, attempt, others, balances });
      if (!plan) return { kind: 'unchanged' };
      attempt = { ...attempt, ...plan.change };
      if (plan.receipt) batch.add(locked, plan.receipt.plan, at);
      if (plan.end) batch.add(locked, plan.end, at);
      return { kind: 'settled', plan };
    });
    if (attempt === found) return outcomes;
    await writeChange(transaction, key, attempt);
    if (attempt.finishedAt !== null) await destroyAttemptCard(transaction, key);
    await writeReceipts(transaction, key, outcomes, at);
    await batch.write();
    return outcomes;
  });
}

async function writeReceipts(
  transaction: Queryable,
  key: AttemptKey,
  outcomes: readonly AttemptOutcome[],
  at: number,
): Promise<void> {
  const rows = outcomes.flatMap((outcome) => {
    const receipt = outcome.kind === 'settled' ? outcome.plan.receipt : null;
    if (!receipt) return [];
    const { transfer, foundBy, plan } = receipt;
    return [newTransferRow({ ...key, transfer, foundBy, recordedAt: at, card: null, plan: () => plan }, plan.transfer)];
  });
  if (rows.length > 0) await recordTransfers(transaction, rows);
}

async function writeChange(
  transaction: Queryable,
  { merchantId, transactionId, attempt }: AttemptKey,
  change: AttemptChange,
): Promise<void> {
  await transaction.prepared(
    'settle-attempt',
    `update payment_attempts set state = $4, step = $5, is_authorised = $6, refusal = $7, can_retry = $8, detail = $9,
       provider_reference = $10, kept = $11, receipts = $12, ask_at = $13, asks = $14, finished_at = $15,
       open_returns = $16
     where merchant_id = $1 and transaction_id = $2 and attempt = $3`,
    [
      merchantId,
      transactionId,
      attempt,
      change.state,
      change.step === null ? null : JSON.stringify(change.step),
      change.isAuthorised,
      change.refusal,
      change.canRetry,
      change.detail,
      change.providerReference,
      change.kept,
      change.receipts,
      timestampOrNull(change.askAt),
      change.asks,
      timestampOrNull(change.finishedAt),
      change.openReturns,
    ],
  );
}
