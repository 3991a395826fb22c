/** Calls a rail about a claimed payout. A call to the worker's own rail moves its breaker. */
import type { ClaimedPayout } from '../../domain/payouts/payout-job-store.ts';
import {
  type AnswerTo,
  callPayoutRail,
  type PayoutCall,
  type PayoutOrder,
  type PayoutRail,
} from '../../domain/payouts/payout-rail.ts';
import type { OneRailParts } from './loop-parts.ts';
import { countsAsFailure } from './rail-breaker.ts';

export type CallWithBreakerParts = Pick<OneRailParts, 'rail' | 'breaker' | 'clock' | 'deadlines' | 'onRailCall'>;

export async function callWithBreaker<Call extends PayoutCall>(
  { rail: own, breaker, clock, deadlines, onRailCall }: CallWithBreakerParts,
  claim: ClaimedPayout,
  rail: PayoutRail,
  call: Call,
  order: PayoutOrder,
): Promise<AnswerTo<Call>> {
  const isOwn = rail.name === own.name;
  const answer = await callPayoutRail({ clock, onRailCall, ...(isOwn && { deadlines }) }, rail, call, order);
  const { merchantId, payoutId } = claim.payout;
  const hasAnswered = answer.kind !== 'unknown' && answer.kind !== 'not_accepted';
  if (isOwn && hasAnswered) breaker.answered();
  else if (isOwn && (call === 'send' || countsAsFailure(claim))) breaker.failed(`${merchantId}/${payoutId}`);
  return answer;
}
