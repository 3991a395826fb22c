import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { endedWithin, paceOf } from './pace.ts';

describe('the pace of a rail', () => {
  it('the pace of a rail is the upper bound of the buckets that contain the median and the 95th percentile', () => {
    assert.deepEqual(paceOf([60, 20, 0, 15, 5, 0, 0, 0, 0, 0]), {
      payments: 100,
      halfMs: SECOND_MS,
      mostMs: MINUTE_MS,
    });
  });

  it('the pace of a rail has no 95th percentile if it lies in the last bucket, which has no upper bound', () => {
    assert.deepEqual(paceOf([0, 0, 0, 0, 0, 0, 0, 0, 10, 10]), { payments: 20, halfMs: 86_400_000, mostMs: null });
  });

  it('the pace of a rail is unknown after fewer than ten results', () => {
    assert.equal(paceOf([9, 0, 0, 0, 0, 0, 0, 0, 0, 0]), null);
    assert.equal(paceOf([]), null);
    assert.equal(endedWithin([], 0.5), null);
    assert.equal(endedWithin([0, 0, 1], 0.95), 15 * SECOND_MS);
  });
});
