/**
 * Reconciliation with a provider that has no daily list. It queries each payout that its rail sent and that became final on
 * the day. It cannot find a payout that only the provider knows. The worker queries pending payouts.
 */
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../foundation/clock.ts';
import { createDeadlines } from '../../foundation/deadline.ts';
import { payoutOrderOf } from '../payouts/payout-order.ts';
import { callPayoutRail, type PayoutCallParts, type PayoutRail, type RailStatus } from '../payouts/payout-rail.ts';
import type { SettlePayout } from '../payouts/settle-payout.ts';
import { compareAnswer, stateAt } from './compare-payout-list.ts';
import { type ReconciledDay, reportNews } from './reconcile-payouts.ts';
import type { AskablePayout, KnownPayout, ListDifference, ReconciliationStore } from './reconciliation-store.ts';

interface ReconcileByAskingParts extends PayoutCallParts {
  readonly rail: PayoutRail;
  readonly store: ReconciliationStore;
  readonly settle: SettlePayout;
}

/**
 * The provider stopped responding, or too many payouts completed that day. The comparison records no differences of that day.
 * News up to that point is already reported.
 */
export class AskingIncomplete extends Error {
  override readonly name = 'AskingIncomplete';
}

/** Sends one query at a time, with a pause after each, so that payouts are not delayed. */
const PAUSE_MS = 100;
const TRIES = 3;
const AGAIN_AFTER_MS = 2 * SECOND_MS;
/** All pauses of a comparison. The simulation ends them on time. */
export const QUERY_PAUSES_MS: readonly number[] = [PAUSE_MS, AGAIN_AFTER_MS];
/** After this many consecutive payouts without a response, the cause is the provider. */
const UNANSWERED_TO_STOP = 5;
/** The time limit for one day: some 80,000 payouts at a quarter of a second each. */
const LONGEST_MS = 6 * HOUR_MS;

/** The day is a UTC day. */
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
  readonly differences: ListDifference[];
  asked: number;
  matched: number;
  settled: number;
  /** The references of the payouts without a response. */
  readonly unanswered: string[];
  /** The current run of consecutive paid payouts without a response. */
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

/** Reports each event immediately, because the provider may stop responding hours before the end. */
async function take(
  parts: ReconcileByAskingParts,
  found: Findings,
  finding: ReturnType<typeof compareAnswer>,
): Promise<void> {
  found.asked += 1;
  if (finding === 'no_answer') return;
  const isUnanswered = typeof finding === 'object' && 'kind' in finding && finding.kind === 'unreadable';
  found.unansweredInRow = isUnanswered ? found.unansweredInRow + 1 : 0;
  if (finding === 'matches') found.matched += 1;
  else if ('event' in finding) {
    const reported = await reportNews(parts, parts.rail.name, 'answer', [finding]);
    found.settled += reported.settled;
    found.differences.push(...reported.differences);
  } else found.differences.push(finding);
}

function whyToStop(
  { unansweredInRow, differences }: Findings,
  isLate: boolean,
  signal: AbortSignal,
): string | undefined {
  if (signal.aborted) return 'the comparison was stopped';
  if (isLate) return `${LONGEST_MS / HOUR_MS} hours had passed`;
  return unansweredInRow === UNANSWERED_TO_STOP
    ? `${unansweredInRow} consecutive queries got no response: ${differences.at(-1)?.theirs}`
    : undefined;
}

function incomplete(rail: string, day: string, asked: number, { payout }: KnownPayout, why: string): string {
  const until = payout.finishedAt === null ? '' : `, up to ${new Date(payout.finishedAt).toISOString()}`;
  return `${rail} was queried about ${asked} payouts of ${day}${until}, then ${why}`;
}

/**
 * Retries a query without a response twice, because a connection may break. It does not retry for unpaid payouts: some
 * providers never know those, and the day would never end.
 */
function createAsk({ rail, clock, onRailCall }: ReconcileByAskingParts, signal: AbortSignal) {
  const parts = { clock, onRailCall, deadlines: createDeadlines(clock, rail.timeoutMs) };
  return async (known: AskablePayout): Promise<RailStatus> => {
    const order = payoutOrderOf(known.payout, known);
    const mostTries = stateAt(rail.name, known) === 'executed' ? TRIES : 1;
    for (let tries = 1; ; tries += 1) {
      const answer = await callPayoutRail(parts, rail, 'ask', order);
      await clock.sleep(PAUSE_MS, signal);
      if (answer.kind !== 'unknown' || tries === mostTries || signal.aborted) return answer;
      await clock.sleep(AGAIN_AFTER_MS, signal);
    }
  };
}
