/**
 * The operator's word on what became of a payout, for when neither the bank's answers nor its list say: what a bank told
 * on paper or by telephone. Recorded with who says so and on what evidence.
 */
import type { Clock } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type WordsRefusal, wordsFault } from '../operators/operator-words.ts';
import type { BlockedCode, PayoutState } from './payout.ts';
import type { PayoutRecord, PayoutRecordStore } from './payout-record.ts';
import type { RecogniseByWord } from './recognise-by-word.ts';
import type { ReportPayout } from './report-payout.ts';

export const RESOLUTION_OUTCOMES = ['executed', 'declined', 'reversed'] as const;
export type ResolutionOutcome = (typeof RESOLUTION_OUTCOMES)[number];

export interface PayoutResolution {
  readonly outcome: ResolutionOutcome;
  /** Whose bank it was; null: the payout's. Only one that was told of it can have done anything. */
  readonly rail: string | null;
  /** Why it is blocked; only with `declined`. */
  readonly code: BlockedCode | null;
  /** What proves it: a letter, a statement, a call, with its date. */
  readonly evidence: string;
  readonly by: string;
}

export type ResolvePayoutFailure =
  | 'payout_not_found'
  /** The bank of that rail never heard of it. What waits to be sent may be cancelled. */
  | 'bank_not_told'
  /** Who says so, or on what evidence, can't stand in the record. */
  | WordsRefusal
  /** It is recorded like that already. */
  | 'nothing_changes';

export interface ResolvedPayout {
  readonly state: PayoutState;
  /** What came after the final state; null where this ended the payout. */
  readonly adjustment: string | null;
}

export type ResolvePayout = (
  key: PayoutKey,
  resolution: PayoutResolution,
) => Promise<Result<ResolvedPayout, ResolvePayoutFailure>>;

export interface ResolvePayoutParts {
  readonly records: Pick<PayoutRecordStore, 'record'>;
  readonly report: ReportPayout;
  readonly recogniseByWord: RecogniseByWord;
  readonly clock: Clock;
}

export function createResolvePayout(parts: ResolvePayoutParts): ResolvePayout {
  const { records, report, clock } = parts;
  return async (key, { outcome, code, evidence, by, rail: named }) => {
    const fault = wordsFault({ by, evidence });
    if (fault) return fail(fault);
    const record = await records.record(key);
    if (!record) return fail('payout_not_found');
    const rail = named ?? record.payout.rail;
    if (!(await isWithBank(parts, record, rail, `${by}: ${evidence}`))) return fail('bank_not_told');
    const reported = await report(key, null, {
      ...{ event: outcome, rail, detail: `${by}: ${evidence}`, actor: 'operator', at: clock.now() },
      ...(code === null ? {} : { code }),
    });
    if (reported.kind !== 'settled') return fail('nothing_changes');
    const { change, adjustment } = reported.plan;
    return ok({ state: change?.state ?? record.payout.state, adjustment: adjustment?.kind ?? null });
  };
}

/** By an attempt that is recorded, or by one that a restore made the database forget, which is recorded now. */
async function isWithBank(
  { records, recogniseByWord }: ResolvePayoutParts,
  record: PayoutRecord,
  rail: string,
  detail: string,
): Promise<boolean> {
  const isAt = (found: PayoutRecord | undefined) => found?.attempts.some((attempt) => attempt.rail === rail) === true;
  return isAt(record) || ((await recogniseByWord(record, rail, detail)) && isAt(await records.record(record.payout)));
}
