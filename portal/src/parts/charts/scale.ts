/** The axes of charts: round ticks, and labels that do not overlap. */

/** Returns at most five ticks, from zero to a round number that is at least `highest`. */
export function ticksOf(highest: number): readonly number[] {
  if (!(highest > 0)) return [0, 1];
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each * 4 >= highest) ?? 10 * power;
  return Array.from({ length: Math.ceil(highest / step - 1e-9) + 1 }, (_, index) => index * step);
}

/** Shortens a number: 12500 becomes 12.5k. */
export function short(value: number): string {
  const [unit, name] = (
    [
      [1e9, 'bn'],
      [1e6, 'M'],
      [1e3, 'k'],
    ] as const
  ).find(([each]) => value >= each) ?? [1, ''];
  return `${Number((value / unit).toFixed(unit === 1 ? 2 : 1))}${name}`;
}

/** Returns the indexes of the labels to draw, at most `most` of `count`, always including the last. */
export function labelled(count: number, most: number): readonly number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, most)));
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % step === 0);
}
