/** Hands a report about a payout to the one gate, with the merchant's wishes about callbacks. */
import { invariant } from '../../foundation/invariant.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { PayoutKey } from './payout.ts';
import type { PayoutComposer } from './payout-callbacks.ts';
import type { PayoutStore, SettlementOutcome } from './payout-store.ts';
import { type PayoutReport, planSettlement } from './settle-payout.ts';

export interface ReportPayoutParts {
  readonly store: Pick<PayoutStore, 'settle'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly compose: PayoutComposer;
  /** Told what was settled, after its commit: for metrics, alerts, and to wake the callback worker. */
  readonly onSettled: (key: PayoutKey, outcome: SettlementOutcome) => void;
}

/** `fence`: the lease under which the report was got, or null when it came from outside of one. */
export type ReportPayout = (key: PayoutKey, fence: number | null, report: PayoutReport) => Promise<SettlementOutcome>;

export function createReportPayout(parts: ReportPayoutParts): ReportPayout {
  return async ({ merchantId, payoutId }, fence, report) => {
    const found = await parts.merchants.find(merchantId);
    invariant(found, 'a payout of a merchant that does not exist');
    const outcome = await parts.store.settle({
      merchantId,
      payoutId,
      fence,
      plan: (facts) => planSettlement(facts, report, found.merchant, parts.compose),
    });
    parts.onSettled({ merchantId, payoutId }, outcome);
    return outcome;
  };
}
