/**
 * The operator's statement of a payout's outcome, on evidence such as a letter or a call, for cases that neither the bank's
 * responses nor its list decide. The record contains the operator and the evidence.
 */

import type { Clock } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { WithParts } from '../../foundation/with-parts.ts';
import { type WordsRejection, wordsFault } from '../audit/act-words.ts';
import type { BlockedReason, PayoutState } from './payout.ts';
import type { PayoutRecord, PayoutRecordStore } from './payout-record-store.ts';
import type { recordForgottenAttempt } from './record-forgotten-attempt.ts';
import type { SettlePayout } from './settle-payout.ts';

export const RESOLUTION_OUTCOMES = ['executed', 'declined', 'reversed'] as const;
export type ResolutionOutcome = (typeof RESOLUTION_OUTCOMES)[number];

interface PayoutResolution {
  readonly outcome: ResolutionOutcome;
  /** The rail of the bank that acted, which must have received the payout. If null, the payout's current rail. */
  readonly rail: string | null;
  /** The reason of a blocked payout; only with `declined`. */
  readonly blockedReason: BlockedReason | null;
  /** The evidence: a letter, a statement or a call, with its date. */
  readonly evidence: string;
  readonly by: string;
}

export type ResolvePayoutFailure =
  | 'payout_not_found'
  /** The bank of that rail never received the payout. A queued payout can be cancelled instead. */
  | 'never_sent'
  /** The operator's name or the evidence is not acceptable for the record. */
  | WordsRejection
  /** The payout already has this outcome. */
  | 'nothing_changes';

interface ResolvedPayout {
  readonly state: PayoutState;
  /** The adjustment after the final state. Null if this made the payout final. */
  readonly adjustment: string | null;
}

interface ResolvePayoutParts {
  readonly payoutRecords: Pick<PayoutRecordStore, 'record'>;
  readonly settle: SettlePayout;
  readonly recordForgottenAttempt: WithParts<typeof recordForgottenAttempt>;
  readonly clock: Clock;
}

export async function resolvePayout(
  parts: ResolvePayoutParts,
  key: PayoutKey,
  { outcome, blockedReason, evidence, by, rail: named }: PayoutResolution,
): Promise<Result<ResolvedPayout, ResolvePayoutFailure>> {
  const { payoutRecords, settle, clock } = parts;
  const fault = wordsFault({ by, evidence });
  if (fault) return fail(fault);
  const record = await payoutRecords.record(key);
  if (!record) return fail('payout_not_found');
  const rail = named ?? record.payout.rail;
  if (!(await isWithBank(parts, record, rail, outcome, { evidence, by }))) return fail('never_sent');
  const reported = await settle(key, null, {
    event: outcome,
    rail,
    detail: evidence,
    actor: by,
    at: clock.now(),
    ...(blockedReason === null ? {} : { blockedReason }),
  });
  if (reported.kind !== 'settled') return fail('nothing_changes');
  const { change, adjustment } = reported.plan;
  return ok({ state: change?.state ?? record.payout.state, adjustment: adjustment?.kind ?? null });
}

/** True according to a recorded attempt, or to one that the restored database lost, which this function then records. */
async function isWithBank(
  { payoutRecords, recordForgottenAttempt }: ResolvePayoutParts,
  record: PayoutRecord,
  rail: string,
  outcome: ResolutionOutcome,
  { evidence, by }: Pick<PayoutResolution, 'evidence' | 'by'>,
): Promise<boolean> {
  const isAt = (found: PayoutRecord | undefined) => found?.attempts.some((attempt) => attempt.rail === rail) === true;
  if (isAt(record)) return true;
  const certainly = outcome === 'executed' ? outcome : null;
  return (
    (await recordForgottenAttempt(record, rail, certainly, evidence, by)) &&
    isAt(await payoutRecords.record(record.payout))
  );
}
