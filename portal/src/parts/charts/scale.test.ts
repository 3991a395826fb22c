import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { labelled, short, ticksOf } from './scale.ts';

describe('the axes of charts', () => {
  it('the axis of a chart ends at a round number above the highest value, with few ticks', () => {
    for (const [highest, ticks] of [
      [0, [0, 1]],
      [100, [0, 25, 50, 75, 100]],
      [16_100, [0, 5_000, 10_000, 15_000, 20_000]],
      [3, [0, 1, 2, 3]],
    ] as const)
      assert.deepEqual(ticksOf(highest), ticks, String(highest));
  });

  it('the axis of a chart shortens large numbers', () => {
    assert.deepEqual([0, 12.5, 12_500, 3_000_000].map(short), ['0', '12.5', '12.5k', '3M']);
  });

  it('the axis of a chart shows every label that fits, and always the last label', () => {
    assert.deepEqual(labelled(30, 6), [4, 9, 14, 19, 24, 29]);
    assert.deepEqual(labelled(3, 6), [0, 1, 2]);
  });
});
