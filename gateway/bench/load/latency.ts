/** Collects durations and computes their percentiles. */

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** A growing list of numbers that allocates no object per number. */
export class Samples {
  #values = new Float64Array(65_536);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** Returns a copy of the current values. */
  toArray(): Float64Array {
    return this.#values.slice(0, this.#length);
  }
}

/** Computes nearest-rank percentiles, so that each is a measured value. All are zero if there are no values. */
export function latencyOf(times: ArrayLike<number>): Latency {
  const sorted = Float64Array.from(times).sort();
  const quantile = (part: number) => sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
  return { p50: quantile(0.5), p99: quantile(0.99), p999: quantile(0.999), max: quantile(1) };
}
