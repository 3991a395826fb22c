/**
 * Decides the next step of a payout after a response of its bank that is not final. Two tables have a row for each response to
 * a send and to a query. The table in payout-transitions.ts decides the stage. Pure.
 */
import { type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { PayoutStage } from './payout.ts';
import type { ClaimedPayout, PayoutAttemptOutcome, Postponement } from './payout-job-store.ts';
import type { FinalAnswer, PayoutRail, RailAnswer, RailStatus } from './payout-rail.ts';
import { type StageEvent, stageAfter } from './payout-transitions.ts';

/** `unsent`: the worker wrote nothing to the bank. It queues the payout without a query, because some banks never answer it. */
export type SendNews = Exclude<RailAnswer, FinalAnswer> | { readonly kind: 'unsent'; readonly reason: string };

/** `declined` by this bank, while another bank may have the payout. */
export type QueryNews = Exclude<RailStatus, FinalAnswer> | Extract<RailAnswer, { kind: 'declined' }>;

export interface QueryCircumstances {
  /** The bank looked at this time or later. The response proves only that time. -Infinity if unknown. */
  readonly askedAt: Instant;
  /** True if the provider listed the reference. Then no rail sends the payout, whatever the provider returns. */
  readonly isUnaccounted: boolean;
  /**
   * The end of an attempt from before a restore, until its rail is completed. The payout may have been blocked in the lost
   * time, so it waits like one that was queued before. If undefined, the gateway may send it again.
   */
  readonly heldSince: Instant | undefined;
}

type AnsweringRail = Pick<PayoutRail, 'name' | 'askAfterMs' | 'notFoundProofMs'>;
export type AnsweredClaim = Pick<ClaimedPayout, 'stage' | 'attempts' | 'asks' | 'sendUntil'>;

export interface PayoutStep extends Pick<Postponement, 'stage' | 'stageSince' | 'asks' | 'note' | 'attemptOutcome'> {
  readonly waitMs: number;
  /** True if the next rail may send the payout immediately. */
  readonly mayReroute: boolean;
}

/** `leftMs` is the time until "not found" is proof. */
type Wait = AnsweringRail & Pick<AnsweredClaim, 'attempts' | 'asks'> & { readonly leftMs: number };

interface Row {
  readonly event: StageEvent;
  /** Null if the attempt keeps its outcome. */
  readonly outcome: PayoutAttemptOutcome | null;
  readonly waitMs: (wait: Wait) => number;
  readonly mayReroute?: true;
  /** If undefined, the note contains the bank's words. */
  readonly note?: string;
}

const RESEND_AFTER_MS = [1 * SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, 1 * MINUTE_MS, 5 * MINUTE_MS] as const;

export function resendAfterMs({ attempts }: Pick<ClaimedPayout, 'attempts'>): number {
  return RESEND_AFTER_MS[Math.min(attempts, RESEND_AFTER_MS.length) - 1] ?? MINUTE_MS;
}

/** Returns the time until the next query, after `asks` queries. */
export function askWaitMs({ askAfterMs }: Pick<PayoutRail, 'askAfterMs'>, asks: number): number {
  return askAfterMs[Math.min(asks, askAfterMs.length - 1)] ?? MINUTE_MS;
}

const nextQueryMs = (wait: Wait) => askWaitMs(wait, wait.asks);
const ACCEPTED = { event: 'pending', outcome: 'pending', waitMs: nextQueryMs } as const;
const DOUBTED = { event: 'unknown', outcome: null, waitMs: nextQueryMs } as const;
const REJECTED = { event: 'not_accepted', outcome: 'not_accepted', waitMs: resendAfterMs } as const;
const DENIED = { ...REJECTED, waitMs: () => 0 } as const;

const AFTER_SEND: Readonly<Record<SendNews['kind'], Row>> = {
  pending: ACCEPTED,
  unknown: { ...DOUBTED, outcome: 'unknown' },
  not_accepted: { ...REJECTED, mayReroute: true },
  unsent: REJECTED,
};

/**
 * - `still_pending`: the bank had the payout before. `lost`: it had, and no longer finds the payout.
 * - `never_got`: "not found" is proof. `listed`: it would be proof, but the provider's list contains the payout, so a
 * user must resolve the difference.
 */
type QueryReport = QueryNews['kind'] | 'still_pending' | 'lost' | 'never_got' | 'listed';

/** Before a first send, the worker queries every bank that may have a payout that one bank `declined` (ask-before-sending.ts). */
const AFTER_QUERY: Readonly<Record<QueryReport, Row>> = {
  pending: ACCEPTED,
  still_pending: { ...ACCEPTED, outcome: null },
  unknown: DOUBTED,
  not_found: { ...DOUBTED, waitMs: (wait) => Math.min(nextQueryMs(wait), wait.leftMs), note: 'not found yet' },
  lost: { ...DOUBTED, note: 'the bank no longer finds it' },
  never_got: { ...DENIED, mayReroute: true, note: 'the bank never received it' },
  listed: {
    ...DOUBTED,
    waitMs: ({ askAfterMs }) => askAfterMs.at(-1) ?? MINUTE_MS,
    note: 'the bank lists it, but a query does not find it: see "gateway difference list"',
  },
  declined: DENIED,
};

export function planSend(claim: AnsweredClaim, news: SendNews, { rail }: { readonly rail: AnsweringRail }): PayoutStep {
  return stepOf(claim.stage, AFTER_SEND[news.kind], wordsOf(news), { ...claim, ...rail, asks: 0, leftMs: 0 });
}

export function planQuery(
  claim: AnsweredClaim,
  news: QueryNews,
  { rail, ...query }: QueryCircumstances & { readonly rail: AnsweringRail },
): PayoutStep {
  const leftMs = (claim.sendUntil ?? 0) + rail.notFoundProofMs - query.askedAt;
  const row = AFTER_QUERY[reportOf(claim.stage, news, query, leftMs)];
  const asks = news.kind === 'declined' ? 0 : claim.asks + 1;
  const note = news.kind === 'declined' ? `${rail.name} declined it: ${news.reason}` : wordsOf(news);
  const step = stepOf(claim.stage, row, note, { ...claim, ...rail, asks, leftMs });
  if (query.heldSince === undefined || row.event !== 'not_accepted') return step;
  return { ...step, stageSince: query.heldSince, mayReroute: false };
}

function wordsOf(news: SendNews | QueryNews): string {
  if ('reason' in news) return news.reason;
  return news.kind === 'pending' ? (news.note ?? '') : '';
}

function reportOf(
  stage: PayoutStage,
  { kind }: QueryNews,
  { isUnaccounted }: QueryCircumstances,
  leftMs: number,
): QueryReport {
  if (kind === 'pending' && stage === 'at_bank') return 'still_pending';
  if (kind !== 'not_found') return kind;
  if (stageAfter(stage, 'not_accepted') === 'at_bank') return 'lost';
  if (leftMs > 0) return 'not_found';
  return isUnaccounted ? 'listed' : 'never_got';
}

function stepOf(
  from: PayoutStage,
  { event, outcome: attemptOutcome, ...row }: Row,
  words: string,
  wait: Wait,
): PayoutStep {
  const { note = words, mayReroute = false } = row;
  const stage = stageAfter(from, event);
  return { stage, asks: wait.asks, waitMs: row.waitMs(wait), note, attemptOutcome, mayReroute };
}
