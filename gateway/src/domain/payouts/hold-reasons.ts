/**
 * Why the gateway does not send a payout yet, as one table: the event that releases the payout, and when a worker checks
 * again. plan-claim.ts decides which reason applies, and hold-notes.ts describes it. The database stores it as
 * `held_because`; it never reads a note. Only `seal_broken` also holds a payout that was sent, because the gateway does not
 * query a bank about a changed row.
 */
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { PAUSES_KNOWN_AFTER_MS } from '../routing/pauses.ts';

interface Hold {
  /** A worker checks again at growing intervals within these bounds. The first also limits the delay after a release. */
  readonly looksAfterMs: readonly [first: number, longest: number];
  /** True if the worker's copy of pauses or hours may be outdated. It then soon checks a second time. */
  readonly mayBeOutdated: boolean;
  /** The event that makes the payout due immediately. Null if only a worker's next check detects the end of the hold. */
  readonly endedBy: 'resume' | 'new_hours' | 'rail_is_back' | null;
  /** The reason that its merchant sees. `stage` shows only its stage. */
  readonly shownToMerchant: 'recovering' | 'paused' | 'closed' | 'stage';
}

const FIRST_LOOK_MS = 30 * SECOND_MS;
const SOON = { looksAfterMs: [FIRST_LOOK_MS, 5 * MINUTE_MS], mayBeOutdated: false, endedBy: null } as const;

export const HOLDS = {
  query_would_send: { ...SOON, shownToMerchant: 'recovering' },
  recovering: { ...SOON, shownToMerchant: 'recovering' },
  seal_broken: { looksAfterMs: [HOUR_MS, HOUR_MS], mayBeOutdated: false, endedBy: null, shownToMerchant: 'stage' },
  paused: {
    looksAfterMs: [FIRST_LOOK_MS, HOUR_MS],
    mayBeOutdated: true,
    endedBy: 'resume',
    shownToMerchant: 'paused',
  },
  rail_down: { ...SOON, mayBeOutdated: true, endedBy: 'rail_is_back', shownToMerchant: 'stage' },
  closed: { looksAfterMs: [0, HOUR_MS], mayBeOutdated: true, endedBy: 'new_hours', shownToMerchant: 'closed' },
} as const satisfies Readonly<Record<string, Hold>>;

export type HoldReason = keyof typeof HOLDS;

export type HoldEnd = NonNullable<Hold['endedBy']>;

/** Returns the reasons that this event ends. Other held payouts stay held: a broken seal outlasts every resume. */
export function reasonsEndedBy(end: HoldEnd): readonly HoldReason[] {
  return (Object.keys(HOLDS) as HoldReason[]).filter((reason) => HOLDS[reason].endedBy === end);
}

/** Returns the time until a worker checks again a payout that it holds back. */
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
