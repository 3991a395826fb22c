/** Reroutes a claimed payout that no bank has to its next rail, or ends it at the previous rail that paid it. */
import type { ClaimedPayout } from '../../domain/payouts/payout-job-store.ts';
import type { OneRailParts } from './loop-parts.ts';

export type ReroutePayoutParts = Pick<OneRailParts, 'jobs' | 'merchant' | 'nextRail' | 'isDown' | 'clock'>;

/** Reroutes a payout that no bank received. The first rail may get it again after `waitMs`. Returns false without another rail. */
export async function rerouteToNextRail(
  { jobs, merchant, nextRail, isDown, clock }: ReroutePayoutParts,
  claim: ClaimedPayout,
  note: string,
  waitMs: number,
): Promise<boolean> {
  const next = await nextRail(await merchant(claim.payout), claim.payout, isDown);
  if (!next) return false;
  const at = clock.now();
  await jobs.reroute({ claim, at, dueAt: at + (next.isFirstAgain ? waitMs : 0), rail: next.rail, note });
  return true;
}

/** Ends a payout whose previous bank reports that it executed it, while no other bank has it. */
export async function endAtPreviousRail(
  { settle, clock }: Pick<OneRailParts, 'settle' | 'clock'>,
  { payout, fence }: ClaimedPayout,
  paidBy: string,
): Promise<void> {
  const ended = { event: 'executed', rail: paidBy, actor: paidBy, at: clock.now() } as const;
  await settle(payout, fence, { ...ended, detail: 'no other bank has it' });
}
