/**
 * Answers two questions after a restore: whether a bank may have paid an unsent payout in the lost time, in which case the
 * gateway releases no money, and whether a provider has a payout that the database does not contain.
 */

import type { Clock } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import type { WithParts } from '../../foundation/with-parts.ts';
import {
  type CarryingRail,
  isRecovering,
  isToBeAskedFirst,
  type Recovery,
  timeInDoubtFor,
} from '../recovery/recovery.ts';
import type { RailReference } from '../recovery/recovery-store.ts';
import { isUnsent } from './payout.ts';
import type { ReferenceOf } from './payout-order.ts';
import type { PayoutRecordStore } from './payout-record-store.ts';

export interface ForgottenPayoutParts {
  readonly payoutRecords: Pick<PayoutRecordStore, 'record'>;
  readonly clock: Clock;
  readonly recovery: () => Promise<Recovery | undefined>;
  readonly rails: readonly CarryingRail[];
}

/** True if a bank may have paid the payout in the recovery window and was not queried yet. */
export async function mayBeForgotten(
  { payoutRecords, recovery, rails, clock }: ForgottenPayoutParts,
  key: PayoutKey,
): Promise<boolean> {
  const latest = await recovery();
  if (latest === undefined) return false;
  const record = await payoutRecords.record(key);
  if (!record) return isRecovering(latest);
  if (!record.job || !isUnsent(record.job.stage)) return false;
  if (isRecovering(latest) && !rails.some(({ name }) => name === record.payout.rail)) return true;
  const doubt = timeInDoubtFor(latest, rails, record.payout.rail, clock.now());
  return doubt !== undefined && isToBeAskedFirst(doubt.startedAt, record.job.askedAt);
}

interface ListedPayoutParts {
  readonly rails: readonly { readonly name: string }[];
  readonly referenceOf: ReferenceOf;
  /** Returns those of the references that a provider has and that match no payout. */
  readonly unaccounted: (references: () => readonly RailReference[]) => Promise<readonly RailReference[]>;
}

export type IsListed = WithParts<typeof isListed>;

/** True for a payout that the database does not have and a provider does, even after the recovery was completed. */
export async function isListed(
  { rails, referenceOf, unaccounted }: ListedPayoutParts,
  { merchantId, payoutId }: PayoutKey,
): Promise<boolean> {
  const references = () =>
    rails.map(({ name: rail }) => ({ rail, reference: referenceOf({ rail, merchantId, payoutId }) }));
  return (await unaccounted(references)).length > 0;
}
