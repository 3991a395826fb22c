/** Traces of complete payments as a collector receives them, from the request to the callback, across processes and days. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DAY_MS } from '../../../src/foundation/clock.ts';
import { Secret } from '../../../src/foundation/secret.ts';
import { PROJECT_ROOT } from '../../../src/foundation/variables.ts';
import { openTraces } from '../../../src/main/observability/traces/open-traces.ts';
import { traceOf } from '../../../src/main/observability/traces/payment-trace.ts';
import { type SpeiStage, startSpeiStage } from '../../support/deposits/spei-stage.ts';
import { freePort } from '../../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '../../support/servers/trace-collector.ts';
import { until } from '../../support/tools/until.ts';

let collector: TraceCollector;
let stage: SpeiStage;
let merchant: TestMerchant;

before(async () => {
  collector = await startTraceCollector();
  stage = await startSpeiStage({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer of-the-collector',
  });
  merchant = await stage.gateway.merchant();
});
after(async () => {
  await stage.verifyAndStop();
  await collector.close();
});

/** Returns the root span. Fails unless all other spans are its children. */
function firstOf(trace: readonly CollectedSpan[]): CollectedSpan {
  const [first, ...others] = trace.filter(({ parentSpanId }) => parentSpanId === '');
  assert(first && others.length === 0);
  for (const span of trace) if (span !== first) assert.equal(span.parentSpanId, first.spanId, span.name);
  return first;
}

describe('a trace', () => {
  it('a payout has one trace from its request to its callback', async () => {
    await merchant.pay(1, 'T1');
    await merchant.final('T1');
    const trace = await collector.trace('commit accept', 'wayforpay send', 'commit settle', 'callback payout');
    const first = firstOf(trace);
    const { traceId, spanId } = traceOf({ merchantId: merchant.id, payoutId: 'T1' });
    assert.deepEqual([first.traceId, first.spanId, first.kind], [traceId, spanId, 2]);
    assert.equal(first.attributes['http.response.status_code'], 200);
    assert.match(first.name, /^POST \//);
    const accepted = trace.find(({ name }) => name === 'commit accept');
    assert(accepted && accepted.startMs >= first.startMs && accepted.endMs <= first.endMs);
    assert.equal(trace.find(({ name }) => name === 'wayforpay send')?.attributes['gateway.answer'], 'executed');
    assert.equal(collector.headers[0]?.authorization, 'Bearer of-the-collector');
  });

  it('a deposit that another process opened three days ago continues its trace when the money arrives', async () => {
    const { clabe, transactionId } = await stage.depositOfThePast(merchant, 'T2', 3 * DAY_MS);
    await stage.stp.pay(clabe);
    await until('the late payment is recorded', async () => (await stage.transfersTo(clabe)).length === 1);
    const trace = await collector.trace('commit open', 'POST /rail-notifications/:rail', 'commit receive');
    assert.equal(firstOf(trace).traceId, traceOf({ transactionId }).traceId);
    const notified = trace.find(({ name }) => name.startsWith('POST /rail-'));
    assert((notified?.startMs ?? 0) - firstOf(trace).startMs > 2.9 * DAY_MS);
  });

  it('a payout’s span links the caller’s span and has no parent', async () => {
    const traceId = 'ab'.repeat(16);
    const traceparent = `00-${traceId}-${'cd'.repeat(8)}-01`;
    await merchant.ask('/merchant/api/payout_send', merchant.request(1, 'T3'), { traceparent });
    const { spanId } = traceOf({ merchantId: merchant.id, payoutId: 'T3' });
    const first = await until('the request is traced', () => collector.spans.find((span) => span.spanId === spanId));
    assert.equal(first.parentSpanId, '');
    assert.deepEqual(first.links, [{ traceId, spanId: 'cd'.repeat(8) }]);
  });

  it('a trace span does not contain an account, a name or an amount', async () => {
    await collector.trace('callback payout');
    for (const { attributes } of collector.spans)
      for (const name of Object.keys(attributes))
        assert.match(
          name,
          /^(http\.(request\.method|route|response\.status_code)|gateway\.(rail|call|answer|batch\.size|callback\.(id|attempt|outcome)))$/,
        );
    const { payout_id: _, merchant: __, ...sent } = merchant.request(1, 'T1');
    for (const value of Object.values(sent)
      .map(String)
      .filter(({ length }) => length > 2))
      assert(!collector.text().includes(value), value);
  });

  it('spans that no collector accepts delay the exit of the process by at most the timeout', async () => {
    const lost: number[] = [];
    const traces = openTraces({
      config: { endpoint: `http://127.0.0.1:${await freePort()}`, headers: [['a', new Secret('b')]], share: 1 },
      processName: 'alone',
      timeoutMs: 500,
      onLost: (spans) => void lost.push(spans),
    });
    const span = { name: 'test', kind: 'internal', from: 0, to: 1, attributes: {} } as const;
    traces.record({ ...span, payment: { transactionId: 1 } });
    const startedAt = performance.now();
    await traces.close();
    assert.deepEqual(lost, [1]);
    assert(performance.now() - startedAt < 5_000);
  });

  it('processes with equal settings sample the same payments', async () => {
    const chosen = async () => {
      const own = await startTraceCollector();
      const config = { endpoint: own.url, headers: [], share: 0.5 };
      const traces = openTraces({ config, processName: 'one', onLost: () => {} });
      const span = { name: 'test', kind: 'internal', from: 0, to: 1, attributes: {} } as const;
      for (let transactionId = 1; transactionId <= 200; transactionId++)
        traces.record({ ...span, payment: { transactionId }, isFirst: transactionId % 2 === 0 });
      await traces.close();
      await own.close();
      return own.spans.map(({ traceId }) => traceId).sort();
    };
    const [once, again] = [await chosen(), await chosen()];
    assert.deepEqual(once, again);
    assert(once.length > 60 && once.length < 140, String(once.length));
  });

  it('a process without tracing does not load an OpenTelemetry library', () => {
    const source = join(PROJECT_ROOT, 'gateway/src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
    const importing = (what: RegExp) =>
      files.filter((file) => /(?<!\.test)\.ts$/.test(file) && what.test(readFileSync(join(source, file), 'utf8')));
    const file = 'main/observability/traces/open-traces.ts';
    assert.deepEqual(importing(/from '@opentelemetry/), [file]);
    assert.deepEqual(importing(/^import (?!type).*open-traces\.ts/m), []);
  });
});
