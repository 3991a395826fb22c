/**
 * A table of the reasons why a bulk payout ended without money.
 *
 * Confirmed by VoPay's page of return codes: the Interac codes 0 to 8. Confirmed by its guide: a reason begins with its
 * code (`901 - NSF`). Not confirmed: the status and reason of a payout that nobody deposited, so the table accepts
 * every final status. Not confirmed: that a deposited payout can fail later. Interac documents this for fraud alone,
 * yet VoPay's sandbox has amounts that do so. Unless the reason says that nobody deposited it, the payout may therefore
 * have been reversed.
 */
import type { BlockedReason } from '../../domain/payouts/payout.ts';

export interface PayoutEnding {
  readonly blockedReason: BlockedReason;
  /** In our own wording. */
  readonly reason: string;
  /** True if nobody ever had the money. */
  readonly isUndeposited: boolean;
}

type Known = readonly [blockedReason: BlockedReason, says: string];

/** By Interac code. */
export const ENDINGS: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['0', ['cancelled', 'it was called back']],
  ['1', ['unspecified', 'the recipient declined it']],
  ['2', ['invalid_beneficiary', 'the recipient did not know the answer']],
  ['3', ['expired', 'nobody deposited it in time']],
  ['4', ['limit_or_risk', 'Interac stopped it']],
  ['5', ['invalid_beneficiary', 'its message could not be delivered']],
  ['6', ['cancelled', 'VoPay cancelled it by hand']],
  ['7', ['bank_declined', 'the recipient’s bank does not take it']],
  ['8', ['invalid_beneficiary', 'there is no such account']],
]);

const BY_STATUS: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['declined', ['unspecified', 'the recipient declined it']],
  ['expired', ['expired', 'nobody deposited it in time']],
  ['cancelled', ['cancelled', 'it was cancelled']],
]);

/** `status` is a final status, normalised. */
export function payoutEndingOf(status: string, failureReason: string): PayoutEnding {
  const [, number = ''] = /^\s*(\d{1,3})\b/.exec(failureReason) ?? [];
  const known = ENDINGS.get(number) ?? BY_STATUS.get(status);
  const [blockedReason, says] = known ?? ['unspecified', 'it failed'];
  return {
    blockedReason,
    reason: `VoPay says ${[status, number].join(' ').trim()}: ${says}`,
    isUndeposited: known !== undefined,
  };
}
