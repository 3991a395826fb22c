/** A monotonic clock that all processes of a machine share, for latencies across processes. */

const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

export function monotonicMs(): number {
  return performance.now() + offsetMs;
}
