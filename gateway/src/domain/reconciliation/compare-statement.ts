/**
 * What a provider says of payouts, in a list or one by one, held against what we know of them: each finding by its kind.
 * Pure.
 */
import { invariant } from '../../foundation/invariant.ts';
import { formatMoney, isSameMoney } from '../../foundation/money.ts';
import { type ComparedKind, OF_NOTHING_OF_OURS } from '../differences/difference.ts';
import type { ListedPayout, PayoutList } from '../payouts/payout-lister.ts';
import type { RailStatus } from '../payouts/payout-rail.ts';
import type { IdentifiedPayout } from './identify-payouts.ts';
import type { Difference, KnownPayout } from './reconciliation-store.ts';

export interface Comparison {
  /** How many are as the list has them. */
  readonly matched: number;
  readonly differences: readonly Difference[];
  /** What waits here, or was undone there, and has the provider's word now: to be reported as the rail's. */
  readonly news: readonly News[];
}

export interface News {
  readonly known: KnownPayout;
  readonly event: 'executed' | 'declined' | 'reversed';
  /** What the list and the ledger disagree on should the report change nothing. */
  readonly otherwise: Difference;
}

/** What our books say of a payout's money at one rail. */
type ListedState = ListedPayout['state'];

/** At a rail that the payout has left it counts as declined: it is proved that it was not taken there. */
export function stateAt(rail: string, { payout, adjustedBy }: Omit<KnownPayout, 'reference'>): ListedState {
  const isHere = payout.rail === rail;
  if (isHere && payout.state === 'pending') return 'pending';
  const isExecuted = adjustedBy.late_execution === rail || (isHere && payout.state === 'success');
  if (adjustedBy.reversed !== undefined && (isExecuted || isHere)) return 'reversed';
  return isExecuted ? 'executed' : 'declined';
}

/**
 * What the list's word means beside ours. `news`: it settles or undoes what we have; `differs`: nobody moves money on it.
 * A reversed payout that we know as declined is as good as reversed, and the other way round: the merchant has the money.
 */
const BESIDE: Readonly<Record<ListedState, Readonly<Record<ListedState, 'matches' | 'news' | 'differs'>>>> = {
  // theirs: { ours }
  executed: { executed: 'matches', pending: 'news', declined: 'news', reversed: 'differs' },
  declined: { declined: 'matches', reversed: 'matches', pending: 'news', executed: 'differs' },
  reversed: { reversed: 'matches', declined: 'matches', pending: 'news', executed: 'news' },
  pending: { pending: 'matches', executed: 'differs', declined: 'differs', reversed: 'differs' },
};

/** `find`: our payout by reference. `name`: the payout behind an entry with no such reference. */
export function compareStatement(
  rail: string,
  { payouts, unreadable }: PayoutList,
  find: (reference: string) => KnownPayout | undefined,
  name: (line: ListedPayout) => IdentifiedPayout | undefined = () => undefined,
): Comparison {
  const differences: Difference[] = [...new Set(unreadable)].map(unreadableEntry);
  const news: News[] = [];
  let matched = 0;
  for (const [subject, lines] of bySubject(payouts)) {
    const [line] = lines;
    if (!line) continue;
    const known = line.reference === null ? undefined : find(line.reference);
    const finding = known ? compareOne(rail, known, lines) : missingHere(subject, line, name(line));
    if (finding === 'matches') matched += 1;
    else if ('event' in finding) news.push(finding);
    else differences.push(finding);
  }
  return { matched, differences, news };
}

function bySubject(payouts: readonly ListedPayout[]): Map<string, ListedPayout[]> {
  const lines = new Map<string, ListedPayout[]>();
  for (const line of payouts) {
    const subject = line.reference ?? line.providerId;
    lines.set(subject, [...(lines.get(subject) ?? []), line]);
  }
  return lines;
}

function compareOne(rail: string, known: KnownPayout, lines: readonly ListedPayout[]): 'matches' | News | Difference {
  const having = (state: ListedState) => lines.filter((line) => line.state === state);
  const [paid, returned] = [having('executed'), having('reversed')];
  // What was executed and came back stands with both lines on some lists.
  const executions = paid.length - returned.length;
  const line = (executions > 0 ? paid[0] : returned[0]) ?? lines[0];
  invariant(line, 'a subject of a list has a line');
  if (executions > 1) return differenceOf(rail, 'duplicate', known, paid.map(describe).join('; '));
  if (!isSameMoney(line.money, known.payout.money)) return differenceOf(rail, 'amount', known, describe(line));
  return compareState(rail, known, line.state, describe(line));
}

function compareState(
  rail: string,
  known: KnownPayout,
  theirs: ListedState,
  theirWords: string,
): 'matches' | News | Difference {
  const relation = BESIDE[theirs][stateAt(rail, known)];
  if (relation === 'matches') return 'matches';
  const otherwise = differenceOf(rail, 'state', known, theirWords);
  // Only what left `pending` there can be news here.
  return relation === 'news' && theirs !== 'pending' ? { known, event: theirs, otherwise } : otherwise;
}

/**
 * What a provider answers about one payout that has ended here. What it does not know it has paid to nobody. `no_word`: it
 * says nothing of one that was paid to nobody here either, such as one that was declined before it was told.
 */
export function compareAnswer(
  rail: string,
  known: KnownPayout,
  answer: RailStatus,
): 'matches' | 'no_word' | News | Difference {
  const { kind } = answer;
  const reason = 'reason' in answer ? answer.reason : '';
  const isExecuted = stateAt(rail, known) === 'executed';
  if (kind === 'unknown') return isExecuted ? differenceOf(rail, 'unreadable', known, reason) : 'no_word';
  if (kind !== 'not_found') return compareState(rail, known, kind, reason === '' ? kind : `${kind}: ${reason}`);
  return isExecuted ? differenceOf(rail, 'missing_there', known, 'not known there') : 'matches';
}

function differenceOf(rail: string, kind: ComparedKind, known: KnownPayout, theirs: string): Difference {
  const { merchantId, payoutId } = known.payout;
  return {
    kind,
    subject: known.reference,
    merchantId,
    payoutId,
    transactionId: null,
    ours: ourWords(rail, known),
    theirs,
  };
}

const UNNAMED = { ...OF_NOTHING_OF_OURS, ours: 'unknown' } as const;

function missingHere(subject: string, line: ListedPayout, identified: IdentifiedPayout | undefined): Difference {
  return { kind: 'missing_here', subject, ...UNNAMED, ...identified, theirs: describe(line) };
}

/** Ours that the provider was to have executed on the day, and that are on none of its lists. */
export function missingThere(rail: string, known: KnownPayout): Difference {
  return differenceOf(rail, 'missing_there', known, 'not on the list');
}

/** Known again by what it says, since its place on a list may change. */
function unreadableEntry(reason: string): Difference {
  return { kind: 'unreadable', subject: reason, ...OF_NOTHING_OF_OURS, ours: '', theirs: reason };
}

function describe({ state, money, providerId }: ListedPayout): string {
  return `${state}, ${formatMoney(money)}, ${providerId}`;
}

function ourWords(rail: string, known: KnownPayout): string {
  const { money } = known.payout;
  return `${stateAt(rail, known)}, ${formatMoney(money)}`;
}
