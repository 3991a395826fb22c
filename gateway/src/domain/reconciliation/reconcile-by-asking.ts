/**
 * Reconciliation with a provider that has no list of a day: each payout that ended here on that day, and that its rail was
 * told of, is asked about. So what the ledger has is held against the provider, and never the other way round: a payout that
 * only the provider knows is not seen. What still waits here is the worker's to ask about.
 */
import { type Clock, DAY_MS, HOUR_MS, SECOND_MS } from '../../foundation/clock.ts';
import { createDeadlines } from '../../foundation/deadline.ts';
import { orderOf } from '../payouts/payout-order.ts';
import type { PayoutRail, RailStatus } from '../payouts/payout-rail.ts';
import type { ReportPayout } from '../payouts/report-payout.ts';
import { compareAnswer, stateAt } from './compare-statement.ts';
import { type ReconciledDay, reportNews } from './reconcile-payouts.ts';
import type { AskablePayout, Difference, KnownPayout, ReconciliationStore } from './reconciliation-store.ts';

export interface ReconcileByAskingParts {
  readonly rail: PayoutRail;
  readonly store: ReconciliationStore;
  readonly report: ReportPayout;
  readonly clock: Clock;
  /** Told of each answer, by its kind. */
  readonly onAsked: (answer: string, latencyMs: number) => void;
}

/**
 * The provider answers no more, or there are more payouts than can be asked about in time. No difference of that day is kept;
 * what was news up to then has been reported.
 */
export class AskingIncomplete extends Error {
  override readonly name = 'AskingIncomplete';
}

/** One question at a time, and a pause after each: sending goes on beside it. */
const PAUSE_MS = 100;
const TRIES = 3;
const AGAIN_AFTER_MS = 2 * SECOND_MS;
/** So many payouts one after the other without an answer, and it is the provider that gives none. */
const UNANSWERED_TO_STOP = 5;
/** For one day's payouts: at a quarter of a second a question, some 80,000. */
const LONGEST_MS = 6 * HOUR_MS;

/** The day is that of UTC. */
export async function reconcileByAsking(
  parts: ReconcileByAskingParts,
  day: string,
  signal: AbortSignal,
): Promise<ReconciledDay> {
  const { rail, store, clock } = parts;
  const { asked, matched, settled, differences, unanswered } = await askAll(parts, day, signal);
  const reconciliation = { rail: rail.name, day, runAt: clock.now(), listed: asked, matched, settled };
  await store.keep(reconciliation, differences, unanswered);
  return { reconciliation, differences, by: 'asking', waiting: await store.countWaiting(rail.name) };
}

interface Findings {
  readonly differences: Difference[];
  asked: number;
  matched: number;
  settled: number;
  /** The references of those that got no answer. */
  readonly unanswered: string[];
  /** What was paid here and got no answer, one after the other up to now. */
  unansweredInRow: number;
}

async function askAll(parts: ReconcileByAskingParts, day: string, signal: AbortSignal): Promise<Findings> {
  const { rail, store, clock } = parts;
  const found: Findings = { differences: [], asked: 0, matched: 0, settled: 0, unanswered: [], unansweredInRow: 0 };
  const from = Date.parse(`${day}T00:00:00Z`);
  const ask = createAsk(parts, signal);
  const stopAt = clock.now() + LONGEST_MS;
  for await (const known of store.endedBetween(rail.name, from, from + DAY_MS)) {
    const answer = await ask(known);
    if (answer.kind === 'unknown') found.unanswered.push(known.reference);
    await take(parts, found, compareAnswer(rail.name, known, answer));
    const why = whyToStop(found, clock.now() > stopAt, signal);
    if (why !== undefined) throw new AskingIncomplete(incomplete(rail.name, day, found.asked, known, why));
  }
  return found;
}

/** News is reported at once: the provider may answer no more, hours before all have been asked about. */
async function take(
  parts: ReconcileByAskingParts,
  found: Findings,
  finding: ReturnType<typeof compareAnswer>,
): Promise<void> {
  found.asked += 1;
  if (finding === 'no_word') return;
  const isUnanswered = typeof finding === 'object' && 'kind' in finding && finding.kind === 'unreadable';
  found.unansweredInRow = isUnanswered ? found.unansweredInRow + 1 : 0;
  if (finding === 'matches') found.matched += 1;
  else if ('event' in finding) {
    const told = await reportNews(parts, parts.rail.name, 'answer', [finding]);
    found.settled += told.settled;
    found.differences.push(...told.differences);
  } else found.differences.push(finding);
}

function whyToStop(
  { unansweredInRow, differences }: Findings,
  isLate: boolean,
  signal: AbortSignal,
): string | undefined {
  if (signal.aborted) return 'it was stopped';
  if (isLate) return `${LONGEST_MS / HOUR_MS} hours were over`;
  return unansweredInRow === UNANSWERED_TO_STOP
    ? `${unansweredInRow} in a row were not answered: ${differences.at(-1)?.theirs}`
    : undefined;
}

function incomplete(rail: string, day: string, asked: number, { payout }: KnownPayout, why: string): string {
  const until = payout.finishedAt === null ? '' : `, up to ${new Date(payout.finishedAt).toISOString()}`;
  return `${rail} was asked about ${asked} payouts of ${day}${until}, then ${why}`;
}

/**
 * Who gives no answer is asked again twice: a connection may break. Not of what was paid to nobody here, of which some
 * providers never have a word: their days would have no end.
 */
function createAsk({ rail, clock, onAsked }: ReconcileByAskingParts, signal: AbortSignal) {
  const deadlines = createDeadlines(clock, rail.timeoutMs);
  return async (known: AskablePayout): Promise<RailStatus> => {
    const order = orderOf(known.payout, known);
    const mostTries = stateAt(rail.name, known) === 'executed' ? TRIES : 1;
    for (let tries = 1; ; tries += 1) {
      const startedAt = clock.now();
      const answer = await deadlines.within((deadline) => rail.ask(order, deadline));
      onAsked(answer.kind, clock.now() - startedAt);
      await clock.sleep(PAUSE_MS, signal);
      if (answer.kind !== 'unknown' || tries === mostTries || signal.aborted) return answer;
      await clock.sleep(AGAIN_AFTER_MS, signal);
    }
  };
}
