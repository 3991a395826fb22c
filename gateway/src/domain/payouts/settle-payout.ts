/** Settles a payout: commits what plan-settlement.ts decides. */

import type { PayoutKey } from '../../foundation/identifiers.ts';
import type { WithParts } from '../../foundation/with-parts.ts';
import { type MerchantDirectory, merchantOf } from '../merchants/merchant-directory.ts';
import { isRecovering, type Recovery } from '../recovery/recovery.ts';
import type { Payout } from './payout.ts';
import type { PayoutComposer } from './payout-callbacks.ts';
import type { ClaimedPayout } from './payout-job-store.ts';
import type { PayoutStore, SettlementOutcome } from './payout-store.ts';
import { furtherContradiction, type PayoutReport, planSettlement } from './plan-settlement.ts';

interface SettlePayoutParts {
  readonly store: Pick<PayoutStore, 'settle'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly compose: PayoutComposer;
  /** If undefined, the command assumes that the database was never restored. */
  readonly recovery?: () => Promise<Recovery | undefined>;
  /** Called with the outcome after its commit, for metrics and alerts, and to wake the callback worker. */
  readonly onSettled: (key: PayoutKey, outcome: SettlementOutcome) => void;
}

export type SettlePayout = WithParts<typeof settlePayout>;

/** `fence` is the token of the report's lease, or null outside a lease. `claimed` is the claim that acquired the lease. */
export async function settlePayout(
  parts: SettlePayoutParts,
  { merchantId, payoutId }: PayoutKey,
  fence: number | null,
  report: PayoutReport,
  claimed?: ClaimedPayout,
): Promise<SettlementOutcome> {
  const merchant = await merchantOf(parts.merchants, merchantId);
  const recovery = await parts.recovery?.();
  const outcome = await parts.store.settle({
    merchantId,
    payoutId,
    fence,
    claimed,
    plan: (facts) =>
      fence === null && isLeftToAsking(facts.payout, report, recovery)
        ? undefined
        : planSettlement(facts, report, { merchant, compose: parts.compose }),
    otherwise: (facts) => furtherContradiction(facts, report),
  });
  parts.onSettled({ merchantId, payoutId }, outcome);
  return outcome;
}

/**
 * True for a decline that a bank lists or notifies while the gateway recovers. In the recovery window, the payout may have
 * moved to another bank, which paid it. The worker queries all of them (decision 55).
 */
function isLeftToAsking({ acceptedAt }: Payout, { event, actor, rail }: PayoutReport, recovery: Recovery | undefined) {
  return event === 'declined' && actor === rail && isRecovering(recovery) && acceptedAt < recovery.startedAt;
}
