/**
 * Why the gateway does not send a payout yet, as one table: the note, what releases the payout, and when a worker looks
 * again. plan-claim.ts decides which reason applies. The database stores it as `held_because`; it never reads a note. Only
 * `seal_broken` also holds a payout that was sent, because the gateway queries no bank about a changed row.
 */
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Explanation } from '../operators/explanation.ts';
import type { Pause } from '../routing/pause-store.ts';
import { PAUSES_KNOWN_AFTER_MS } from '../routing/pauses.ts';
import { isUnsent, type PayoutStage } from './payout.ts';

export interface HeldPayout {
  readonly rail: string;
  readonly stage: PayoutStage;
  readonly seal?: Buffer | null;
  readonly pause: Pause | undefined;
  readonly closedUntil: Instant | undefined;
}

export type HoldTexts = Pick<Explanation<string>, 'waitsFor' | 'next' | 'merchantCan'>;

interface Hold {
  readonly note: (held: HeldPayout) => string;
  readonly texts: (held: HeldPayout) => HoldTexts;
  /** A worker looks again at growing intervals within these bounds: the first bounds the delay after a release. */
  readonly looksAfterMs: readonly [first: number, longest: number];
  /** The worker decides by its copy of pauses or hours, which may be outdated. So it soon looks a second time. */
  readonly mayBeOutdated: boolean;
  /** The event that makes the payout due immediately. Null: only the next check of a worker finds out. */
  readonly endedBy: 'resume' | 'new_hours' | 'rail_is_back' | null;
  /** The reason that its merchant sees. `stage`: the payout only waits, in its stage. */
  readonly shownToMerchant: 'recovering' | 'paused' | 'closed' | 'stage';
}

const FIRST_LOOK_MS = 30 * SECOND_MS;
const SOON = { looksAfterMs: [FIRST_LOOK_MS, 5 * MINUTE_MS], mayBeOutdated: false, endedBy: null } as const;

const RECOVERING: HoldTexts = {
  waitsFor:
    'the answer of every bank that may have it from before the restore, and then the completion of the recovery of its rail',
  next: 'the gateway asks each bank. After proof that no bank has it, a payout from before the restore is sent once its rail is completed, unless the operator cancels it first; a later one immediately. If a bank cannot answer, ask that bank yourself. If it has the payout, run "gateway payout resolve"; if no bank has it, run "gateway after-restore release"',
  merchantCan: 'wait; never repeat it under another id, because a bank may have paid it',
};

const UNSENT = 'wait, or ask the operator to cancel it: no bank has it';
const SENT = 'wait; never repeat it under another id, because the bank may have paid it';

export const HOLDS = {
  query_would_send: {
    ...SOON,
    shownToMerchant: 'recovering',
    note: ({ rail }) => `a query to ${rail} would send it: release it, or complete its rail`,
    texts: () => RECOVERING,
  },
  recovering: {
    ...SOON,
    shownToMerchant: 'recovering',
    note: () => 'no bank has it; it is sent once the recovery of its rail is completed',
    texts: () => RECOVERING,
  },
  seal_broken: {
    looksAfterMs: [HOUR_MS, HOUR_MS],
    mayBeOutdated: false,
    endedBy: null,
    shownToMerchant: 'stage',
    note: ({ seal }) => (seal === null ? 'its row has no seal' : 'its row differs from the accepted one'),
    texts: ({ stage }) => ({
      waitsFor: 'the operator, because its row does not fit its seal',
      next: 'the gateway checks its seal again each hour, and calls the bank only if the row is as it was accepted',
      merchantCan: isUnsent(stage) ? UNSENT : SENT,
    }),
  },
  paused: {
    looksAfterMs: [FIRST_LOOK_MS, HOUR_MS],
    mayBeOutdated: true,
    endedBy: 'resume',
    shownToMerchant: 'paused',
    note: ({ pause }) => `${pause?.scope} ${pause?.target} is paused`,
    texts: ({ pause }) => ({
      waitsFor: `the operator, who paused ${pause ? `${pause.scope} ${pause.target}: ${pause.reason}` : 'payouts'}`,
      next: 'the gateway sends it after the operator resumes',
      merchantCan: 'wait, or ask the operator',
    }),
  },
  rail_down: {
    ...SOON,
    mayBeOutdated: true,
    endedBy: 'rail_is_back',
    shownToMerchant: 'stage',
    note: () => 'the bank keeps failing',
    texts: ({ rail }) => ({
      waitsFor: `the bank behind ${rail}, which keeps failing`,
      next: `the gateway sends it when ${rail} answers again, or moves it to another rail`,
      merchantCan: UNSENT,
    }),
  },
  closed: {
    looksAfterMs: [0, HOUR_MS],
    mayBeOutdated: true,
    endedBy: 'new_hours',
    shownToMerchant: 'closed',
    note: ({ closedUntil }) => `closed until ${new Date(closedUntil ?? 0).toISOString()}`,
    texts: ({ rail }) => ({
      waitsFor: `the opening hours of ${rail}`,
      next: `the gateway sends it when ${rail} opens`,
      merchantCan: UNSENT,
    }),
  },
} as const satisfies Readonly<Record<string, Hold>>;

export type HoldReason = keyof typeof HOLDS;

export type HoldEnd = NonNullable<Hold['endedBy']>;

/** The reasons that this event ends. It makes no other held payout due: a broken seal outlasts every resume. */
export function reasonsEndedBy(end: HoldEnd): readonly HoldReason[] {
  return (Object.keys(HOLDS) as HoldReason[]).filter((reason) => HOLDS[reason].endedBy === end);
}

/** The time until a worker looks again at a payout that it holds back. */
export function lookAgainMs(
  because: HoldReason,
  before: { readonly stageSince: Instant; readonly heldBecause: HoldReason | null },
  closedUntil: Instant | undefined,
  now: Instant,
): number {
  const { looksAfterMs, mayBeOutdated } = HOLDS[because];
  const [first, longest] = looksAfterMs;
  const wanted = because === 'closed' && closedUntil !== undefined ? closedUntil - now : (now - before.stageSince) / 4;
  const waitMs = Math.min(Math.max(wanted, first), longest);
  return mayBeOutdated && before.heldBecause !== because ? Math.min(waitMs, PAUSES_KNOWN_AFTER_MS) : waitMs;
}
