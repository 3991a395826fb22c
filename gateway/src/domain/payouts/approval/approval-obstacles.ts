/** The obstacles to the approval of one payout, in the order in which a user should see them. */
import type { Clock } from '../../../foundation/clock.ts';
import type { MerchantDirectory } from '../../merchants/merchant-directory.ts';
import { mailboxOf } from '../../people/person.ts';
import type { PayoutRecord } from '../payout-record-store.ts';
import type { EarlierPayouts, KnownMaker } from '../payout-store.ts';

export interface ApprovingPerson {
  readonly person: string;
  readonly mailbox: string;
}

export interface ApprovalObstacleParts {
  readonly payouts: Pick<EarlierPayouts, 'findMaker'>;
  readonly directory: Pick<MerchantDirectory, 'find'>;
  readonly clock: Clock;
}

type Holds = (
  parts: ApprovalObstacleParts,
  record: Pick<PayoutRecord, 'payout' | 'job'>,
  who: ApprovingPerson,
) => boolean | Promise<boolean>;

const OBSTACLES = {
  already_final: (_parts, { job }) => job === null,
  /** The payout needs no approval, or another user has approved it. */
  not_waiting: (_parts, { job }) => job?.stage !== 'awaiting_approval',
  /** The payout's deadline has passed, and the gateway is about to block it. */
  too_late: ({ clock }, { job }) => typeof job?.approveBy === 'number' && job.approveBy <= clock.now(),
  /** The same user created it. A payout's maker never changes. */
  async own_payout({ payouts }, { payout }, who) {
    const maker = await payouts.findMaker(payout);
    return maker !== undefined && isMaker(maker, who);
  },
  /** A suspended merchant sends nothing new. */
  merchant_disabled: async ({ directory }, { payout }) =>
    (await directory.find(payout.merchantId))?.merchant.state === 'suspended',
} satisfies Record<string, Holds>;

export type ApprovalObstacle = keyof typeof OBSTACLES;

/** Resolves to null if no obstacle is known. The gate of the payout's state decides again, under the payout's lock. */
export async function findApprovalObstacle(
  parts: ApprovalObstacleParts,
  record: Pick<PayoutRecord, 'payout' | 'job'>,
  who: ApprovingPerson,
): Promise<ApprovalObstacle | null> {
  for (const [obstacle, holds] of Object.entries(OBSTACLES) as [ApprovalObstacle, Holds][])
    if (await holds(parts, record, who)) return obstacle;
  return null;
}

export function isMaker(
  { people, mailbox, emails }: Pick<KnownMaker, 'people' | 'mailbox' | 'emails'>,
  other: ApprovingPerson,
): boolean {
  if (people.includes(other.person)) return true;
  return other.mailbox !== '' && [mailbox, ...emails.map(mailboxOf)].includes(other.mailbox);
}
