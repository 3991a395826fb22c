/**
 * Measures reads of the management API on large tables: lists, the search, events, balances at a time, and the statement of a
 * day. Each call measures the operation behind the endpoint, without HTTP.
 */
import { closeHours } from '../../src/domain/ledger/close-hours.ts';
import { DAY_MS, systemClock } from '../../src/foundation/clock.ts';
import { fillPayouts } from '../fill/fill-payouts.ts';
import { latencyOf } from '../load/latency.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { timeCalls } from '../measure/server-time.ts';
import { beginUsage, unitCost } from '../measure/usage.ts';
import { specimenOf } from '../specimen/specimen.ts';
import type { AdminClient } from '../stage/admin-client.ts';
import { READ_P95_LIMIT_MS, STATEMENT_P95_LIMIT_MS } from './limits.ts';
import { CHARTS, READS, type Sample, STATEMENTS } from './manage-reads.ts';

/** The number of calls per operation, enough for a p95. */
const CALLS = 60;
/** The number of unmeasured calls, for other payouts of the same days. A server in use has its indexes in memory. */
const WARM_UP_CALLS = CALLS;
/** Slightly less than the number of days over which a fill spreads its payouts. */
const DAYS = 59;

export async function measureManage(bench: Bench): Promise<Findings> {
  const { stage, onProgress } = bench;
  const wanted = bench.rows.at(-1) ?? 0;
  const { final } = await specimenOf(stage);
  await fillPayouts(stage, final, wanted, (line) => onProgress(`manage: ${line}`), { onlyForReads: true });
  onProgress('manage: close the hours');
  await closeLedger(bench);
  await stage.gateway.operations.statements.makeFirstKey();
  const others = await readSamples(stage.admin, WARM_UP_CALLS, 0.5);
  const samples = await readSamples(stage.admin, CALLS, 0);
  const rows: Row[] = [];
  const figures: Record<string, number> = { payouts: wanted };
  const groups = [
    ['slowestReadP95Ms', READS, READ_P95_LIMIT_MS],
    ['slowestChartP95Ms', CHARTS, null],
    ['slowestStatementP95Ms', STATEMENTS, STATEMENT_P95_LIMIT_MS],
  ] as const;
  for (const [figure, calls, limitMs] of groups)
    for (const [what, call] of Object.entries(calls)) {
      const callsAbout = (about: readonly Sample[]) =>
        about.map((sample) => () => call(stage.gateway.operations, sample));
      await timeCalls(stage.admin, callsAbout(others));
      const endUsage = await beginUsage(stage);
      const times = await timeCalls(stage.admin, callsAbout(samples));
      const cost = unitCost(await endUsage(), times.length);
      const p95 = p95Of(times.map(({ serverMs }) => serverMs));
      figures[figure] = Math.max(figures[figure] ?? 0, p95);
      const elapsed = times.map(({ elapsedMs }) => elapsedMs);
      const rate = times.length / (elapsed.reduce((sum, each) => sum + each, 0) / 1_000);
      const verdict = limitMs === null ? '' : `, target ${limitMs}: ${p95 <= limitMs ? 'met' : 'NOT met'}`;
      const notes = `p95 ${p95.toFixed(1)} ms of server time (elapsed ${p95Of(elapsed).toFixed(1)})${verdict}`;
      onProgress(`manage: ${what}: ${notes}`);
      rows.push({ what, rate, latencyMs: latencyOf(elapsed), cost, notes });
    }
  return { rows, figures };
}

function p95Of(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0;
}

/** Closes the ledger hours as the worker does. No other transaction runs, so it need not wait for any (statementLimitMs: 0). */
async function closeLedger({ stage }: Bench): Promise<void> {
  const { closings: store } = stage.gateway.core;
  const parts = { store, clock: systemClock, clockDifference: async () => 0, statementLimitMs: 0 };
  await closeHours(parts, new AbortController().signal);
  for (const table of ['ledger_snapshots', 'payment_volumes']) await stage.admin.query(`vacuum (analyze) ${table}`);
}

/** Returns payouts spread evenly over the filled period. `shift` moves each by this fraction of the distance between two. */
export async function readSamples(admin: AdminClient, count: number, shift: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const now = systemClock.now();
  for (let index = 0; index < count; index++) {
    const [row] = await admin.query<
      Record<'merchant_id' | 'payout_id' | 'rail' | 'account_shown' | 'reference' | 'transaction_id' | 'at', string>
    >(
      `select p.merchant_id, p.payout_id, p.rail, p.transaction_id::text, p.account_shown,
         (extract(epoch from p.accepted_at) * 1000)::bigint::text as at, coalesce(a.reference, 'none') as reference
       from (select * from payouts where accepted_at <= to_timestamp($1 / 1000.0) order by accepted_at desc limit 1) as p
       left join payout_attempts as a using (merchant_id, payout_id) limit 1`,
      [now - ((index + shift) / count) * DAYS * DAY_MS],
    );
    if (!row) break;
    samples.push({
      merchantId: row.merchant_id,
      payoutId: row.payout_id,
      account: row.account_shown,
      reference: row.reference,
      rail: row.rail,
      transactionId: Number(row.transaction_id),
      acceptedAt: Number(row.at),
    });
  }
  return samples;
}
