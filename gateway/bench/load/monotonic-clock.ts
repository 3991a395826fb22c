/** A monotonic time that all processes of this machine share. Latencies across processes use it. */

const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

export function monotonicMs(): number {
  return performance.now() + offsetMs;
}
