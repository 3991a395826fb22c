/** Compares a provider's statements about payouts, from a list or a response, with our books. Pure. */
import { invariant } from '../../foundation/invariant.ts';
import { formatMoney, isSameMoney } from '../../foundation/money.ts';
import { type ComparedKind, OF_NOTHING_OF_OURS } from '../differences/difference.ts';
import type { ListedPayout, PayoutList } from '../payouts/payout-lister.ts';
import type { RailStatus } from '../payouts/payout-rail.ts';
import type { IdentifiedPayout } from './identify-payouts.ts';
import type { KnownPayout, ListDifference } from './reconciliation-store.ts';

interface Comparison {
  /** The number of entries that match our books. */
  readonly matched: number;
  readonly differences: readonly ListDifference[];
  /** Final states or reversals that only the provider knows yet. The caller reports them as the rail's. */
  readonly news: readonly News[];
}

export interface News {
  readonly known: KnownPayout;
  readonly event: 'executed' | 'declined' | 'reversed';
  /** The difference to record if the report has no effect. */
  readonly otherwise: ListDifference;
}

/** The state of a payout's money at one rail, according to our books. */
type ListedState = ListedPayout['state'];

/** A payout that left a rail counts as declined there, because the rail provably did not accept it. */
export function stateAt(rail: string, { payout, adjustedBy }: Omit<KnownPayout, 'reference'>): ListedState {
  const isHere = payout.rail === rail;
  if (isHere && payout.state === 'pending') return 'pending';
  const isExecuted = adjustedBy.late_execution === rail || (isHere && payout.state === 'success');
  if (adjustedBy.reversed !== undefined && (isExecuted || isHere)) return 'reversed';
  return isExecuted ? 'executed' : 'declined';
}

/**
 * The result of comparing the provider's state with ours. `news`: it settles or reverses our payout. `differs`: no
 * money moves on it. Reversed and declined match each other: in both cases the merchant has the money.
 */
const BESIDE: Readonly<Record<ListedState, Readonly<Record<ListedState, 'matches' | 'news' | 'differs'>>>> = {
  // theirs: { ours }
  executed: { executed: 'matches', pending: 'news', declined: 'news', reversed: 'differs' },
  declined: { declined: 'matches', reversed: 'matches', pending: 'news', executed: 'differs' },
  reversed: { reversed: 'matches', declined: 'matches', pending: 'news', executed: 'news' },
  pending: { pending: 'matches', executed: 'differs', declined: 'differs', reversed: 'differs' },
};

/** `find` returns our payout by reference. `name` returns the payout behind an entry without such a reference. */
export function compareStatement(
  rail: string,
  { payouts, unreadable }: PayoutList,
  find: (reference: string) => KnownPayout | undefined,
  name: (line: ListedPayout) => IdentifiedPayout | undefined = () => undefined,
): Comparison {
  const differences: ListDifference[] = [...new Set(unreadable)].map(unreadableEntry);
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

function compareOne(
  rail: string,
  known: KnownPayout,
  lines: readonly ListedPayout[],
): 'matches' | News | ListDifference {
  const having = (state: ListedState) => lines.filter((line) => line.state === state);
  const [paid, returned] = [having('executed'), having('reversed')];
  // Some lists show an executed and returned payout as two lines.
  const executions = paid.length - returned.length;
  const line = (executions > 0 ? paid[0] : returned[0]) ?? lines[0];
  invariant(line, 'subject of a payout list has no line');
  if (executions > 1) return differenceOf(rail, 'duplicate', known, paid.map(describe).join('; '));
  if (!isSameMoney(line.money, known.payout.money)) return differenceOf(rail, 'amount', known, describe(line));
  return compareState(rail, known, line.state, describe(line));
}

function compareState(
  rail: string,
  known: KnownPayout,
  theirs: ListedState,
  theirState: string,
): 'matches' | News | ListDifference {
  const relation = BESIDE[theirs][stateAt(rail, known)];
  if (relation === 'matches') return 'matches';
  const otherwise = differenceOf(rail, 'state', known, theirState);
  // A provider's `pending` never changes a payout.
  return relation === 'news' && theirs !== 'pending' ? { known, event: theirs, otherwise } : otherwise;
}

/**
 * Compares a provider's response about one payout that is final here. A payout that the provider does not know counts as not
 * paid. `no_answer` means that there was no usable response about a payout that was not paid here either, such as one declined
 * before it was sent.
 */
export function compareAnswer(
  rail: string,
  known: KnownPayout,
  answer: RailStatus,
): 'matches' | 'no_answer' | News | ListDifference {
  const { kind } = answer;
  const reason = 'reason' in answer ? answer.reason : '';
  const isExecuted = stateAt(rail, known) === 'executed';
  if (kind === 'unknown') return isExecuted ? differenceOf(rail, 'unreadable', known, reason) : 'no_answer';
  if (kind !== 'not_found') return compareState(rail, known, kind, reason === '' ? kind : `${kind}: ${reason}`);
  return isExecuted ? differenceOf(rail, 'missing_there', known, 'not known there') : 'matches';
}

function differenceOf(rail: string, kind: ComparedKind, known: KnownPayout, theirs: string): ListDifference {
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

function missingHere(subject: string, line: ListedPayout, identified: IdentifiedPayout | undefined): ListDifference {
  return { kind: 'missing_here', subject, ...UNNAMED, ...identified, theirs: describe(line) };
}

/** Returns the difference for a payout that the provider should have executed on that day but does not list. */
export function missingThere(rail: string, known: KnownPayout): ListDifference {
  return differenceOf(rail, 'missing_there', known, 'not on the list');
}

/** The reason identifies the entry, because its position on a list may change. */
function unreadableEntry(reason: string): ListDifference {
  return { kind: 'unreadable', subject: reason, ...OF_NOTHING_OF_OURS, ours: '', theirs: reason };
}

function describe({ state, money, providerId }: ListedPayout): string {
  return `${state}, ${formatMoney(money)}, ${providerId}`;
}

function ourWords(rail: string, known: KnownPayout): string {
  const { money } = known.payout;
  return `${stateAt(rail, known)}, ${formatMoney(money)}`;
}
