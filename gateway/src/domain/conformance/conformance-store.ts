/** The port for the conformance runs of merchants. */
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { ConformanceRun } from './conformance-run.ts';

export interface ConformanceStore {
  /** Replaces the merchant's earlier run. */
  record(merchantId: MerchantId, run: ConformanceRun): Promise<void>;
  find(merchantId: MerchantId): Promise<ConformanceRun | undefined>;
}
