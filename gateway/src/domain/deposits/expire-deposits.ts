/** Deposits whose time is over end as failed. Run from time to time; several processes may, since each deposit ends once. */
import type { Clock } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import { type Deposit, type DepositKey, depositTransitions, type FailReason } from './deposit.ts';
import { type DepositComposer, depositCallback } from './deposit-callbacks.ts';
import type { DepositPlan, DepositSettlementOutcome, DepositStore } from './deposit-store.ts';

export interface EndDepositParts {
  readonly store: Pick<DepositStore, 'settle' | 'findOverdue'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly compose: Pick<DepositComposer, 'deposit'>;
  readonly clock: Clock;
  readonly onEnded: (key: DepositKey, outcome: DepositSettlementOutcome) => void;
}

const BATCH = 256;

/** Resolves when none is overdue any more, or after the batch in which the signal came. */
export async function expireDeposits(parts: EndDepositParts, signal: AbortSignal): Promise<void> {
  for (;;) {
    const overdue = await parts.store.findOverdue(parts.clock.now(), BATCH);
    await Promise.all(overdue.map((key) => endDeposit(parts, key, 'expired', 'gateway', '')));
    if (overdue.length < BATCH || signal.aborted) return;
  }
}

/** Ends a deposit without money. What came for it meanwhile wins: then nothing changes. */
export async function endDeposit(
  parts: EndDepositParts,
  key: DepositKey,
  reason: FailReason,
  actor: string,
  detail: string,
): Promise<DepositSettlementOutcome> {
  const found = await parts.merchants.find(key.merchantId);
  invariant(found, 'a deposit of a merchant that does not exist');
  const at = parts.clock.now();
  const outcome = await parts.store.settle({
    ...key,
    at,
    plan: ({ deposit }): DepositPlan | undefined => {
      if (depositTransitions.next(deposit.state, reason) === undefined) return undefined;
      if (reason === 'expired' && at < deposit.closesAt) return undefined;
      const change = { state: 'fail', failReason: reason, received: 0n, fee: 0n, finishedAt: at } as const;
      const failed: Deposit = { ...deposit, ...change };
      return {
        change,
        journals: [],
        history: { at, event: reason, fromState: deposit.state, toState: 'fail', actor, detail },
        callbacks: [depositCallback(deposit, parts.compose.deposit(failed), at)],
      };
    },
  });
  parts.onEnded(key, outcome);
  return outcome;
}
