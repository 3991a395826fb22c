/**
 * Compares a provider's list of a day with the ledger. A pending payout gets the list's state, through the state gate. Every
 * other disagreement becomes a difference, which stays open until a user or a later comparison resolves it.
 */
import { type Clock, DAY_MS, HOUR_MS, type Instant } from '../../foundation/clock.ts';
import type { PayoutLister } from '../payouts/payout-lister.ts';
import type { ReferenceOf } from '../payouts/payout-order.ts';
import type { SettlePayout } from '../payouts/settle-payout.ts';
import { compareStatement, missingThere, type News } from './compare-payout-list.ts';
import { identifyPayouts } from './identify-payouts.ts';
import type { KnownPayout, ListDifference, Reconciliation, ReconciliationStore } from './reconciliation-store.ts';

interface ReconcilePayoutsParts {
  readonly lister: PayoutLister;
  readonly store: ReconciliationStore;
  readonly settle: SettlePayout;
  readonly referenceOf: ReferenceOf;
  readonly clock: Clock;
}

export interface ReconciledDay {
  readonly reconciliation: Reconciliation;
  readonly differences: readonly ListDifference[];
  /** The source of the comparison. Queries cannot find payouts that only the provider knows. */
  readonly by: 'list' | 'asking';
  /** Pending payouts of the rail that were not compared. A list compares those that the provider lists. */
  readonly waiting: number;
}

/** Rejects if the provider does not return a complete list. It has then compared nothing. */
export async function reconcilePayouts(
  parts: ReconcilePayoutsParts,
  day: string,
  signal: AbortSignal,
): Promise<ReconciledDay> {
  const { lister, store, referenceOf, clock } = parts;
  const { rail } = lister;
  const list = await lister.payoutsOf(day, signal);
  const references = list.payouts.flatMap(({ reference }) => reference ?? []);
  const known = new Map((await store.findKnown(rail, references)).map((each) => [each.reference, each]));
  const identified = await identifyPayouts(
    { rail, referenceOf, store },
    list.payouts.filter(({ reference }) => reference === null || !known.has(reference)),
  );
  const { matched, differences, news } = compareStatement(
    rail,
    list,
    (reference) => known.get(reference),
    (line) => identified.get(line),
  );
  const reported = await reportNews(parts, rail, 'list', news);
  const missing = await findMissing(parts, day, new Set(references), signal);
  const all = [...differences, ...reported.differences, ...missing];
  const reconciliation: Reconciliation = {
    rail,
    day,
    runAt: clock.now(),
    listed: list.payouts.length,
    matched,
    settled: reported.settled,
  };
  await store.keep(reconciliation, all, []);
  return { reconciliation, differences: all, by: 'list', waiting: 0 };
}

/**
 * Reports the provider's states to the state gate. A report without effect becomes a difference. `word` is a list or a
 * response, for the payout's history.
 */
export async function reportNews(
  { settle, clock }: Pick<ReconcilePayoutsParts, 'settle' | 'clock'>,
  rail: string,
  word: 'list' | 'answer',
  news: readonly News[],
): Promise<{ settled: number; differences: ListDifference[] }> {
  const differences: ListDifference[] = [];
  let settled = 0;
  for (const { known, event, otherwise } of news) {
    const detail = `by ${rail}’s ${word}`;
    const outcome = await settle(known.payout, null, { event, rail, detail, actor: rail, at: clock.now() });
    const isSettled = outcome.kind === 'settled' && (outcome.plan.change !== null || outcome.plan.journal !== null);
    if (isSettled) settled += 1;
    else differences.push(otherwise);
  }
  return { settled, differences };
}

/** The period around noon UTC of a day that covers the day in every time zone. */
const DAY_AROUND_MS = 26 * HOUR_MS;

/**
 * Finds payouts that we count as paid on the day and that the list lacks. It first reads the lists of the adjacent days and of
 * the day on which the payout was sent.
 */
async function findMissing(
  { lister, store, clock }: ReconcilePayoutsParts,
  day: string,
  listed: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ListDifference[]> {
  const { rail } = lister;
  const noon = Date.parse(`${day}T12:00:00Z`);
  const begin = firstAt(noon, (at) => lister.dayOf(at) >= day);
  const end = firstAt(noon, (at) => lister.dayOf(at) > day);
  const unlisted = (await store.paidBetween(rail, begin, end)).filter(({ reference }) => !listed.has(reference));
  if (unlisted.length === 0) return [];
  const days = new Set([
    ...daysBeside(lister, noon, clock.now()),
    ...unlisted.map(({ sentAt }) => lister.dayOf(sentAt)),
  ]);
  const beside = await referencesOf(
    lister,
    [...days].filter((each) => each !== day),
    signal,
  );
  const missing = unlisted.map(({ reference }) => reference).filter((reference) => !beside.has(reference));
  return (await store.findKnown(rail, missing)).filter(isPaid).map((known) => missingThere(rail, known));
}

/** Returns the first instant around a day's noon from which `isSo` holds. */
function firstAt(noon: Instant, isSo: (at: Instant) => boolean): Instant {
  let [before, after] = [noon - DAY_AROUND_MS, noon + DAY_AROUND_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isSo(middle)) after = middle;
    else before = middle;
  }
  return after;
}

/** A payout with a posted reversal moved no money in the end. */
function isPaid({ adjustedBy }: KnownPayout): boolean {
  return adjustedBy.reversed === undefined;
}

function daysBeside(lister: PayoutLister, noon: Instant, now: Instant): string[] {
  return [noon - DAY_MS, noon + DAY_MS].filter((at) => at <= now + DAY_MS / 2).map((at) => lister.dayOf(at));
}

async function referencesOf(lister: PayoutLister, days: readonly string[], signal: AbortSignal): Promise<Set<string>> {
  const references = new Set<string>();
  for (const day of days) {
    for (const { reference } of (await lister.payoutsOf(day, signal)).payouts)
      if (reference !== null) references.add(reference);
  }
  return references;
}
