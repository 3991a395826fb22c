/**
 * Queries a provider now about one payout that its rail sent, and reports the response to the state gate. "Not found" has no
 * effect: only the worker's own queries may prove that a bank does not have a payout. It sends no query about a changed row,
 * and a rail that repeats a payout to query its outcome does so only for a payout in flight.
 */

import type { PayoutKey } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { AskPayoutFailure } from '../payouts/payout-obstacles.ts';
import { payoutOrderOf } from '../payouts/payout-order.ts';
import {
  callPayoutRail,
  type PayoutCallParts,
  type PayoutRail,
  type StatusCall,
  statusCallOf,
} from '../payouts/payout-rail.ts';
import type { PayoutAttempt, PayoutRecord, PayoutRecordStore } from '../payouts/payout-record-store.ts';
import { isAsAccepted, type SealParts } from '../payouts/payout-seal.ts';
import type { SettlePayout } from '../payouts/settle-payout.ts';
import { adjustedBy, wordsOf } from './ask-named-payouts.ts';
import { compareAnswer } from './compare-payout-list.ts';
import { reportNews } from './reconcile-payouts.ts';

export interface AskedPayout {
  readonly rail: string;
  readonly reference: string;
  /** The provider's response. */
  readonly theirs: string;
  /** True if the response changed the payout, or the gateway recorded it as an adjustment of the final state. */
  readonly changed: boolean;
}

interface AskPayoutParts extends SealParts, PayoutCallParts {
  readonly payoutRecords: Pick<PayoutRecordStore, 'record' | 'seal'>;
  readonly rails: readonly PayoutRail[];
  readonly settle: SettlePayout;
}

/** If `rail` is null, the gateway queries the rail of the latest attempt. */
export async function askPayout(
  parts: AskPayoutParts,
  key: PayoutKey,
  name: string | null,
): Promise<Result<AskedPayout, AskPayoutFailure>> {
  const { rails, clock } = parts;
  const found = await parts.payoutRecords.record(key);
  if (!found) return fail({ kind: 'payout_not_found' });
  const attempt = found.attempts.findLast((each) => name === null || each.rail === name);
  if (!attempt) return fail({ kind: 'never_sent' });
  const { reference } = attempt;
  const rail = rails.find((each) => each.name === attempt.rail);
  if (!rail) return fail({ kind: 'rail_not_configured', rail: attempt.rail });
  const by = statusCallOf(rail, found.payout);
  const obstacle = await obstacleTo(by, parts, found, attempt);
  if (obstacle) return ok({ rail: rail.name, reference, theirs: `not queried: ${obstacle}`, changed: false });
  // A rail searches the days since the attempt, and a bank forgets the keys of older requests. The worker may have sent the
  // payout again until now.
  const order = payoutOrderOf(found.payout, { reference, sendUntil: clock.now(), writtenFrom: attempt.startedAt });
  const status = await callPayoutRail(parts, rail, by, order);
  const known = { reference, payout: found.payout, adjustedBy: adjustedBy(found) };
  const finding = compareAnswer(rail.name, known, status);
  const isNews = typeof finding === 'object' && 'event' in finding;
  const reported = isNews ? await reportNews(parts, rail.name, 'answer', [finding]) : { settled: 0 };
  return ok({
    rail: rail.name,
    reference,
    theirs: wordsOf(status, found.payout.money),
    changed: reported.settled > 0,
  });
}

/**
 * In flight: the bank may have received it, and it is not final. The worker raises the alert of a changed row. A final payout
 * without a seal was accepted by an earlier version.
 */
async function obstacleTo(
  by: StatusCall,
  parts: AskPayoutParts,
  { payout, job }: PayoutRecord,
  { rail, reference }: PayoutAttempt,
): Promise<string | undefined> {
  if (by === 'repeat' && job?.stage !== 'unknown' && job?.stage !== 'at_bank')
    return 'the query would send it again, and it is not in flight';
  const seal = await parts.payoutRecords.seal(payout);
  const isOld = by === 'ask' && job === null && seal === null;
  const isFit = isOld || isAsAccepted(parts, { payout, seal, rail, reference });
  return isFit ? undefined : 'its row was changed after acceptance';
}
