/**
 * Holds a provider's list of a day against the ledger. What waited here ends with what the list says, by the one gate of a
 * payout's state; every other disagreement is kept as a difference, by its kind, until somebody resolves it.
 */
import { type Clock, DAY_MS, HOUR_MS, type Instant } from '../../foundation/clock.ts';
import type { PayoutLister } from '../payouts/payout-lister.ts';
import type { ReferenceOf } from '../payouts/payout-reference.ts';
import type { ReportPayout } from '../payouts/report-payout.ts';
import { compareStatement, missingThere, type News } from './compare-statement.ts';
import { identifyPayouts } from './identify-payouts.ts';
import type { Difference, KnownPayout, Reconciliation, ReconciliationStore } from './reconciliation-store.ts';

export interface ReconcilePayoutsParts {
  readonly lister: PayoutLister;
  readonly store: ReconciliationStore;
  readonly report: ReportPayout;
  readonly referenceOf: ReferenceOf;
  readonly clock: Clock;
}

export interface ReconciledDay {
  readonly reconciliation: Reconciliation;
  readonly differences: readonly Difference[];
  /** What the provider was compared by; by asking, what only the provider knows is not seen. */
  readonly by: 'list' | 'asking';
  /** Payouts of the rail that wait here and were not compared; a list compares those that its provider has. */
  readonly waiting: number;
}

/** Rejects when the provider gives no whole list; then nothing was compared. */
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
  const told = await reportNews(parts, rail, 'list', news);
  const missing = await findMissing(parts, day, new Set(references), signal);
  const all = [...differences, ...told.differences, ...missing];
  const reconciliation: Reconciliation = {
    ...{ rail, day, runAt: clock.now() },
    ...{ listed: list.payouts.length, matched, settled: told.settled },
  };
  await store.keep(reconciliation, all, []);
  return { reconciliation, differences: all, by: 'list', waiting: 0 };
}

/** By the one gate; what changes nothing there is a difference. `word`: what of the rail's it is news by. */
export async function reportNews(
  { report, clock }: Pick<ReconcilePayoutsParts, 'report' | 'clock'>,
  rail: string,
  word: 'list' | 'answer',
  news: readonly News[],
): Promise<{ settled: number; differences: Difference[] }> {
  const differences: Difference[] = [];
  let settled = 0;
  for (const { known, event, otherwise } of news) {
    const detail = `by ${rail}’s ${word}`;
    const outcome = await report(known.payout, null, { event, rail, detail, actor: rail, at: clock.now() });
    const isSettled = outcome.kind === 'settled' && (outcome.plan.change !== null || outcome.plan.journal !== null);
    if (isSettled) settled += 1;
    else differences.push(otherwise);
  }
  return { settled, differences };
}

/** Around a day's noon in UTC, all of that day in any time zone. */
const DAY_AROUND_MS = 26 * HOUR_MS;

/** What we have as paid on the day and the list has not: the days beside it, and that of its beginning, are looked at first. */
async function findMissing(
  { lister, store, clock }: ReconcilePayoutsParts,
  day: string,
  listed: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Difference[]> {
  const { rail } = lister;
  const noon = Date.parse(`${day}T12:00:00Z`);
  const begin = firstAt(noon, (at) => lister.dayOf(at) >= day);
  const end = firstAt(noon, (at) => lister.dayOf(at) > day);
  const unlisted = (await store.paidBetween(rail, begin, end)).filter(({ reference }) => !listed.has(reference));
  if (unlisted.length === 0) return [];
  const days = new Set([
    ...daysBeside(lister, noon, clock.now()),
    ...unlisted.map(({ toldAt }) => lister.dayOf(toldAt)),
  ]);
  const beside = await referencesOf(
    lister,
    [...days].filter((each) => each !== day),
    signal,
  );
  const missing = unlisted.map(({ reference }) => reference).filter((reference) => !beside.has(reference));
  return (await store.findKnown(rail, missing)).filter(isPaid).map((known) => missingThere(rail, known));
}

/** The first instant around a day's noon from which on `isSo` holds. */
function firstAt(noon: Instant, isSo: (at: Instant) => boolean): Instant {
  let [before, after] = [noon - DAY_AROUND_MS, noon + DAY_AROUND_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isSo(middle)) after = middle;
    else before = middle;
  }
  return after;
}

/** One whose reversal is posted has moved no money in the end. */
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
