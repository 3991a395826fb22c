/**
 * Fails the deposits whose time has passed. It runs periodically, and concurrently in several processes, since each deposit
 * reaches its final state only once. While the gateway recovers, deposits from before the restore stay open: the payer may
 * have paid them in the recovery window, and the merchant may have a callback about it.
 */
import type { Clock } from '../../foundation/clock.ts';
import { isRecovering, type Recovery } from '../recovery/recovery.ts';
import type { DepositKey } from './deposit.ts';
import type { DepositComposer } from './deposit-callbacks.ts';
import type { DepositSettlementOutcome, DepositStore } from './deposit-store.ts';
import { planFailure } from './plan-failure.ts';

interface EndDepositParts {
  readonly store: Pick<DepositStore, 'settle' | 'findOverdue'>;
  readonly compose: Pick<DepositComposer, 'deposit'>;
  readonly recovery: () => Promise<Recovery | undefined>;
  readonly clock: Clock;
  readonly onEnded: (key: DepositKey, outcome: DepositSettlementOutcome) => void;
}

const BATCH = 256;

/** Resolves when no deposit is overdue, or after the batch during which the signal aborted. */
export async function expireDeposits(parts: EndDepositParts, signal: AbortSignal): Promise<void> {
  const recovery = await parts.recovery();
  const createdSince = isRecovering(recovery) ? recovery.startedAt : 0;
  for (;;) {
    const overdue = await parts.store.findOverdue(parts.clock.now(), createdSince, BATCH);
    await Promise.all(overdue.map((key) => endDeposit(parts, key)));
    if (overdue.length < BATCH || signal.aborted) return;
  }
}

/** Fails a deposit without money. If money has arrived since, the deposit has succeeded and nothing changes. */
async function endDeposit(parts: EndDepositParts, key: DepositKey): Promise<DepositSettlementOutcome> {
  const at = parts.clock.now();
  const outcome = await parts.store.settle({
    ...key,
    at,
    plan: ({ deposit }) =>
      at < deposit.closesAt
        ? undefined
        : planFailure(deposit, { reason: 'expired', actor: 'gateway', detail: '' }, { compose: parts.compose, at }),
  });
  parts.onEnded(key, outcome);
  return outcome;
}
