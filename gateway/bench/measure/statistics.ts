/** What many samples come to: whether they rise, where their middle is, how far they lie apart, and fewer of them to draw. */

export type Point = readonly [x: number, y: number];

/** The slope of the straight line that fits best, in y per x. Of fewer than two points: 0. */
export function slopeOf(points: readonly Point[]): number {
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const squares = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (count < 2 || squares === 0) return 0;
  return points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / squares;
}

/** At most `most` points: each stands for a run of them, with their mean and where they begin. */
export function thinned(points: readonly Point[], most: number): Point[] {
  const each = Math.ceil(points.length / most);
  const groups = Array.from({ length: Math.ceil(points.length / Math.max(each, 1)) }, (_, at) =>
    points.slice(at * each, (at + 1) * each),
  );
  return groups.map((group) => [group[0]?.[0] ?? 0, group.reduce((sum, [, y]) => sum + y, 0) / group.length] as const);
}

/** The one in the middle; of an even number the lower one of the two. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? 0;
}

export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How far the values lie apart, as a part of their mean. */
export function spreadOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return mean === 0 ? 0 : (Math.max(...values) - Math.min(...values)) / mean;
}
