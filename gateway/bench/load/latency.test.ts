import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { latencyOf, Samples } from './latency.ts';

test('latencyOf returns nearest-rank percentiles: each is one of the measured times', () => {
  const times = Array.from({ length: 1_000 }, (_, at) => 1_000 - at);
  assert.deepEqual(latencyOf(times), { p50: 500, p99: 990, p999: 999, max: 1_000 });
});

test('latencyOf sorts times as numbers and returns zeros without times', () => {
  assert.deepEqual(latencyOf([100, 9]), { p50: 9, p99: 100, p999: 100, max: 100 });
  assert.deepEqual(latencyOf([]), { p50: 0, p99: 0, p999: 0, max: 0 });
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 }), (times) => {
      const { p50, p99, p999, max } = latencyOf(times);
      assert.ok(p50 <= p99 && p99 <= p999 && p999 <= max);
      assert.equal(max, Math.max(...times));
    }),
  );
});

test('Samples keeps values beyond its first allocation', () => {
  const samples = new Samples();
  for (let value = 0; value < 200_000; value++) samples.add(value);
  assert.equal(samples.length, 200_000);
  assert.equal(samples.toArray().at(-1), 199_999);
  assert.equal(samples.toArray()[131_072], 131_072);
});
