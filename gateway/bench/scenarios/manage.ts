/**
 * Measures the reads of the management API on large tables: lists, the search, events, balances at a time, and the statement of
 * a day. Each time is that of the operation behind the endpoint, without HTTP. The targets at ten million payouts are p95 ≤ 50 ms,
 * and ≤ 2 s for a statement.
 */
import { EVENT_OBJECTS, FIRST_PLACE } from '../../src/domain/events/event-store.ts';
import { closeHours } from '../../src/domain/ledger/close-hours.ts';
import type { ListName, ListQuery } from '../../src/domain/lists/list-store.ts';
import type { GatewayOperations } from '../../src/domain/management/gateway-operations.ts';
import type { StatementFormat } from '../../src/domain/statements/statement-seal.ts';
import { DAY_MS, systemClock } from '../../src/foundation/clock.ts';
import { fillPayouts } from '../fill/fill-payouts.ts';
import { latencyOf } from '../load/latency.ts';
import { monotonicMs } from '../load/monotonic-clock.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { beginUsage, unitCost } from '../measure/usage.ts';
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

const list =
  (name: ListName, change: (sample: Sample) => Partial<ListQuery>): Call =>
  ({ lists }, sample) =>
    lists[name]({ merchantId: null, from: null, to: null, after: null, limit: 100, filters: {}, ...change(sample) });

const payouts = (change: (sample: Sample) => Partial<ListQuery>) => list('payouts', change);

const find =
  (text: (sample: Sample) => string, isOfMerchant = false): Call =>
  (operations, sample) =>
    operations.find({
      ...{ text: text(sample), merchantId: isOfMerchant ? sample.merchantId : null },
      lists: ['payouts', 'deposits', 'payments', 'transfers'],
    });

/** Read to its end, as a client reads it. */
function statementOf(format: StatementFormat): Call {
  return async ({ statements }, { merchantId, acceptedAt }) => {
    const from = Math.floor(acceptedAt / DAY_MS) * DAY_MS - DAY_MS;
    const order = { merchantId, currency: 'UAH', from, until: from + DAY_MS } as const;
    const written = await statements.write(order, format);
    if (!written.ok) throw new Error(`no statement: ${written.error}`);
    for await (const _ of written.value.pieces);
  };
}

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
  'list callbacks, all merchants': list('callbacks', () => ({})),
  'list callbacks of one payout': list('callbacks', ({ merchantId, payoutId }) => ({
    ...{ merchantId, filters: { subjectId: payoutId } },
  })),
  'list the ledger, one merchant': list('ledger', ({ merchantId }) => ({ merchantId })),
  'list the ledger, one account of all merchants': list('ledger', () => ({ filters: { account: 'available' } })),
  'list deposits, where there are none': list('deposits', () => ({})),
  'find a transaction': find(({ transactionId }) => `Transaction number ${transactionId}`),
  'find a merchant’s id': find(({ payoutId }) => payoutId),
  'find a merchant’s id, as the merchant': find(({ payoutId }) => payoutId, true),
  'find a bank’s reference': find(({ reference }) => reference),
  'find an amount of a day': find((sample) => `10.00 ${dayOf(sample)}`),
  'find what nobody has': find(({ payoutId }) => `${payoutId}-none`),
  'events of one merchant': ({ events }, { merchantId }) =>
    events.read({ merchantId, objects: EVENT_OBJECTS, after: FIRST_PLACE, limit: 100 }),
  'balances of one merchant at a time': ({ ledger }, { merchantId, acceptedAt }) =>
    ledger.balancesAt(merchantId, acceptedAt),
  'statement of a day, CSV': statementOf('csv'),
  'statement of a day, JSON': statementOf('json'),
  'volumes of 30 days, one merchant': ({ ledger }, { merchantId, acceptedAt }) =>
    ledger.volumes({ merchantId, from: acceptedAt - 30 * DAY_MS, until: acceptedAt, grain: 'day' }),
  'show a payout': (operations, { merchantId, payoutId }) => operations.payouts.find({ merchantId, payoutId }),
};

export async function measureManage(bench: Bench): Promise<Findings> {
  const { stage, onProgress } = bench;
  const wanted = bench.rows.at(-1) ?? 0;
  const { final } = await specimenOf(stage);
  await fillPayouts(stage, final, wanted, (line) => onProgress(`manage: ${line}`), { onlyForReads: true });
  onProgress('manage: close the hours');
  await closeLedger(bench);
  await stage.gateway.operations.statements.makeFirstKey();
  const samples = await readSamples(stage.admin);
  const rows: Row[] = [];
  const figures: Record<string, number> = { payouts: wanted };
  for (const [what, call] of Object.entries(CALLED)) {
    onProgress(`manage: ${what}`);
    const endUsage = await beginUsage(stage);
    const times = await timesOf((sample) => call(stage.gateway.operations, sample), samples);
    const cost = unitCost(await endUsage(), times.length);
    const p95 = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0;
    figures[`${what}, p95 ms`] = p95;
    const seconds = times.reduce((sum, each) => sum + each, 0) / 1_000;
    const rate = times.length / seconds;
    rows.push({ what, rate, latencyMs: latencyOf(times), cost, notes: `p95 ${p95.toFixed(1)} ms` });
  }
  return { rows, figures };
}

/** As the worker does, which has nobody to wait for here. */
async function closeLedger({ stage }: Bench): Promise<void> {
  const { closings: store } = stage.gateway.core;
  const parts = { store, clock: systemClock, clockDifference: async () => 0, statementLimitMs: 0 };
  await closeHours(parts, new AbortController().signal);
  for (const table of ['ledger_snapshots', 'payment_volumes']) await stage.admin.query(`vacuum (analyze) ${table}`);
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
