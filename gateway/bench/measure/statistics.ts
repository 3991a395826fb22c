/** Statistics of samples: slope, median, range, and fewer points for a plot. */

export type Point = readonly [x: number, y: number];

/** Returns the slope of the least-squares line, in y per x, or 0 for fewer than two points. */
export function slopeOf(points: readonly Point[]): number {
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const squares = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (count < 2 || squares === 0) return 0;
  return points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / squares;
}

/** Returns at most `most` points. Each replaces a run of points by their mean y at their first x. */
export function thinned(points: readonly Point[], most: number): Point[] {
  const each = Math.ceil(points.length / most);
  const groups = Array.from({ length: Math.ceil(points.length / Math.max(each, 1)) }, (_, at) =>
    points.slice(at * each, (at + 1) * each),
  );
  return groups.map((group) => [group[0]?.[0] ?? 0, group.reduce((sum, [, y]) => sum + y, 0) / group.length] as const);
}

/** Returns the median, or for an even number of values the lower of the two middle ones. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? 0;
}

export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the range of the values divided by their mean. */
export function spreadOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return mean === 0 ? 0 : (Math.max(...values) - Math.min(...values)) / mean;
}
