/** Maps values to positions on an axis, and chooses the ticks. */

export interface Scale {
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
}

export type ScaleKind = 'linear' | 'log2' | 'log10';

/** `from` and `to` are positions in the picture. The axis extends from the first tick to the last. */
export function scaleOf(kind: ScaleKind, values: readonly number[], from: number, to: number): Scale {
  const ticks = kind === 'linear' ? linearTicks(Math.max(0, ...values)) : logTicks(kind === 'log2' ? 2 : 10, values);
  const measure =
    kind === 'linear' ? (value: number) => value : (value: number) => Math.log(Math.max(value, Number.MIN_VALUE));
  const [low, high] = [measure(ticks[0] ?? 0), measure(ticks.at(-1) ?? 1)];
  return {
    ticks,
    place: (value) => from + ((measure(value) - low) / (high - low || 1)) * (to - from),
  };
}

const WANTED_TICKS = 5;

/** Returns ticks from 0 to at least the largest value, in steps of 1, 2 or 5 times a power of ten. */
export function linearTicks(greatest: number): number[] {
  const rough = (greatest || 1) / WANTED_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((nice) => nice * power >= rough) ?? 10) * power;
  const count = Math.max(1, Math.ceil((greatest || 1) / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

function logTicks(base: number, values: readonly number[]): number[] {
  const positive = values.filter((value) => value > 0);
  const exponentOf = (value: number) => Math.log(value) / Math.log(base);
  const low = Math.floor(exponentOf(Math.min(...positive)) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(exponentOf(Math.max(...positive)) - 1e-9));
  return Array.from({ length: high - low + 1 }, (_, at) => base ** (low + at));
}

/** Formats a number: 1500 becomes 1,500 and 2000000 becomes 2 M. */
export function tickText(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))} M`;
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 1 ? 3 : 1 });
}
