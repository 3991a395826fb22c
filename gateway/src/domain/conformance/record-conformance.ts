/** Evaluates a run of `gateway conform`, and records it for its merchant. */
import type { Clock } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { fail, type Result } from '../../foundation/result.ts';
import type { MerchantStore } from '../merchants/merchant-store.ts';
import { type ConformanceRun, judgeRun, type KnownCheck, type ReportedResult } from './conformance-run.ts';
import type { ConformanceStore } from './conformance-store.ts';

interface RecordConformanceParts {
  readonly merchants: Pick<MerchantStore, 'find'>;
  readonly conformance: Pick<ConformanceStore, 'record'>;
  readonly checks: readonly KnownCheck[];
  readonly clock: Clock;
}

export async function recordConformance(
  { merchants, conformance, checks, clock }: RecordConformanceParts,
  merchantId: MerchantId,
  results: readonly ReportedResult[],
  address: string,
): Promise<Result<ConformanceRun, 'merchant_not_found' | { readonly wrongCheck: string }>> {
  if (!(await merchants.find(merchantId, clock.now()))) return fail('merchant_not_found');
  const judged = judgeRun(results, checks, address, clock.now());
  if (!judged.ok) return fail({ wrongCheck: judged.error });
  await conformance.record(merchantId, judged.value);
  return judged;
}
