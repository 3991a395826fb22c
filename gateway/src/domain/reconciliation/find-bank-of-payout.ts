/**
 * Queries each bank that may have a payout. Returns the rail of a bank that has it. A bank without a response proves nothing.
 */
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { payoutOrderOf, type ReferenceOf } from '../payouts/payout-order.ts';
import { callPayoutRail, mayHave, type PayoutCallParts, type PayoutRail } from '../payouts/payout-rail.ts';
import type { PayoutRecordStore } from '../payouts/payout-record-store.ts';
import type { RecoveryStore } from '../recovery/recovery-store.ts';

interface FindBankParts extends PayoutCallParts {
  readonly payoutRecords: Pick<PayoutRecordStore, 'record'>;
  readonly recoveries: Pick<RecoveryStore, 'latest'>;
  readonly rails: readonly PayoutRail[];
  readonly referenceOf: ReferenceOf;
}

export async function findBankOfPayout(parts: FindBankParts, key: PayoutKey): Promise<string | undefined> {
  const found = await parts.payoutRecords.record(key);
  if (!found) return undefined;
  const { payout, attempts } = found;
  const knownUntil = (await parts.recoveries.latest())?.knownUntil ?? payout.acceptedAt;
  const period = { sendUntil: parts.clock.now(), writtenFrom: Math.min(knownUntil, payout.acceptedAt) };
  const asked = parts.rails
    .filter((rail) => mayHave(rail, payout))
    .map(async (rail) => {
      const attempt = attempts.findLast((each) => each.rail === rail.name);
      const reference = attempt?.reference ?? parts.referenceOf({ ...key, rail: rail.name });
      const { kind } = await callPayoutRail(parts, rail, 'ask', payoutOrderOf(payout, { reference, ...period }));
      return kind === 'executed' || kind === 'pending' ? rail.name : undefined;
    });
  return (await Promise.all(asked)).find((rail) => rail !== undefined);
}
