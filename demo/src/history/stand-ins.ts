/**
 * The banks of the history: they respond in this process, use the moved clock, and keep books for their lists. The simulators
 * serve only current payments.
 */
import type { ListedPayout, PayoutLister } from '../../../gateway/src/domain/payouts/payout-lister.ts';
import type { PayoutOrder, PayoutRail, RailAnswer } from '../../../gateway/src/domain/payouts/payout-rail.ts';
import { type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../../../gateway/src/foundation/clock.ts';
import type { Random } from '../../../gateway/src/foundation/random.ts';
import type { Outside } from '../../../gateway/src/main/outside.ts';

type Rails = ReturnType<Outside['createRails']>;

export interface StandIns {
  /** Returns the payout ports, implemented by these banks. */
  inPlaceOf(rails: Rails): Pick<Rails, 'payoutRails' | 'payoutListers'>;
  /** Adds a payout that the gateway never ordered to a bank's list of today. */
  listStranger(): void;
}

interface Entry {
  readonly rail: string;
  readonly listed: Omit<ListedPayout, 'state'>;
  readonly decidedAt: Instant;
  readonly fate: Extract<RailAnswer, { kind: 'executed' | 'declined' }>;
}

/** The fastest and the slowest decision. Each rail always has the same pace. */
const PACES: readonly (readonly [fastestMs: number, slowestMs: number])[] = [
  [SECOND_MS, 12 * SECOND_MS],
  [2 * SECOND_MS, 40 * SECOND_MS],
  [10 * SECOND_MS, 6 * MINUTE_MS],
  [20 * SECOND_MS, 25 * MINUTE_MS],
];

function paceOf(rail: string) {
  const sum = [...rail].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return PACES[sum % PACES.length] ?? ([SECOND_MS, MINUTE_MS] as const);
}

const DECLINES = [
  { kind: 'declined', blockedReason: 'bank_declined', reason: 'refused by the issuer' },
  { kind: 'declined', blockedReason: 'invalid_beneficiary', reason: 'the account is closed' },
  { kind: 'declined', blockedReason: 'limit_or_risk', reason: 'above the limit of the card' },
] as const;
const DECLINED_SHARE = 0.06;
const SILENT_SHARE = 0.02;

export function createStandIns(clock: Clock, random: Random): StandIns {
  const books = new Map<string, Entry>();
  const listing = new Set<string>();
  const take = (rail: string, { reference, money, remittance }: PayoutOrder): Entry => {
    const [fastest, slowest] = paceOf(rail);
    // Most decisions take little longer than the fastest.
    const decidesMs = fastest * (slowest / fastest) ** (random.fraction() ** 2);
    const decline = DECLINES[Math.floor(random.fraction() * DECLINES.length)] ?? DECLINES[0];
    const entry: Entry = {
      rail,
      listed: { reference, providerId: `H${books.size + 1}`, money, remittance },
      decidedAt: clock.now() + decidesMs,
      fate: random.fraction() < DECLINED_SHARE ? decline : { kind: 'executed' },
    };
    books.set(reference, entry);
    return entry;
  };
  const answerOf = ({ decidedAt, fate }: Entry) => (clock.now() < decidedAt ? ({ kind: 'pending' } as const) : fate);
  const payoutRail = (rail: PayoutRail): PayoutRail => ({
    ...rail,
    async send(order) {
      const known = books.get(order.reference);
      if (known) return answerOf(known);
      const entry = take(rail.name, order);
      return random.fraction() < SILENT_SHARE ? { kind: 'unknown', reason: 'no response in time' } : answerOf(entry);
    },
    async ask({ reference }) {
      const known = books.get(reference);
      return known ? answerOf(known) : { kind: 'not_found' };
    },
  });
  const payoutLister = (lister: PayoutLister): PayoutLister => ({
    ...lister,
    async payoutsOf(day) {
      const entries = [...books.values()].filter(
        ({ rail, decidedAt }) => rail === lister.rail && lister.dayOf(decidedAt) === day,
      );
      return { payouts: entries.map(({ listed, fate }) => ({ ...listed, state: fate.kind })), unreadable: [] };
    },
  });
  return {
    inPlaceOf({ payoutRails, payoutListers }) {
      for (const { rail } of payoutListers) listing.add(rail);
      return { payoutRails: payoutRails.map(payoutRail), payoutListers: payoutListers.map(payoutLister) };
    },
    listStranger() {
      const known = [...books.values()].find(({ rail }) => listing.has(rail));
      if (!known) throw new Error('the history: no bank has a list');
      const reference = 'P0000000000000000000000000DE0';
      const listed = { ...known.listed, reference, providerId: 'H0' };
      books.set(reference, { ...known, listed, decidedAt: clock.now(), fate: { kind: 'executed' } });
    },
  };
}
