import assert from 'node:assert/strict';
import { test } from 'node:test';
import { medianOf, type Point, slopeOf, spreadOf, thinned } from './statistics.ts';

test('slopeOf finds the slope of a line with evenly distributed noise', () => {
  const line = Array.from({ length: 101 }, (_, x): Point => [x, 3 * x + 7 + (x % 2 === 0 ? 1 : -1)]);
  assert.ok(Math.abs(slopeOf(line) - 3) < 0.01);
  assert.equal(
    slopeOf([
      [1, 5],
      [2, 5],
      [9, 5],
    ]),
    0,
  );
});

test('slopeOf returns 0 for fewer than two points, and for points with equal x', () => {
  for (const points of [
    [],
    [[1, 1]],
    [
      [1, 1],
      [1, 9],
    ],
  ] as Point[][])
    assert.equal(slopeOf(points), 0);
});

test('thinned replaces runs of points by their mean when there are too many', () => {
  const points = [
    [0, 1],
    [1, 3],
    [2, 10],
    [3, 20],
    [4, 7],
  ] as const;
  assert.deepEqual(thinned(points, 3), [
    [0, 2],
    [2, 15],
    [4, 7],
  ]);
  assert.deepEqual(thinned(points, 10), points);
  assert.deepEqual(thinned([], 10), []);
});

test('spreadOf returns the range of the values as a part of their mean', () => {
  assert.equal(spreadOf([90, 110]), 0.2);
  assert.equal(spreadOf([]), 0);
});

test('medianOf returns the middle value, or the lower of two middle values', () => {
  assert.equal(medianOf([9, 1, 5]), 5);
  assert.equal(medianOf([10, 9]), 9);
  assert.equal(medianOf([]), 0);
});
