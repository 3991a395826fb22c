/**
 * Measures the reads of the management API on large tables: lists, the search, events and balances of the past. Each time is
 * that of the operation behind the endpoint, without HTTP. The target is p95 ≤ 50 ms at ten million payouts.
 */
import { EVENT_OBJECTS, FIRST_PLACE } from '../../src/domain/events/event-store.ts';
import type { ListQuery } from '../../src/domain/lists/list-store.ts';
import type { GatewayOperations } from '../../src/domain/management/gateway-operations.ts';
import { DAY_MS, systemClock } from '../../src/foundation/clock.ts';
import { fillPayouts } from '../fill/fill-payouts.ts';
import { latencyOf } from '../load/latency.ts';
import { monotonicMs } from '../load/monotonic-clock.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { specimenOf } from '../specimen/specimen.ts';
import type { AdminClient } from '../stage/admin-client.ts';

/** Calls of each operation: enough for a p95. */
const CALLS = 60;

interface Sample {
  readonly merchantId: string;
  readonly payoutId: string;
  readonly transactionId: number;
  readonly account: string;
  readonly reference: string;
  readonly acceptedAt: number;
}

type Call = (operations: GatewayOperations, sample: Sample) => Promise<unknown>;

const payouts =
  (change: (sample: Sample) => Partial<ListQuery>): Call =>
  ({ lists }, sample) =>
    lists.payouts({ merchantId: null, from: null, to: null, after: null, limit: 100, filters: {}, ...change(sample) });

const find =
  (text: (sample: Sample) => string, isOfMerchant = false): Call =>
  (operations, sample) =>
    operations.find({
      ...{ text: text(sample), merchantId: isOfMerchant ? sample.merchantId : null },
      lists: ['payouts', 'deposits', 'payments', 'transfers'],
    });

const dayOf = ({ acceptedAt }: Sample) => new Date(acceptedAt).toISOString().slice(0, 10);

const CALLED: Readonly<Record<string, Call>> = {
  'list, all merchants': payouts(() => ({})),
  'list, from the middle': payouts(({ acceptedAt, transactionId }) => ({
    after: { at: acceptedAt, key: [transactionId] },
  })),
  'list, one merchant': payouts(({ merchantId }) => ({ merchantId })),
  'list, one merchant, from the middle': payouts(({ merchantId, acceptedAt, transactionId }) => ({
    ...{ merchantId, after: { at: acceptedAt, key: [transactionId] } },
  })),
  'list, a state that nothing has': payouts(() => ({ filters: { state: 'blocked' } })),
  'list, one merchant, a rail that nothing has': payouts(({ merchantId }) => ({
    merchantId,
    filters: { rail: 'none' },
  })),
  'list, an account': payouts(({ account }) => ({ filters: { account } })),
  'find a transaction': find(({ transactionId }) => `Transaction number ${transactionId}`),
  'find a merchant’s id': find(({ payoutId }) => payoutId),
  'find a merchant’s id, as the merchant': find(({ payoutId }) => payoutId, true),
  'find a bank’s reference': find(({ reference }) => reference),
  'find an amount of a day': find((sample) => `10.00 ${dayOf(sample)}`),
  'find what nobody has': find(({ payoutId }) => `${payoutId}-none`),
  'events of one merchant': ({ events }, { merchantId }) =>
    events.read({ merchantId, objects: EVENT_OBJECTS, after: FIRST_PLACE, limit: 100 }),
  'show a payout': (operations, { merchantId, payoutId }) => operations.payouts.find({ merchantId, payoutId }),
};

export async function measureManage(bench: Bench): Promise<Findings> {
  const { stage, onProgress } = bench;
  const wanted = bench.rows.at(-1) ?? 0;
  await fillPayouts(stage, (await specimenOf(stage)).final, wanted, (line) => onProgress(`manage: ${line}`));
  const samples = await readSamples(stage.admin);
  const rows: Row[] = [];
  const figures: Record<string, number> = { payouts: wanted };
  for (const [what, call] of Object.entries(CALLED)) {
    onProgress(`manage: ${what}`);
    const times = await timesOf((sample) => call(stage.gateway.operations, sample), samples);
    const p95 = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0;
    figures[`${what}, p95 ms`] = p95;
    const seconds = times.reduce((sum, each) => sum + each, 0) / 1_000;
    rows.push({ what, rate: times.length / seconds, latencyMs: latencyOf(times), notes: `p95 ${p95.toFixed(1)} ms` });
  }
  return { rows, figures };
}

async function timesOf(call: (sample: Sample) => Promise<unknown>, samples: readonly Sample[]): Promise<number[]> {
  const times: number[] = [];
  for (const sample of samples) {
    const startedAt = monotonicMs();
    await call(sample);
    times.push(monotonicMs() - startedAt);
  }
  return times;
}

/** Payouts spread over the filled time. */
async function readSamples(admin: AdminClient): Promise<Sample[]> {
  const samples: Sample[] = [];
  const now = systemClock.now();
  for (let index = 0; index < CALLS; index++) {
    const [row] = await admin.query<
      Record<'merchant_id' | 'payout_id' | 'account_shown' | 'reference', string> & {
        transaction_id: string;
        at: string;
      }
    >(
      `select p.merchant_id, p.payout_id, p.transaction_id::text, p.account_shown,
         (extract(epoch from p.accepted_at) * 1000)::bigint::text as at, coalesce(a.reference, 'none') as reference
       from (select * from payouts where accepted_at <= to_timestamp($1 / 1000.0) order by accepted_at desc limit 1) as p
       left join payout_attempts as a using (merchant_id, payout_id) limit 1`,
      [now - (index / CALLS) * 59 * DAY_MS],
    );
    if (!row) break;
    samples.push({
      ...{ merchantId: row.merchant_id, payoutId: row.payout_id, account: row.account_shown, reference: row.reference },
      ...{ transactionId: Number(row.transaction_id), acceptedAt: Number(row.at) },
    });
  }
  return samples;
}
