/**
 * The command behind the approval of one payout. It moves a payout that awaits its approval to the queue. The gate of the
 * payout's state decides between an approval, a cancellation and the deadline.
 */

import type { Clock } from '../../../foundation/clock.ts';
import type { PayoutKey } from '../../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import type { MerchantDirectory } from '../../merchants/merchant-directory.ts';
import { type WordsRejection, wordsFault } from '../../operators/operator-words.ts';
import { mailboxOf } from '../../people/person.ts';
import type { PayoutRecordStore } from '../payout-record-store.ts';
import type { EarlierPayouts, KnownMaker } from '../payout-store.ts';
import type { SettlePayout } from '../settle-payout.ts';

export interface PayoutApproval {
  /** The person. */
  readonly by: string;
  readonly person: string;
  readonly mailbox: string;
  /** Why, in the person's words; empty for none. */
  readonly detail: string;
}

export type ApproveFailure =
  | 'payout_not_found'
  | 'already_final'
  /** The payout needs no approval, or another person approved it. */
  | 'not_waiting'
  /** The same person created it. */
  | 'own_payout'
  /** The payout's deadline has passed, and the gateway is about to block it. */
  | 'too_late'
  /** A suspended merchant sends nothing new. */
  | 'merchant_disabled'
  | WordsRejection;

interface ApprovePayoutParts {
  readonly records: Pick<PayoutRecordStore, 'record'>;
  readonly payouts: Pick<EarlierPayouts, 'findMaker'>;
  readonly directory: Pick<MerchantDirectory, 'find'>;
  readonly settle: SettlePayout;
  readonly clock: Clock;
}

export async function approvePayout(
  { records, payouts, directory, settle, clock }: ApprovePayoutParts,
  key: PayoutKey,
  { by, person, mailbox, detail }: PayoutApproval,
): Promise<Result<'approved', ApproveFailure>> {
  const fault = wordsFault({ by });
  if (fault) return fail(fault);
  if (!(await records.record(key))) return fail('payout_not_found');
  const maker = await payouts.findMaker(key);
  if (maker && isMaker(maker, { person, mailbox })) return fail('own_payout');
  if ((await directory.find(key.merchantId))?.merchant.state === 'suspended') return fail('merchant_disabled');
  const approver = { person, mailbox };
  const approval = { event: 'approved', rail: null, detail, actor: by, at: clock.now(), approver } as const;
  const outcome = await settle(key, null, approval);
  if (outcome.kind === 'settled') return ok('approved');
  const record = await records.record(key);
  if (!record) return fail('payout_not_found');
  // A repetition of an action that died after its commit.
  if (record.history.some(({ event, actor }) => event === 'approved' && actor === by)) return ok('approved');
  if (record.job === null) return fail('already_final');
  return fail(record.job.stage === 'awaiting_approval' ? 'too_late' : 'not_waiting');
}

/** A payout's maker never changes, so a read before the gate suffices. */
export function isMaker(
  { people, mailbox, emails }: Pick<KnownMaker, 'people' | 'mailbox' | 'emails'>,
  other: Pick<PayoutApproval, 'person' | 'mailbox'>,
): boolean {
  if (people.includes(other.person)) return true;
  return other.mailbox !== '' && [mailbox, ...emails.map(mailboxOf)].includes(other.mailbox);
}
